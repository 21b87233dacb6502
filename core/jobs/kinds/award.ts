import { awardRow, type AwardRow } from "../../../contract/job-rows.ts"
import { readBody } from "../../validation.ts"
import { rowEffect } from "../../job-data/row-effect.ts"
import type { KindRules, RowRequest } from "../job-kind.ts"
import type { JobRecord, RowRecord } from "../job-store.ts"
import { reasonWithCode, reasonWithoutCode, tagCode, tagForm, tagReference } from "../correlation-tags.ts"
import { lookInLedger, markKey, readBooked } from "./ledger.ts"
import { memberOf, prepareMembers } from "./prepare-members.ts"

/** Awards of points, singly or in bulk (docs/api/program.md, Points). */
export const award: KindRules = {
  kind: "award",
  api: "program",
  hasPoints: true,
  newRow(raw) {
    const { member_id, email, ...input } = readBody(raw, awardRow)
    const whom = memberOf({ member_id, email })
    const byReason = rowEffect("award", input.points, `reason ${reasonWithoutCode(input.reason)}`)
    return {
      input: { ...whom, ...input },
      memberId: whom.member_id ?? null,
      email: whom.email?.toLowerCase() ?? null,
      label: null,
      points: input.points,
      reason: input.reason,
      reverses: null,
      effect:
        input.reference === undefined
          ? byReason
          : rowEffect("award", input.points, `reference ${input.reference}`),
      effectWithoutReference: input.reference === undefined ? null : byReason,
    }
  },
  prepare: prepareMembers,
  preparesWhileHeld: true,
  request: awardEffect,
  readResponse: (data, row, sent) => readBooked(data, row, awardRowOf(sent.body).reference, 1),
  claimScope: "program:transaction",
  lookup: lookInLedger,
  absence: "control",
  // More than that, and something is wrong that a person should see.
  resends: 3,
  topics: ["members"],
  invalidates: (row) => ({ gone: [`member:${row.memberId}`], old: ["members"] }),
}

interface AwardSent {
  readonly reference?: string
}

function awardRowOf(body: unknown): AwardSent {
  return typeof body === "object" &&
    body !== null &&
    "reference" in body &&
    typeof body.reference === "string"
    ? { reference: body.reference }
    : {}
}

function awardEffect(job: JobRecord, row: RowRecord): RowRequest {
  const input = readBody(row.input, awardRow)
  return {
    operation: "POST /points/award",
    api: "program",
    method: "POST",
    path: "/points/award",
    body: { member_id: row.memberId, points: input.points, ...marked(job, row, input) },
  }
}

/** Reason, reference and metadata with the row's mark in its form. */
function marked(job: JobRecord, row: RowRecord, input: AwardRow) {
  const own = tagReference(job, row)
  const { reference, metadata } = input
  switch (tagForm(job, row)) {
    case "award:metadata":
      return { reason: input.reason, reference, metadata: { ...metadata, [markKey]: own } }
    case "award:reason":
      return {
        reason: bulkReason(job, row),
        reference: reference ?? own,
        ...(metadata !== undefined && { metadata }),
      }
    default:
      return { reason: input.reason, reference: own, ...(metadata !== undefined && { metadata }) }
  }
}

/** The reason of a row in a bulk request: it ends in the batch code, unless an administrator switched that off. */
export function bulkReason(job: JobRecord, row: RowRecord): string {
  const reason = row.reason ?? ""
  return job.marked ? reasonWithCode(reason, tagCode(job, row)) : reason
}
