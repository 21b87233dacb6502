import { IconArrowRight } from "@tabler/icons-react"
import { formatPoints } from "../../../lib/format.ts"
import type { PointsAct } from "../points-search.ts"
import classes from "./points-fields.module.css"
import type { Recipient } from "./use-members.ts"

interface BalanceAfterProps {
  act: PointsAct
  recipients: readonly Recipient[]
  /** Points for each; NaN while nothing that counts is typed. */
  points: number
}

/** What it comes to: the balance of one member before and after, or the sum for several. */
export function BalanceAfter({ act, recipients, points }: BalanceAfterProps) {
  const typed = Number.isSafeInteger(points) && points > 0
  if (recipients.length > 1) {
    return (
      <div className={`${classes.box} ${classes.after}`}>
        <span className={`${classes.grow} text-secondary`}>Total</span>
        <b>{typed ? formatPoints(points * recipients.length) : "0"}</b>
        <span className="text-muted">points</span>
      </div>
    )
  }
  const balance = recipients[0]?.balance
  if (balance === undefined) return null
  const after = typed ? balance + (act === "award" ? points : -points) : balance
  return (
    <div className={`${classes.box} ${classes.after}`}>
      <span className={`${classes.grow} text-secondary`}>Balance after</span>
      <span className="text-muted">{formatPoints(balance)}</span>
      <IconArrowRight size={14} stroke={2} aria-label="becomes" />
      <b>{formatPoints(after)}</b>
    </div>
  )
}
