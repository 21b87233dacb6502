import type { Generated } from "kysely"
import * as z from "zod/mini"
import { auditEntry } from "../../contract/audit.ts"
import { cardRecord } from "../../contract/cards.ts"
import { rowStates } from "../../contract/job.ts"
import type { Note } from "../../contract/notes.ts"
import { driftRow } from "../../contract/status.ts"
import { bookDay, bookMonth, differenceRecord } from "../../core/books/book-store.ts"
import { type Claim, canaryRecord, jobRecord, rowRecord } from "../../core/jobs/job-store.ts"
import { instanceRecord, storeUse } from "../../core/jobs/process-store.ts"
import { boardSnapshot, storedName, type PermitOwner, usageRecord } from "../../core/ports.ts"
import {
  type ColumnsOf,
  each,
  fields,
  flag,
  integer,
  isoTime,
  jobId,
  jobIds,
  json,
  nullable,
  orNull,
  real,
  tableOf,
  text,
  time,
  times,
} from "./table.ts"

export const usageTable = tableOf(usageRecord, {
  ...each(text, "api", "lane", "who"),
  ...each(integer, "minute", "requests", "refused", "slow", "trouble", "longestWaitMs"),
})

export const driftTable = tableOf(driftRow, {
  ...each(text, "api", "operation", "field", "kind"),
  seen: integer("seen"),
  ...each(isoTime, "first_at", "last_at"),
})

/** The audit log; the source is null for work of the server itself. */
export const auditTable = tableOf(auditEntry, {
  at: isoTime("at"),
  actor: fields({ id: text("actor_id"), name: text("actor_name"), role: text("actor_role") }),
  on: fields({ kind: text("on_kind"), id: text("on_id"), label: nullable(text)("on_label") }),
  changes: json("changes"),
  ...each(text, "id", "action", "area", "outcome", "request_id"),
  ...each(nullable(text), "note", "source"),
})

export const snapshotTable = tableOf(boardSnapshot, {
  board: text("board"),
  at: time("at"),
  places: integer("places"),
  complete: flag("complete"),
  sent: json("sent"),
})

export const bookDayTable = tableOf(bookDay, {
  day: text("day"),
  at: time("at"),
  points: real("points"),
  ...each(integer, "members", "withoutBalance", "ledgersRead"),
})

export const bookMonthTable = tableOf(bookMonth, {
  month: text("month"),
  statement: json("statement"),
  calculatedAt: time("calculated_at"),
  closedAt: nullable(time)("closed_at"),
  closedBy: orNull(fields({ id: text("closed_by"), name: text("closed_by_name") })),
})

export const differenceTable = tableOf(differenceRecord, {
  ...each(text, "id", "class", "member", "month"),
  points: real("points"),
  firstAt: time("first_at"),
  ...each(nullable(time), "secondAt", "resolvedAt"),
  detail: json("detail"),
})

/** Whole hours since 1970. */
export const hourOf = (at: number) => Math.floor(at / 3_600_000)

export const nameTable = tableOf(storedName, {
  ...each(text, "id", "name"),
  email: nullable(text)("email"),
  at: time("at"),
})

export const cardTable = tableOf(cardRecord, {
  ...each(text, "id", "origin"),
  ...each(nullable(text), "status", "template", "reference", "own_reference", "message"),
  amount_cents: nullable(integer)("amount_cents"),
  member: fields({
    id: nullable(text)("member_id"),
    ...each(nullable(text), "email", "name"),
    created: nullable(flag)("member_created"),
  }),
  ...each(nullable(flag), "is_test", "replayed"),
  ...each(nullable(isoTime), "issued_at", "expires_at", "looked_up_at"),
  job: orNull(fields({ id: jobId("job"), row: integer("row"), line: nullable(integer)("line") })),
  by: fields({ id: text("by_id"), name: text("by_name") }),
})

/** Fields of a job that others see and that follow from its rows. */
const counted = {
  ...each(integer, "total", "attention", "amount"),
  counts: fields(each(integer, ...rowStates)),
}

const { total, attention, amount, counts } = jobRecord.shape

/**
 * What a job knows of its rows without reading them; kept with every change of a row. `rereads`: confirmed rows that
 * are read again; `amountPlanned`: the part of the amount that was not sent.
 */
