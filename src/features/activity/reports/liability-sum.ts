import type { Member } from "../../../../contract/program/member.ts"
import type { EveryRow } from "../../../api/paging.ts"

/** What members hold between them. */
export interface LiabilitySum {
  /** Points; an overdrawn balance counts against the others, as it does in the program's books. */
  readonly points: number
  readonly members: number
  /** Members whose balance did not come: they are not in the sum. */
  readonly unknown: number
}

/** Sums the balances of members as they were read. */
export function liabilityOf({ rows }: EveryRow<Member>): LiabilitySum {
  let points = 0
  let unknown = 0
  for (const { points_balance: balance } of rows) {
    if (typeof balance === "number") points += balance
    else unknown += 1
  }
  return { points, members: rows.length, unknown }
}
