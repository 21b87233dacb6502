import type { Generated } from "kysely"
import * as z from "zod/mini"
import {
  controlRecord,
  instanceRecord,
  jobRecord,
  rowRecord,
  storeUse,
} from "../../core/jobs/record-schemas.ts"
import {
  type ColumnsOf,
  fields,
  flag,
  integer,
  jobId,
  jobIds,
  json,
  orNull,
  real,
  tableOf,
  text,
  time,
  times,
} from "./table.ts"

/** Fields of a job that others see and that follow from its rows. */
const counted = {
  total: integer("total"),
  attention: integer("attention"),
  amount: integer("amount"),
  counts: fields({
    planned: integer("planned"),
    sent: integer("sent"),
    confirmed: integer("confirmed"),
    failed: integer("failed"),
    unknown: integer("unknown"),
    absent: integer("absent"),
    conflict: integer("conflict"),
    excluded: integer("excluded"),
  }),
}

const number = z.number()
const { total, attention, amount, counts } = jobRecord.shape

/** What a job knows of its rows without reading them; kept with every change of a row. */
export const tallyTable = tableOf(
  z.object({
    total,
    counts,
    attention,
    amount,
    /** Confirmed rows that are read again. */
    rereads: number,
    pointsTotal: number,
    pointsConfirmed: number,
    /** The part of the amount that was not sent. */
    amountPlanned: number,
  }),
  {
    ...counted,
    rereads: integer("rereads"),
    pointsTotal: integer("points_total"),
    pointsConfirmed: integer("points_confirmed"),
    amountPlanned: integer("amount_planned"),
  },
)

/** Jobs. */
export const jobTable = tableOf(jobRecord, {
  ...counted,
  id: jobId("number"),
  kind: text("kind"),
  title: orNull(text("title")),
  state: text("state"),
  pause: orNull(fields({ code: text("pause_code"), message: text("pause_message") })),
  prepared: flag("prepared"),
  batchCode: text("batch_code"),
  createdAt: time("created_at"),
  createdBy: fields({
    id: text("created_by"),
    name: text("created_by_name"),
    role: text("created_by_role"),
  }),
  startedAt: orNull(time("started_at")),
  finishedAt: orNull(time("finished_at")),
  mode: orNull(text("mode")),
  bulkSize: integer("bulk_size"),
  lane: text("lane"),
  marked: flag("marked"),
  file: orNull(fields({ fingerprint: text("file_fingerprint"), name: text("file_name") })),
  repeats: orNull(integer("repeats")),
  reverses: orNull(jobId("reverses")),
  reversedBy: jobIds("reversed_by"),
  hold: orNull(
    fields({
      state: text("hold"),
      sign: text("held_sign"),
      at: time("held_at"),
      since: orNull(time("held_since")),
      confirmedBefore: integer("held_confirmed"),
    }),
  ),
})

/** Rows of jobs. */
export const rowTable = tableOf(rowRecord, {
  jobId: jobId("job"),
  row: integer("row"),
  input: json("input"),
  memberId: orNull(text("member_id")),
  email: orNull(text("email")),
  label: orNull(text("label")),
  points: orNull(integer("points")),
  reason: orNull(text("reason")),
  reverses: orNull(fields({ job: jobId("reverses_job"), row: integer("reverses_row") })),
  effect: orNull(text("effect")),
  effectWithoutReference: orNull(text("effect_without_reference")),
  line: orNull(integer("line")),
  repeat: flag("is_repeat"),
  state: text("state"),
  ordinal: orNull(integer("ordinal")),
  attempts: integer("attempts"),
  edits: integer("edits"),
  owner: orNull(text("owner")),
  leaseUntil: orNull(time("lease_until")),
  firstSentAt: orNull(time("first_sent_at")),
  sentAt: orNull(time("sent_at")),
  endedAt: orNull(time("ended_at")),
  endedHow: orNull(text("ended_how")),
  bodyHash: orNull(text("body_hash")),
  request: orNull(text("request")),
  singly: flag("singly"),
  doubtful: flag("doubtful"),
  resends: integer("resends"),
  nextAt: orNull(time("next_at")),
  looks: times("looks"),
  outcome: orNull(fields({ code: text("outcome_code"), message: text("outcome_message") })),
  upstreamId: orNull(text("upstream_id")),
  confirmedAt: orNull(time("confirmed_at")),
  balanceAfter: orNull(real("balance_after")),
  decision: orNull(json("decision")),
  work: orNull(json("work")),
})

/** Effects whose appearance in the history is watched. */
export const controlTable = tableOf(controlRecord, {
  jobId: jobId("job"),
  row: integer("row"),
  type: text("type"),
  memberId: text("member_id"),
  upstreamId: text("upstream_id"),
  answeredAt: time("answered_at"),
  seenAt: orNull(time("seen_at")),
  nextAt: orNull(time("next_at")),
  looks: integer("looks"),
  void: flag("void"),
})

/** Running processes. */
export const instanceTable = tableOf(instanceRecord, {
  id: text("id"),
  process: json("process"),
  beatAt: time("beat_at"),
  stoppedAt: orNull(time("stopped_at")),
})

/** How far the store has got: one line. */
export const useTable = tableOf(storeUse, {
  epoch: text("epoch"),
  earlier: json("earlier"),
  count: integer("count"),
  countedAt: orNull(time("counted_at")),
  found: orNull(
    fields({
      sign: text("sign"),
      at: time("found_at"),
      since: orNull(time("since")),
      read: flag("read"),
    }),
  ),
})

/** The tables of jobs. */
export interface JobTables {
  readonly job: Omit<ColumnsOf<typeof jobTable>, "number"> &
    ColumnsOf<typeof tallyTable> & {
      /** The id is `J-` and this. */
      readonly number: Generated<number>
      /** The request that made it, so that the same request makes it once; UNIQUE for each user. */
      readonly request_key: string | null
      readonly request_hash: string | null
      /** Watched effects that have not been seen yet. */
      readonly open_controls: number
      /** The engine has something to do. */
      readonly busy: number
      readonly needs_person: number
      /** Active, or it needs somebody. */
      readonly open: number
    }
  readonly job_row: ColumnsOf<typeof rowTable> & {
    /** Member id, e-mail and label in lower case, one in each line. */
    readonly search: string
    /** When the row came to its end, confirmed or failed. */
    readonly closed_at: number | null
  }
  /** One thing that belongs to one row. */
  readonly job_claim: {
    readonly scope: string
    readonly key: string
    readonly job: number
    readonly row: number
  }
  readonly job_control: ColumnsOf<typeof controlTable>
  /** Who may work on a job, and until when. */
  readonly job_lease: {
    readonly job: number
    readonly owner: string
    readonly until_at: number
    readonly for_ms: number
  }
  readonly desk_instance: ColumnsOf<typeof instanceTable>
  readonly store_use: ColumnsOf<typeof useTable> & { readonly id: 1 }
}
