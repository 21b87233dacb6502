import type { ReactNode } from "react"
import classes from "./section-head.module.css"

/** The head of a section within a page: `h2`, and at its end a fact, a legend or buttons. */
export function SectionHead({ title, end }: { title: string; end?: ReactNode }) {
  return (
    <div className={classes.head}>
      <h2>{title}</h2>
      {end !== undefined && <div className={classes.end}>{end}</div>}
    </div>
  )
}