export const tallyTable = tableOf(
  z.object({
    total,
    counts,
    attention,
    amount,
    rereads: z.number(),
    pointsTotal: z.number(),
    pointsConfirmed: z.number(),
    amountPlanned: z.number(),
  }),
  { ...counted, ...each(integer, "rereads", "pointsTotal", "pointsConfirmed", "amountPlanned") },
)

export const jobTable = tableOf(jobRecord, {
  ...counted,
  id: jobId("number"),
  ...each(text, "kind", "state", "batchCode", "lane"),
  ...each(nullable(text), "title", "mode"),
  ...each(flag, "prepared", "hasBatchCode", "isOpen"),
  bulkSize: integer("bulk_size"),
  createdAt: time("created_at"),
  ...each(nullable(time), "startedAt", "finishedAt", "idleSince", "closesAt"),
  idleMs: integer("idle_ms"),
  repeats: nullable(integer)("repeats"),
  reverses: nullable(jobId)("reverses"),
  reversedBy: jobIds("reversed_by"),
  linked: nullable(jobId)("linked"),
  createdBy: fields({ id: text("created_by"), name: text("created_by_name"), role: text("created_by_role") }),
  pause: orNull(fields({ code: text("pause_code"), message: text("pause_message") })),
  file: orNull(fields({ fingerprint: text("file_fingerprint"), name: text("file_name") })),
  refusal: orNull(fields({ code: text("refusal_code"), message: text("refusal_message") })),
  hold: orNull(
    fields({
      state: text("hold"),
      sign: text("held_sign"),
      at: time("held_at"),
      since: nullable(time)("held_since"),
      confirmedBefore: integer("held_confirmed"),
    }),
  ),
})

export const rowTable = tableOf(rowRecord, {
  jobId: jobId("job"),
  repeat: flag("is_repeat"),
  state: text("state"),
  ...each(integer, "row", "attempts", "edits", "resends"),
  ...each(flag, "sendAlone", "hadUnknownAttempt"),
  ...each(nullable(text), "memberId", "email", "label", "reason"),
  ...each(nullable(text), "effect", "effectWithoutReference", "purpose"),
  awaits: nullable(jobId)("awaits"),
  ...each(nullable(text), "owner", "endedHow", "bodyHash", "request", "upstreamId"),
  ...each(nullable(integer), "points", "line", "ordinal"),
  ...each(nullable(time), "leaseUntil", "firstSentAt", "sentAt", "endedAt", "nextAt", "confirmedAt"),
  balanceAfter: nullable(real)("balance_after"),
  lookupTimes: times("lookup_times"),
  input: json("input"),
  ...each(nullable(json), "decision", "notes", "correction"),
  reverses: orNull(fields({ job: jobId("reverses_job"), row: integer("reverses_row") })),
  outcome: orNull(fields({ code: text("outcome_code"), message: text("outcome_message") })),
})

export const canaryTable = tableOf(canaryRecord, {
  jobId: jobId("job"),
  ...each(integer, "row", "lookups"),
  ...each(text, "type", "memberId", "upstreamId"),
  answeredAt: time("answered_at"),
  ...each(nullable(time), "seenAt", "nextAt"),
  void: flag("void"),
  missing: flag("missing"),
})

export const instanceTable = tableOf(instanceRecord, {
  id: text("id"),
  process: json("process"),
  beatAt: time("beat_at"),
  stoppedAt: nullable(time)("stopped_at"),
})

export const useTable = tableOf(storeUse, {
  epoch: text("epoch"),
  earlier: json("earlier"),
  count: integer("count"),
  countedAt: nullable(time)("counted_at"),
  found: orNull(
    fields({ sign: text("sign"), at: time("found_at"), since: nullable(time)("since"), read: flag("read") }),
  ),
})

