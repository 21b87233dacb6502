import type { ReactNode } from "react"
import classes from "./figures.module.css"

/** One number with its label. */
export interface Figure {
  label: string
  /** Formatted, or a placeholder while it is read. */
  value: ReactNode
  /** Quieter; by default every figure but the first. */
  quiet?: boolean
}

/** The numbers of a page: label above, tabular, divided by hairlines, no boxes. `end` stands at the right. */
export function Figures({ items, end }: { items: readonly Figure[]; end?: ReactNode }) {
  return (
    <div className={classes.row}>
      <dl className={classes.figures}>
        {items.map(({ label, value, quiet }, index) => (
          <div key={label} className={classes.figure}>
            <dt className={classes.label}>{label}</dt>
            <dd className={classes.value} data-quiet={(quiet ?? index > 0) || undefined}>
              {value}
            </dd>
          </div>
        ))}
      </dl>
      {end !== undefined && <div className={classes.end}>{end}</div>}
    </div>
  )
}
