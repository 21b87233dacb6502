import { isReversible, isReversing } from "../../../../contract/job-kinds.ts"
import type { LedgerOrigin } from "../../../../contract/job-rows.ts"

/**
 * How far the reversal of a ledger entry is; undefined without one. The award that follows a merge or a cancelled order is
 * none.
 */
export function reversalWord(origin: LedgerOrigin | undefined): string | undefined {
  if (origin === undefined) return undefined
  const { job, reverses, reversed_by } = origin
  if (isReversing(job.kind) && reverses !== undefined) return "Reversal"
  if (!isReversible(job.kind) || reversed_by === undefined) return undefined
  const { state } = reversed_by
  if (state === "confirmed") return "Reversed"
  return state === "planned" || state === "sent" || state === "unknown"
    ? "Being reversed"
    : "Reversal not done"
}
