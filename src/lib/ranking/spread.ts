import type { Standing } from "./standings.ts"
import { differenceOf } from "./score-text.ts"

/** How a ranking lies apart. */
export interface Spread {
  /** From the first to the tenth, or to the last of fewer. */
  readonly reach: { readonly to: number; readonly points: number } | null
  readonly median: number | null
  /** The two neighbours who are closest and not level. */
  readonly closest: { readonly ahead: Standing; readonly behind: Standing; readonly apart: number } | null
}

/** Measures a ranking; parts that cannot be told are null. */
export function spreadOf(rows: readonly Standing[]): Spread {
  const scored = rows.filter(({ score }) => score !== null)
  const to = Math.min(10, scored.length)
  const points = to < 2 ? null : differenceOf(scored[0]?.score ?? null, scored[to - 1]?.score ?? null)
  return {
    reach: points === null ? null : { to, points: Math.abs(points) },
    median: medianOf(scored.map(({ score }) => score ?? 0)),
    closest: closestOf(scored),
  }
}

function medianOf(scores: readonly number[]): number | null {
  if (scores.length < 3) return null
  const sorted = scores.toSorted((a, b) => a - b)
  const [low, high] = [
    sorted[Math.floor((sorted.length - 1) / 2)],
    sorted[Math.ceil((sorted.length - 1) / 2)],
  ]
  return low === undefined || high === undefined ? null : low + (high - low) / 2
}

function closestOf(rows: readonly Standing[]): Spread["closest"] {
  let closest: Spread["closest"] = null
  for (const [at, behind] of rows.entries()) {
    const ahead = rows[at - 1]
    const gap = ahead === undefined ? null : differenceOf(behind.score, ahead.score)
    if (ahead === undefined || gap === null || gap === 0) continue
    if (closest === null || Math.abs(gap) < closest.apart) closest = { ahead, behind, apart: Math.abs(gap) }
  }
  return closest
}
