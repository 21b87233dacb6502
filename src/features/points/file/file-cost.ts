import type { AwardMode } from "../../../../contract/job.ts"
import type { SheetState } from "../../../import/session/sheet-state.ts"
import type { PointsAct } from "../points-search.ts"
import { bulkRequests, resolveRequests } from "../send-cost.ts"

/** What sending the rows takes in requests. */
export interface FileCost {
  /** Each way, finding members by e-mail included. Deductions go singly whatever is chosen. */
  readonly requests: Readonly<Record<AwardMode, number>>
  /** Of those, for finding members by e-mail. */
  readonly resolving: number
}

/**
 * Requests the rows take.
 * @param total members there are; undefined where nobody counted them
 */
export function fileCost(
  kind: PointsAct,
  { included, people }: Pick<SheetState, "included" | "people">,
  total: number | undefined,
): FileCost {
  const resolving = resolveRequests(people.byEmail, total)
  const single = included + resolving
  return {
    resolving,
    requests: {
      single,
      bulk: kind === "award" ? bulkRequests(included, people.mostRows) + resolving : single,
    },
  }
}
