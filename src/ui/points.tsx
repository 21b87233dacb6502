import { formatPoints, formatSigned } from "../lib/format.ts"
import { AsSent } from "./as-sent.tsx"
import classes from "./points.module.css"

interface PointsProps {
  /** Points; nothing is drawn for a missing value. */
  value: number | null | undefined
  /** With its sign, as in a ledger: an award green, a deduction plain (it is not an error). */
  signed?: boolean
  /** For amounts that only qualify another. */
  dim?: boolean
  /** What the service sent instead of a number; shown as it came, and never counted with. */
  sent?: unknown
}

/** An amount of points in tabular figures, without a unit. A zero is quiet. */
export function Points({ value, signed = false, dim = false, sent }: PointsProps) {
  if (value === null || value === undefined) return <AsSent sent={sent} />
  const look = dim || value === 0 ? "dim" : signed && value > 0 ? "gain" : "plain"
  return (
    <span className={classes.points} data-look={look}>
      {signed ? formatSigned(value) : formatPoints(value)}
    </span>
  )
}
