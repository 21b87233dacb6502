import type { LedgerOrigin } from "../../../../contract/job-rows.ts"

/** How far the reversal of a ledger entry is; undefined without one. */
export function reversalWord(origin: LedgerOrigin | undefined): string | undefined {
  const state = origin?.reversed_by?.state
  if (state === undefined) return origin?.reverses === undefined ? undefined : "Reversal"
  if (state === "confirmed") return "Reversed"
  return state === "planned" || state === "sent" || state === "unknown"
    ? "Being reversed"
    : "Reversal not done"
}
