import type { JobKind } from "../../../contract/job.ts"
import { type JobRow, orderConflict, type RowEvidence } from "../../../contract/job-rows.ts"
import { redactCandidate, redactRow } from "../../../contract/redaction.ts"
import { can, type Role } from "../../../contract/roles.ts"
import { giftcardWorkOf } from "../../jobs/kinds/giftcard-work.ts"
import { answeredWell } from "../../jobs/job-kind.ts"
import type { RowRecord } from "../../jobs/job-store.ts"
import type { Evidence } from "../../jobs/jobs.ts"
import { isoTimeOrNull } from "./job-view.ts"

/** A row as `role` may see it. */
export function rowView(kind: JobKind, row: RowRecord, role: Role): JobRow {
  const label = row.label ?? row.email
  return redactRow(kind, role, {
    row: row.row,
    ...(row.line !== null && { line: row.line }),
    state: row.state,
    input: row.input,
    outcome: row.outcome,
    upstream_id: row.upstreamId,
    attempts: row.attempts,
    ...(row.state === "planned" && { can_edit: !row.doubtful }),
    ...(row.decision !== null && { decision: row.decision }),
    ...conflictOf(kind, row),
    ...takenByOf(kind, row),
    member: row.memberId === null && label === null ? null : { id: row.memberId, label },
    sent_at: isoTimeOrNull(row.sentAt),
    ended_at: isoTimeOrNull(row.endedAt),
    // A confirmed row may be read again too: that is the engine's matter.
    ...(row.state === "confirmed" && { known_by: row.endedHow === answeredWell ? "answer" : "look" }),
    next_look_at: row.state === "unknown" ? isoTimeOrNull(row.nextAt) : null,
    balance_after: row.balanceAfter,
  })
}

/** What stands against what in an order that somebody else changed; its three fields are nobody's secret. */
function conflictOf(kind: JobKind, { state, work }: RowRecord): Pick<JobRow, "conflict"> {
  if (kind !== "order-update" || state !== "conflict") return {}
  const sides = orderConflict.safeParse({
    before: work?.["before"],
    theirs: work?.["theirs"],
    yours: work?.["yours"],
    ...(work?.["changed_by"] != null && { changed_by: work["changed_by"] }),
  })
  return sides.success ? { conflict: sides.data } : {}
}

function takenByOf(kind: JobKind, row: RowRecord): Pick<JobRow, "taken_by"> {
  if (kind !== "giftcard" || (row.state !== "failed" && row.state !== "conflict")) return {}
  const { takenBy } = giftcardWorkOf(row)
  return takenBy === undefined ? {} : { taken_by: takenBy }
}

/** Everything needed to decide a row, as `role` may see it. */
export function evidenceView(kind: JobKind, evidence: Evidence, role: Role): RowEvidence {
  return {
    ...evidence,
    row: rowView(kind, evidence.row, role),
    balance: can(role, "ledger.read") ? evidence.balance : null,
    candidates: evidence.candidates.map((one) => redactCandidate(kind, role, one)),
  }
}
