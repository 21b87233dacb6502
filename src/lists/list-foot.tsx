import type { ReactNode } from "react"
import classes from "./list-foot.module.css"

interface ListFootProps {
  /** "1–25 of 214"; null before anything was read. */
  count: ReactNode
  asOf: ReactNode
  /** At the right end. */
  children?: ReactNode
}

/** The foot of a list, always in view. */
export function ListFoot({ count, asOf, children }: ListFootProps) {
  return (
    <footer className={classes.foot}>
      {count !== null && <span className={classes.count}>{count}</span>}
      {asOf}
      {children !== undefined && <div className={classes.end}>{children}</div>}
    </footer>
  )
}
