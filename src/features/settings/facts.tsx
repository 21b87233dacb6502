import { Fragment, type ReactNode } from "react"
import classes from "./facts.module.css"

/** A fact: its name and what is so. */
export type FactRow = readonly [name: string, value: ReactNode]

/** Names on the left, values at the right end, one line each. */
export function Facts({ rows }: { rows: readonly FactRow[] }) {
  return (
    <dl className={classes.facts}>
      {rows.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  )
}
