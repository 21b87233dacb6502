import { expect, it } from "vitest"
import type { LedgerOrigin } from "../../../../contract/job-rows.ts"
import { reversalWord } from "./reversal-word.ts"

const other = { job: "J-2", row: 1 }
const reversed_by = { ...other, state: "confirmed" } as const

const origin = (kind: LedgerOrigin["job"]["kind"], change: Partial<LedgerOrigin>): LedgerOrigin => ({
  transaction_id: "txn_1",
  job: { id: "J-1", kind, title: null },
  row: 1,
  created_by: { id: "u", name: "Jo Park" },
  can_reverse: false,
  ...change,
})

it.each<[string, LedgerOrigin, string | undefined]>([
  ["an award that was taken back", origin("award", { reversed_by }), "Reversed"],
  ["the deduction that took it back", origin("deduct", { reverses: other }), "Reversal"],
  ["the deduction of a merge, which an award follows", origin("member-merge", { reversed_by }), undefined],
  ["the award of a merge", origin("award", { reverses: other }), undefined],
])("of %s", (_, of, word) => {
  expect(reversalWord(of)).toBe(word)
})
