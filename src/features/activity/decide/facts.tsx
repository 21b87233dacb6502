import type { ReactNode } from "react"
import classes from "./panel.module.css"

/** One fact of a row; a fact without a value is left out. */
export interface Fact {
  readonly label: string
  readonly value: ReactNode
}

/** Facts, the label at the left and the value at the right. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={classes.facts}>
      {facts
        .filter(({ value }) => value !== undefined)
        .map(({ label, value }) => (
          <div key={label} className={classes.fact}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}