/** A time as the two databases return it: PostgreSQL a Date, SQLite the ISO text it was given. */
type DatabaseTime = Date | string
type Dated = Readonly<{ created_at: DatabaseTime; updated_at: DatabaseTime }>

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
  /**
   * One row while a store must not be used: it was `moved` to the database `other`, or it is the target of a move from the file `other`
   * that has not ended: `filling`, or `filled` and not yet released.
   */
  readonly store_move: {
    readonly id: string
    readonly state: "moved" | "filling" | "filled"
    readonly other: string
    readonly at: number
  }
  /** One taken permit, free again at `free_at` on the database's clock; shares of the budget are counted by who took it. */
  readonly budget_grant: PermitOwner & { readonly api: string; readonly free_at: number }
  /** A service responded with 429: no permit until then. `for_ms` is how long that was meant to be. */
  readonly budget_block: { readonly api: string; readonly until_at: number; readonly for_ms: number }
  /** One row that is written to know whether the store can be written to. */
  readonly readiness: { readonly id: 1; readonly filler: string }
  readonly usage: ColumnsOf<typeof usageTable>
  readonly drift: ColumnsOf<typeof driftTable>
  /** `seq` is the order in which entries were added. */
  readonly audit: ColumnsOf<typeof auditTable> & { readonly seq: Generated<number> }
  readonly note: Note
  readonly note_version: Note
  /** `hour`: of `at`; a board has one snapshot in each. */
  readonly leaderboard_snapshot: ColumnsOf<typeof snapshotTable> & { readonly hour: number }
  readonly book_day: ColumnsOf<typeof bookDayTable>
  /** `basis`: what a closed month was made of, by member. */
  readonly book_month: ColumnsOf<typeof bookMonthTable> & { readonly basis: string | null }
  readonly book_difference: ColumnsOf<typeof differenceTable>
  readonly member_name: ColumnsOf<typeof nameTable>
  readonly setting: { readonly name: string; readonly value: string }
  /** `search`: what is searched, in lower case. */
  readonly card: ColumnsOf<typeof cardTable> & { readonly search: string }
  /**
   * The id is `J-` and the number. `request_key`: the same request of a user (`request_by`) makes it once; `open_canaries`: watched
   * effects that have not been seen; `busy`: the engine has work; `open`: active, or it needs a person.
   */
  readonly job: Omit<ColumnsOf<typeof jobTable>, "number"> &
    ColumnsOf<typeof tallyTable> & {
      readonly number: Generated<number>
      readonly request_by: string | null
      readonly request_key: string | null
      readonly request_hash: string | null
      readonly open_canaries: number
      readonly busy: number
      readonly needs_person: number
      readonly open: number
    }
  /** `search`: member id, e-mail and label in lower case, one in each line; `closed_at`: when it was confirmed or failed. */
  readonly job_row: ColumnsOf<typeof rowTable> & {
    readonly search: string
    readonly closed_at: number | null
  }
  /** The request that added a row to an open job. A request of a user (`request_by`) adds one row. */
  readonly open_job_row: {
    readonly request_by: string
    readonly request_key: string
    readonly request_hash: string
    readonly job: number
    readonly row: number
  }
  readonly job_claim: Claim & { readonly job: number; readonly row: number }
  readonly job_canary: ColumnsOf<typeof canaryTable>
  readonly job_lease: {
    readonly job: number
    readonly owner: string
    readonly until_at: number
    readonly for_ms: number
  }
  readonly app_instance: ColumnsOf<typeof instanceTable>
  readonly store_use: ColumnsOf<typeof useTable> & { readonly id: 1 }
  /** People who may sign in; the sign-in library demands `email_verified`. `disabled_at` is ISO 8601. */
  readonly app_user: Dated & {
    readonly id: string
    readonly name: string
    readonly email: string
    readonly email_verified: boolean | number
    readonly image: string | null
    readonly role: string
    readonly disabled_at: string | null
    readonly last_seen_at: number | null
  }
  /** Open sessions. The cookie carries the token signed with a secret that is not in the database. */
  readonly app_session: Dated & {
    readonly id: string
    readonly user_id: string
    readonly token: string
    readonly expires_at: DatabaseTime
    readonly ip_address: string | null
    readonly user_agent: string | null
  }
  /** Password hashes, one for each user who ever set a password. */
  readonly app_account: Dated & {
    readonly id: string
    readonly user_id: string
    readonly account_id: string
    readonly provider_id: string
    readonly password: string | null
  }
  /** One-time links: only the SHA-256 of the token is kept; `user_id` is null for the set-up link. */
  readonly one_time_link: {
    readonly hash: string
    readonly purpose: "set-up" | "password"
    readonly user_id: string | null
    readonly expires_at: number
  }
  /** Failed sign-ins on the database's clock; the key is an HMAC of an account, an address or a browser. */
  readonly sign_in_attempt: {
    readonly key: string
    readonly failures: number
    readonly first_at: number
    readonly last_at: number
  }
}
