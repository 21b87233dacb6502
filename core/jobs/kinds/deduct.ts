import { deductRow } from "../../../contract/job-rows.ts"
import { readBody } from "../../body.ts"
import { rowEffect } from "../../job-data/row-effect.ts"
import type { KindRules } from "../job-kind.ts"
import { codeOf, markedReason, plainReason } from "../marks.ts"
import { lookInLedger, readBooked } from "./ledger.ts"
import { memberOf, prepareMembers } from "./prepare-members.ts"

/**
 * Manual deductions (docs/api/program.md, Points, rule 1). They have no reference, so their reason always ends in the
 * batch code, and one that is proven absent is never sent again by itself.
 */
export const deduct: KindRules = {
  kind: "deduct",
  api: "program",
  hasPoints: true,
  newRow(raw) {
    const { member_id, email, ...input } = readBody(raw, deductRow)
    const whom = memberOf({ member_id, email })
    return {
      input: { ...whom, ...input },
      memberId: whom.member_id ?? null,
      email: whom.email?.toLowerCase() ?? null,
      label: null,
      points: -input.points,
      reason: input.reason,
      reverses: null,
      effect: rowEffect("deduct", input.points, `reason ${plainReason(input.reason)}`),
    }
  },
  prepare: prepareMembers,
  preparesHeld: true,
  effect: (job, row) => ({
    operation: "POST /points/deduct",
    api: "program",
    method: "POST",
    path: "/points/deduct",
    body: {
      member_id: row.memberId,
      points: Math.abs(row.points ?? 0),
      reason: markedReason(row.reason ?? "", codeOf(job, row)),
    },
  }),
  read: (data, row) => readBooked(data, row, undefined, -1),
  claimScope: "program:transaction",
  look: lookInLedger,
  absence: "control",
  resends: 0,
  tells: ["members"],
  invalidates: (row) => ({ gone: [`member:${row.memberId}`], old: ["members"] }),
}
