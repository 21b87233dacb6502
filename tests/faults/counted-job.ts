import type { Job, JobState, RowState } from "../../contract/job.ts"
import type { JobKind } from "../../contract/job-kinds.ts"
import type { JobRow, RowDecision } from "../../contract/job-rows.ts"
import type { JobRecord, RowRecord } from "../../core/jobs/job-store.ts"

/** The fields of a row that the counting needs. */
export interface CountedRow {
  readonly row: number
  readonly state: RowState
  /** Ordinal among the job's rows of the same member, from 1; undefined if unknown. */
  readonly ordinal: number | undefined
  readonly memberId: string | undefined
  /** In lower case. */
  readonly email: string | undefined
  /** Signed; undefined for kinds without points. */
  readonly points: number | undefined
  readonly reason: string | undefined
  readonly upstreamId: string | undefined
  /** Outcome code. */
  readonly code: string | undefined
  /** A person's decision. */
  readonly decision: RowDecision["decision"] | undefined
}

/** A job with all its rows, as Laurel reports it. */
export interface CountedJob {
  readonly id: string
  readonly kind: JobKind
  readonly state: JobState
  readonly batchCode: string
  readonly rows: readonly CountedRow[]
}

/** A job read over HTTP. */
export function countedAnswer(job: Job, rows: readonly JobRow[]): CountedJob {
  const sign = job.kind === "deduct" ? -1 : 1
  return {
    id: job.id,
    kind: job.kind,
    state: job.state,
    batchCode: job.batch_code,
    rows: rows.map(({ row, state, input, member, upstream_id, outcome, decision }) => ({
      row,
      state,
      ordinal: undefined,
      memberId: textOf(member?.id ?? input["member_id"]),
      email: textOf(input["email"])?.toLowerCase(),
      points: typeof input["points"] === "number" ? sign * input["points"] : undefined,
      reason: textOf(input["reason"]),
      upstreamId: upstream_id ?? undefined,
      code: outcome?.code,
      decision: decision?.decision,
    })),
  }
}

/** A job read from the store. */
export function countedRecord(job: JobRecord, rows: readonly RowRecord[]): CountedJob {
  return {
    id: job.id,
    // The request of a merge is a deduction.
    kind: job.kind === "member-merge" ? "deduct" : job.kind,
    state: job.state,
    batchCode: job.batchCode,
    rows: rows.map(
      ({ row, state, ordinal, memberId, email, points, reason, upstreamId, outcome, decision }) => ({
        row,
        state,
        ordinal: ordinal ?? undefined,
        memberId: memberId ?? undefined,
        email: email ?? undefined,
        points: points ?? undefined,
        reason: reason ?? undefined,
        upstreamId: upstreamId ?? undefined,
        code: outcome?.code,
        decision: decision?.decision,
      }),
    ),
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined
}
