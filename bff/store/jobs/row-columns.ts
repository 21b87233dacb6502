import type { Selectable } from "kysely"
import { jobIdOf, jobNumberOf } from "../../../core/job-data/job-number.ts"
import { rowRecord } from "../../../core/job-data/record-schemas.ts"
import { searchTextOf } from "../../../core/job-data/row-search.ts"
import type { RowRecord } from "../../../core/jobs/job-store.ts"
import type { JobRowTable } from "../job-schema.ts"
import { wholeMs, type SqlType } from "../recordset.ts"

/** Columns of a row that never change, with their types in SQL. */
export const rowKeys = { job: "bigint", row: "bigint" } as const

/** Columns of a row that may change. */
export const rowValues = {
  state: "text",
  input: "text",
  member_id: "text",
  email: "text",
  label: "text",
  search: "text",
  points: "bigint",
  reason: "text",
  reverses_job: "bigint",
  reverses_row: "bigint",
  ordinal: "bigint",
  attempts: "bigint",
  edits: "bigint",
  owner: "text",
  lease_until: "bigint",
  first_sent_at: "bigint",
  sent_at: "bigint",
  ended_at: "bigint",
  ended_how: "text",
  body_hash: "text",
  request: "text",
  singly: "bigint",
  doubtful: "bigint",
  resends: "bigint",
  next_at: "bigint",
  looks: "text",
  outcome_code: "text",
  outcome_message: "text",
  upstream_id: "text",
  confirmed_at: "bigint",
  balance_after: "double precision",
  decision: "text",
  work: "text",
  closed_at: "bigint",
  line: "bigint",
  effect: "text",
  effect_without_reference: "text",
  is_repeat: "bigint",
} as const satisfies Readonly<Record<Exclude<keyof JobRowTable, "job" | "row">, SqlType>>

type ValueName = keyof typeof rowValues
/** Names of the columns that may change. */
export const valueNames = Object.keys(rowValues) as ValueName[]

/** A row as the table keeps it. */
export function columnsOf(row: RowRecord, closedAt: number | null): Selectable<JobRowTable> {
  return {
    job: jobNumberOf(row.jobId) ?? 0,
    row: row.row,
    state: row.state,
    input: JSON.stringify(row.input),
    member_id: row.memberId,
    email: row.email,
    label: row.label,
    search: searchTextOf(row),
    points: row.points,
    reason: row.reason,
    reverses_job: row.reverses === null ? null : (jobNumberOf(row.reverses.job) ?? 0),
    reverses_row: row.reverses === null ? null : row.reverses.row,
    ordinal: row.ordinal,
    attempts: row.attempts,
    edits: row.edits,
    owner: row.owner,
    lease_until: timeOf(row.leaseUntil),
    first_sent_at: timeOf(row.firstSentAt),
    sent_at: timeOf(row.sentAt),
    ended_at: timeOf(row.endedAt),
    ended_how: row.endedHow,
    body_hash: row.bodyHash,
    request: row.request,
    singly: row.singly ? 1 : 0,
    doubtful: row.doubtful ? 1 : 0,
    resends: row.resends,
    next_at: timeOf(row.nextAt),
    looks: JSON.stringify(row.looks.map(wholeMs)),
    outcome_code: row.outcome === null ? null : row.outcome.code,
    outcome_message: row.outcome === null ? null : row.outcome.message,
    upstream_id: row.upstreamId,
    confirmed_at: timeOf(row.confirmedAt),
    balance_after: row.balanceAfter,
    decision: jsonOf(row.decision),
    work: jsonOf(row.work),
    closed_at: timeOf(closedAt),
    line: row.line,
    effect: row.effect,
    effect_without_reference: row.effectWithoutReference,
    is_repeat: row.repeat ? 1 : 0,
  }
}

/** A row as it is kept. */
export function rowOf(columns: Selectable<JobRowTable>): RowRecord {
  return rowRecord.parse({
    jobId: jobIdOf(columns.job),
    row: columns.row,
    input: JSON.parse(columns.input),
    memberId: columns.member_id,
    email: columns.email,
    label: columns.label,
    points: columns.points,
    reason: columns.reason,
    reverses:
      columns.reverses_job === null
        ? null
        : { job: jobIdOf(columns.reverses_job), row: columns.reverses_row },
    state: columns.state,
    ordinal: columns.ordinal,
    attempts: columns.attempts,
    edits: columns.edits,
    owner: columns.owner,
    leaseUntil: columns.lease_until,
    firstSentAt: columns.first_sent_at,
    sentAt: columns.sent_at,
    endedAt: columns.ended_at,
    endedHow: columns.ended_how,
    bodyHash: columns.body_hash,
    request: columns.request,
    singly: columns.singly === 1,
    doubtful: columns.doubtful === 1,
    resends: columns.resends,
    nextAt: columns.next_at,
    looks: JSON.parse(columns.looks),
    outcome:
      columns.outcome_code === null ? null : { code: columns.outcome_code, message: columns.outcome_message },
    upstreamId: columns.upstream_id,
    confirmedAt: columns.confirmed_at,
    balanceAfter: columns.balance_after,
    decision: parsed(columns.decision),
    work: parsed(columns.work),
    line: columns.line,
    effect: columns.effect,
    effectWithoutReference: columns.effect_without_reference,
    repeat: columns.is_repeat === 1,
  })
}

function timeOf(at: number | null): number | null {
  return at === null ? null : wholeMs(at)
}

function jsonOf(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value)
}

function parsed(json: string | null): unknown {
  return json === null ? null : JSON.parse(json)
}
