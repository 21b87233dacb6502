import type { ReactNode } from "react"
import classes from "./outcome-facts.module.css"

/** One fact about what was done; a missing value leaves it out. */
export interface OutcomeFact {
  readonly label: string
  readonly value: ReactNode
}

interface OutcomeFactsProps {
  facts: readonly OutcomeFact[]
  /** Facts that few people need, behind "Details". */
  details?: readonly OutcomeFact[]
}

/** Facts below an outcome: names on the left, values on the right. */
export function OutcomeFacts({ facts, details }: OutcomeFactsProps) {
  const more = details?.filter(hasValue) ?? []
  return (
    <>
      <FactList facts={facts.filter(hasValue)} />
      {more.length > 0 && (
        <details className={classes.details}>
          <summary>Details</summary>
          <FactList facts={more} />
        </details>
      )}
    </>
  )
}

function hasValue({ value }: OutcomeFact): boolean {
  return value !== null && value !== undefined && value !== false && value !== ""
}

function FactList({ facts }: { facts: readonly OutcomeFact[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(({ label, value }) => (
        <div key={label} className={classes.fact}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
