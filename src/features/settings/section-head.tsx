import type { ReactNode } from "react"
import classes from "./section-head.module.css"

interface SectionHeadProps {
  title: string
  /** One fact or one choice beside the title. */
  beside?: ReactNode
  /** At the right end: a fact, a legend or a button. */
  end?: ReactNode
}

/** The head of a section within a page. */
export function SectionHead({ title, beside, end }: SectionHeadProps) {
  return (
    <div className={classes.head}>
      <h2>{title}</h2>
      {beside !== undefined && <div className={classes.beside}>{beside}</div>}
      {end !== undefined && <div className={classes.end}>{end}</div>}
    </div>
  )
}
