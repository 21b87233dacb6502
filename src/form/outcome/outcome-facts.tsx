import type { ReactNode } from "react"
import classes from "./outcome-facts.module.css"

/** One fact about what was done; a missing value leaves it out. */
export interface OutcomeFact {
  readonly label: string
  readonly value: ReactNode
}

/** Facts below an outcome: names on the left, values on the right. */
export function OutcomeFacts({ facts }: { facts: readonly OutcomeFact[] }) {
  const shown = facts.filter(
    ({ value }) => value !== null && value !== undefined && value !== false && value !== "",
  )
  return (
    <dl className={classes.facts}>
      {shown.map(({ label, value }) => (
        <div key={label} className={classes.fact}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
