import type { ReactNode } from "react"
import classes from "./section.module.css"

interface SectionProps {
  title: string
  /** At the right end of the title's line: a figure, a link. */
  end?: ReactNode
  children: ReactNode
}

/** A part of a page under its own heading. */
export function Section({ title, end, children }: SectionProps) {
  return (
    <section aria-label={title} className={classes.section}>
      <div className={classes.head}>
        <h2>{title}</h2>
        {end !== undefined && <span className={classes.end}>{end}</span>}
      </div>
      {children}
    </section>
  )
}
