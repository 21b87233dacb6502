import type { Reversal } from "../../../../contract/job.ts"

/** What a reversal would do as chosen. */
export interface ReversePlan {
  /** Awards that are taken back: a request each. */
  readonly rows: number
  /** Members who lose points. */
  readonly members: number
  /** Points that are taken back. */
  readonly points: number
  /** Numbers of the rows that are left out. */
  readonly leaveOut: readonly number[]
}

/**
 * What taking a job back does when members who no longer have the points are left out, or not
 * (docs/decisions/0002-money.md, Reverse a batch).
 */
export function reversePlan(reversal: Reversal, leaveOutShort: boolean): ReversePlan {
  if (!leaveOutShort) {
    return { rows: reversal.rows, members: reversal.members, points: reversal.points, leaveOut: [] }
  }
  const { short } = reversal
  const leaveOut = short.flatMap(({ rows }) => rows)
  return {
    rows: reversal.rows - leaveOut.length,
    members: reversal.members - short.length,
    points: reversal.points - short.reduce((sum, { points }) => sum + points, 0),
    leaveOut,
  }
}
