import { deductRow } from "../../../contract/job-rows.ts"
import { readBody } from "../../validation.ts"
import { rowEffect } from "../../job-data/row-effect.ts"
import type { KindRules } from "../job-kind.ts"
import { reasonWithCode, reasonWithoutCode, tagCode } from "../correlation-tags.ts"
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
      effect: rowEffect("deduct", input.points, `reason ${reasonWithoutCode(input.reason)}`),
    }
  },
  prepare: prepareMembers,
  preparesWhileHeld: true,
  request: (job, row) => ({
    operation: "POST /points/deduct",
    api: "program",
    method: "POST",
    path: "/points/deduct",
    body: {
      member_id: row.memberId,
      points: Math.abs(row.points ?? 0),
      reason: reasonWithCode(row.reason ?? "", tagCode(job, row)),
    },
  }),
  readResponse: (data, row) => readBooked(data, row, undefined, -1),
  claimScope: "program:transaction",
  lookup: lookInLedger,
  absence: "control",
  resends: 0,
  topics: ["members"],
  invalidates: (row) => ({ gone: [`member:${row.memberId}`], old: ["members"] }),
}
