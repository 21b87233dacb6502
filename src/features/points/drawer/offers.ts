import { formatPoints } from "../../../lib/format.ts"
import type { PointsAct } from "../points-search.ts"

const usual = [100, 250, 500, 1000, 2500]

/**
 * Amounts a click fills in: a few usual ones for an award, all there is for a deduction.
 * @param balance of the one member; undefined for several, and while it is not known
 */
export function offersFor(act: PointsAct, balance: number | undefined) {
  if (act === "award") return usual.map((points) => ({ points }))
  return balance !== undefined && balance > 0
    ? [{ points: balance, label: `All ${formatPoints(balance)}` }]
    : []
}
