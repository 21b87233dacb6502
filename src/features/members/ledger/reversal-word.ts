import type { LedgerOrigin } from "../../../../contract/job-rows.ts"

/**
 * How far the reversal of a ledger entry is; undefined without one. Only awards are reversed, by deductions: the award that
 * follows a merge or a cancelled order is none.
 */
export function reversalWord(origin: LedgerOrigin | undefined): string | undefined {
  if (origin?.job.kind === "deduct" && origin.reverses !== undefined) return "Reversal"
  const state = origin?.job.kind === "award" ? origin.reversed_by?.state : undefined
  if (state === undefined) return undefined
  if (state === "confirmed") return "Reversed"
  return state === "planned" || state === "sent" || state === "unknown"
    ? "Being reversed"
    : "Reversal not done"
}
