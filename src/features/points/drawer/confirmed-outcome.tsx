import type { OneRow } from "../../../forms/outcome/use-one-row.ts"
import { formatPoints } from "../../../lib/format.ts"
import { Outcome } from "../../../ui/side-drawer.tsx"
import type { PointsAct } from "../points-search.ts"
import { pointsText } from "./points-model.ts"

interface ConfirmedOutcomeProps {
  act: PointsAct
  one: OneRow
  points: number
  name: string
}

/** It happened: what, for whom, and the balance after it. */
export function ConfirmedOutcome({ act, one, points, name }: ConfirmedOutcomeProps) {
  const done = one.job.reverses !== null ? "reversed" : act === "award" ? "awarded" : "deducted"
  const balance = one.row.balance_after
  return (
    <div>
      <Outcome word="Confirmed">
        {pointsText(points)} {done} {act === "award" ? "to" : "from"} {name}
      </Outcome>
      {balance !== null && (
        <p className="text-secondary">
          The balance is now <b className="l-num">{formatPoints(balance)}</b>.
        </p>
      )}
      {one.row.decision !== undefined && (
        <p className="text-secondary">{one.row.decision.by.name} said that it happened.</p>
      )}
    </div>
  )
}
