import type { Generated } from "kysely"
import * as z from "zod/mini"
import { auditEntry } from "../../contract/audit.ts"
import type { Note } from "../../contract/notes.ts"
import { apis, driftRow } from "../../contract/status.ts"
import { cardRecord } from "../../core/gift-cards/card-store.ts"
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
  isoTime,
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

/** Calls of one minute, lane and person. */
export const usageTable = tableOf(
  z.object({
    api: z.enum(apis),
    minute: z.number(),
    lane: z.enum(["people", "jobs"]),
    who: z.string(),
    requests: z.number(),
    refused: z.number(),
    slow: z.number(),
    trouble: z.number(),
    longestWaitMs: z.number(),
  }),
  {
    api: text("api"),
    minute: integer("minute"),
    lane: text("lane"),
    who: text("who"),
    requests: integer("requests"),
    refused: integer("refused"),
    slow: integer("slow"),
    trouble: integer("trouble"),
    longestWaitMs: integer("longest_wait_ms"),
  },
)

/** One kind of difference between responses and documents. */
export const driftTable = tableOf(driftRow, {
  api: text("api"),
  operation: text("operation"),
  field: text("field"),
  said: text("said"),
  came: text("came"),
  seen: integer("seen"),
  first_at: isoTime("first_at"),
  last_at: isoTime("last_at"),
})

/** The audit log. */
export const auditTable = tableOf(auditEntry, {
  id: text("id"),
  at: isoTime("at"),
  actor: fields({ id: text("actor_id"), name: text("actor_name"), role: text("actor_role") }),
  action: text("action"),
  area: text("area"),
  on: fields({ kind: text("on_kind"), id: text("on_id"), label: orNull(text("on_label")) }),
  outcome: text("outcome"),
  note: orNull(text("note")),
  changes: json("changes"),
  request_id: text("request_id"),
  // Null for work of the server itself.
  source: orNull(text("source")),
})

/** The register of gift cards. */
export const cardTable = tableOf(cardRecord, {
  id: text("id"),
  origin: text("origin"),
  status: orNull(text("status")),
  template: orNull(text("template")),
  amountCents: orNull(integer("amount_cents")),
  reference: orNull(text("reference")),
  ownReference: orNull(text("own_reference")),
  memberId: orNull(text("member_id")),
  email: orNull(text("email")),
  name: orNull(text("name")),
  memberCreated: orNull(flag("member_created")),
  isTest: orNull(flag("is_test")),
  issuedAt: orNull(time("issued_at")),
  expiresAt: orNull(time("expires_at")),
  job: orNull(fields({ id: jobId("job"), row: integer("row") })),
  by: fields({ id: text("by_id"), name: text("by_name") }),
  replayed: orNull(flag("replayed")),
  message: orNull(text("message")),
  lookedUpAt: orNull(time("looked_up_at")),
})

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

const { total, attention, amount, counts } = jobRecord.shape

/** What a job knows of its rows without reading them; kept with every change of a row. */
export const tallyTable = tableOf(
  z.object({
    total,
    counts,
    attention,
    amount,
    /** Confirmed rows that are read again. */
    rereads: z.number(),
    pointsTotal: z.number(),
    pointsConfirmed: z.number(),
    /** The part of the amount that was not sent. */
    amountPlanned: z.number(),
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

/** A time as the two databases return it: PostgreSQL a Date, SQLite the ISO text it was given. */
type DatabaseTime = Date | string

/** Every table of the store, the same on both databases. Times are ms since 1970 unless they say otherwise. */
export interface Database {
  /** What this store was first used for, in one row. A start that disagrees is refused. */
  readonly stamp: {
    readonly id: 1
    readonly environment: string
    readonly program_base_url: string | null
    readonly giftcard_base_url: string | null
    readonly stamped_at: number
  }
  /** One taken permit of the request budget, free again at `free_at` on the database's clock. */
  readonly budget_grant: {
    readonly api: string
    readonly free_at: number
    /** Who took it: shares of the budget are counted by this (core/budget/fair-queue.ts). */
    readonly lane: "people" | "jobs"
    readonly who: string
  }
  /** A service responded with 429: no permit until then. `for_ms` is how long that was meant to be. */
  readonly budget_block: { readonly api: string; readonly until_at: number; readonly for_ms: number }
  /** One row that is written to know whether the store can be written to. */
  readonly readiness: { readonly id: 1; readonly filler: string }
  readonly usage: ColumnsOf<typeof usageTable>
  readonly drift: ColumnsOf<typeof driftTable>
  /** `seq` is the order in which entries were added. */
  readonly audit: ColumnsOf<typeof auditTable> & { readonly seq: Generated<number> }
  /** Notes of ours on records. */
  readonly note: Note
  /** Settings documents as JSON. */
  readonly setting: { readonly name: string; readonly value: string }
  /** `search`: what is searched, in lower case. */
  readonly card: ColumnsOf<typeof cardTable> & { readonly search: string }
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
  /** People who may sign in. The sign-in library reads it too, so its shape is partly the library's. */
  readonly desk_user: {
    readonly id: string
    readonly name: string
    readonly email: string
    /** Demanded by the sign-in library; addresses are vouched for by the administrator. */
    readonly email_verified: boolean | number
    readonly image: string | null
    readonly role: string
    /** ISO 8601; null while the user may sign in. */
    readonly disabled_at: string | null
    readonly last_seen_at: number | null
    readonly created_at: DatabaseTime
    readonly updated_at: DatabaseTime
  }
  /** Open sessions. The cookie carries the token signed with a secret that is not in the database. */
  readonly desk_session: {
    readonly id: string
    readonly user_id: string
    readonly token: string
    readonly expires_at: DatabaseTime
    readonly ip_address: string | null
    readonly user_agent: string | null
    readonly created_at: DatabaseTime
    readonly updated_at: DatabaseTime
  }
  /** Password hashes, one for each user who ever set a password. */
  readonly desk_account: {
    readonly id: string
    readonly user_id: string
    readonly account_id: string
    readonly provider_id: string
    readonly password: string | null
    readonly created_at: DatabaseTime
    readonly updated_at: DatabaseTime
  }
  /** One-time links: only the SHA-256 of the token is kept. */
  readonly one_time_link: {
    readonly hash: string
    readonly purpose: "set-up" | "password"
    /** null for the set-up link. */
    readonly user_id: string | null
    readonly expires_at: number
  }
  /** Failed sign-ins as they are counted, on the database's clock. */
  readonly sign_in_attempt: {
    /** An HMAC of what is counted: an account, an address, a browser. */
    readonly key: string
    readonly failures: number
    readonly first_at: number
    readonly last_at: number
  }
}
