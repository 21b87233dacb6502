import * as z from "zod/mini"
import type { AuditEntry } from "../../contract/audit.ts"
import { rowDecision } from "../../contract/job-rows.ts"
import {
  awardModes,
  jobFile,
  jobPause,
  type JobState,
  jobStates,
  type RowState,
  rowStates,
} from "../../contract/job.ts"
import { type JobKind, jobKinds } from "../../contract/job-kinds.ts"
import { restoreSigns } from "../../contract/events.ts"
import type { JobReports } from "../reports/report-store.ts"

// The stored records of jobs and the store's interface. Times are ms since 1970 on the store's clock.

const time = z.nullable(z.number())
const text = z.nullable(z.string())
const number = z.nullable(z.number())
const object = z.readonly(z.record(z.string(), z.unknown()))

/** The hold of a job after a restore (docs/restore.md). */
const jobHold = z.object({
  /** `looking`: open rows are looked up; `ready`: waits for a person; `released`: continued by a person. */
  state: z.enum(["looking", "ready", "released"]),
  sign: z.enum(restoreSigns),
  /** When the restore was detected: no row of the job was sent later. */
  at: z.number(),
  /** When the restored store was last known to be complete; null: unknown. */
  since: time,
  /** Confirmed rows at the start of the hold. */
  confirmedBefore: z.number(),
})
export type JobHold = Readonly<z.output<typeof jobHold>>

/** A job without its sums of points, which depend on its kind. */
export const jobRecord = z.object({
  id: z.string(),
  kind: z.enum(jobKinds),
  title: text,
  state: z.enum(jobStates),
  pause: z.nullable(jobPause),
  /** All rows have their member and correlation tag: sending may begin. */
  prepared: z.boolean(),
  total: z.number(),
  counts: z.record(z.enum(rowStates), z.number()),
  /** Undecided absent and conflict rows. */
  attention: z.number(),
  /** UNIQUE: tags the job's effects in the service's records. */
  batchCode: z.string(),
  createdAt: z.number(),
  /** A copy, so that the name outlives the user. */
  createdBy: z.object({ id: z.string(), name: z.string(), role: z.string() }),
  startedAt: time,
  finishedAt: time,
  /** Start of the current pause, or the end of the job; null while it runs. */
  idleSince: time,
  /** Earlier pauses since the start, in ms, without the one from `idleSince`. */
  idleMs: z.number(),
  mode: z.nullable(z.enum(awardModes)),
  /** Maximum awards in one bulk request; halved when the service refuses a size. */
  bulkSize: z.number(),
  lane: z.enum(["people", "jobs"]),
  /** Whether the reasons of bulk awards end in the batch code; if not, only a person can settle an unknown award. */
  hasBatchCode: z.boolean(),
  file: z.nullable(jobFile),
  /** Repeated rows that a person included at the start; null: rows are not compared. */
  repeats: number,
  /** Total of the rows that did not fail, in points or cents. */
  amount: z.number(),
  reverses: text,
  reversedBy: z.readonly(z.array(z.string())),
  /** The other job of a correction: its awards and its deductions are two linked jobs. */
  linked: text,
  hold: z.nullable(jobHold),
  /** The service's last refusal of a whole bulk request. */
  refusal: z.nullable(z.object({ code: z.string(), message: z.string() })),
  /** Latest end of an open job of the ship desk; null: all rows were there from the start. */
  closesAt: time,
  /** Rows can be added, and it does not end. A person has at most one open job. */
  isOpen: z.boolean(),
})

/** A stored job. */
export interface JobRecord extends Readonly<z.output<typeof jobRecord>> {
  /** Sums of `points` of the rows; null for kinds without points. */
  readonly points: { readonly total: number; readonly confirmed: number } | null
}

type GivenOfJob =
  | ("kind" | "title" | "state" | "createdBy" | "mode" | "bulkSize")
  | ("lane" | "hasBatchCode" | "file" | "reverses")

/** A job to create. The store assigns its id and an unused batch code. */
export interface NewJob extends Pick<JobRecord, GivenOfJob> {
  /** The creating request, for idempotency; UNIQUE per user. */
  readonly request: { readonly key: string; readonly bodyHash: string } | null
  /** Adds the row to the maker's open job, or opens this one. */
  readonly closesAt?: number | null
}

/** A job created in the same transaction as another one; each has the other's id in `linked`. */
export type LinkedJob = Readonly<{ job: NewJob; rows: readonly NewRow[]; audit?: EntryBuilder | undefined }>

/** The fields of a new row without a member or points. */
export const blankRow = {
  memberId: null,
  email: null,
  label: null,
  points: null,
  reason: null,
  reverses: null,
} as const

/** A row that awards or deducts the difference to earlier awards (docs/jobs.md). */
const rowCorrection = z.object({
  /** As typed; deductions are sent without one. */
  reference: text,
  /** Total of the earlier rows; the row is void if that total has changed when it is sent. */
  net: z.number(),
  /** As in the file. */
  points: z.number(),
  /** The newest earlier job; null without one. */
  job: text,
})
export type RowCorrection = z.output<typeof rowCorrection>

/** A row. Defaults apply to new rows. */
export const rowRecord = z.object({
  jobId: z.string(),
  row: z.number(),
  /** The requested input, validated by the kind's schema. */
  input: object,
  memberId: text,
  /** In lower case; null when the member is given by id. */
  email: text,
  label: text,
  /** Signed. */
  points: number,
  reason: text,
  /** The row of the reversed job that this one takes back; UNIQUE. */
  reverses: z.nullable(z.object({ job: z.string(), row: z.number() })),
  /** Key of the effect without its member (`rowEffect`); null: never compared with other rows. */
  effect: z._default(text, null),
  /** `effect` without the row's reference, for comparison with rows that have none; null without a reference. */
  effectWithoutReference: z._default(text, null),
  /** Key of an award's reference or reason (`rowPurpose`), also for deductions that correct an award. */
  purpose: z._default(text, null),
  correction: z._default(z.nullable(rowCorrection), null),
  /** The reversal of the award that this row replaces; the row waits until it is done. */
  awaits: z._default(text, null),
  line: z._default(number, null),
  /** A person included it although it repeats an earlier row. */
  repeat: z._default(z.boolean(), false),
  state: z.enum(rowStates),
  /** 1, 2, … among the job's rows of one member, for unique correlation tags; null before preparation. */
  ordinal: z._default(number, null),
  attempts: z._default(z.number(), 0),
  /** Count of edits, retries and decisions by people; a change based on an earlier read is stale. */
  edits: z._default(z.number(), 0),
  owner: z._default(text, null),
  /** Latest time at which that attempt's call may run. */
  leaseUntil: z._default(time, null),
  firstSentAt: z._default(time, null),
  sentAt: z._default(time, null),
  /** When the last call ended or its process was proven dead; null while neither is known. */
  endedAt: z._default(time, null),
  endedHow: z._default(text, null),
  bodyHash: z._default(text, null),
  /** The bulk request that contained it. */
  request: z._default(text, null),
  sendAlone: z._default(z.boolean(), false),
  /** An attempt ended unknown: a refusal alone no longer proves that nothing was done. */
  hadUnknownAttempt: z._default(z.boolean(), false),
  resends: z._default(z.number(), 0),
  /** When a planned row is sent at the earliest, an unknown one looked up, or a resent confirmed one rechecked. */
  nextAt: z._default(time, null),
  /** Times of lookups, latest attempt only, at most the last 20. */
  lookupTimes: z._default(z.readonly(z.array(z.number())), []),
  outcome: z._default(z.nullable(z.object({ code: z.string(), message: z.string() })), null),
  upstreamId: z._default(text, null),
  confirmedAt: z._default(time, null),
  balanceAfter: z._default(number, null),
  decision: z._default(z.nullable(rowDecision), null),
  notes: z._default(z.nullable(object), null),
})
/** A stored row. */
export type RowRecord = Readonly<z.output<typeof rowRecord>>

/** A row to create. */
export interface NewRow
  extends
    Pick<RowRecord, "input" | keyof typeof blankRow>,
    Partial<
      Pick<RowRecord, "effect" | "effectWithoutReference" | "purpose" | "correction" | "repeat" | "line">
    > {
  /** Why it is never sent: stored in state `excluded`. */
  readonly excluded?: { readonly code: string; readonly message: string }
}

/** An own effect whose appearance in the history is watched: it proves that lookups find recent entries. */
export const canaryRecord = z.object({
  jobId: z.string(),
  row: z.number(),
  /** Form of its tag, such as `award:reference`; effects of one form appear in the history the same way. */
  type: z.string(),
  memberId: z.string(),
  upstreamId: z.string(),
  answeredAt: z.number(),
  seenAt: time,
  nextAt: time,
  lookups: z.number(),
  /** It proves nothing, for example because the member was deleted. */
  void: z.boolean(),
  missing: z.boolean(),
})
export type CanaryRecord = Readonly<z.output<typeof canaryRecord>>
/** What a lookup of a canary may change. */
export type CanaryChange = Partial<Pick<CanaryRecord, "seenAt" | "nextAt" | "lookups" | "void" | "missing">>

/** A row to compare with earlier ones. */
export type ComparedRow = Pick<
  RowRecord,
  "memberId" | "email" | "effect" | "effectWithoutReference" | "purpose"
>
type EarlierRow = Pick<RowRecord, "row" | "line" | "state" | "sentAt" | "confirmedAt">
/** An earlier row with the same member and purpose that was or may have been carried out. */
export interface RelatedRow extends EarlierRow, Pick<RowRecord, "points" | "decision"> {
  readonly job: string
  readonly isCorrection: boolean
  /** Points that its reversal took back or is taking back. A fully reversed row is no related row. */
  readonly taken: number
  readonly reversal: (ReversingRow & Readonly<Record<"isUnderWay" | "isDecided", boolean>>) | null
}

/** Earlier rows equal to a compared one. */
export interface SameRows {
  /** Equal for compared rows of one member (by id or a known e-mail) with one effect. */
  readonly key: string
  readonly count: number
  /** The newest equal row. */
  readonly latest: { readonly job: string; readonly row: EarlierRow } | null
  /** The newest unfinished reversal of such rows; they are not counted. */
  readonly reversal: string | null
  /** Key of member and purpose. */
  readonly purposeKey: string
  /** Rows with the same member and purpose; without a reference only those of the last `recentDays`. */
  readonly related: readonly RelatedRow[]
}

/** A resource owned by at most one row, such as a transaction. UNIQUE on (scope, key). */
export interface Claim {
  /** `program:transaction`, `program:member`, `program:new-member`, … */
  readonly scope: string
  readonly key: string
}

/** A conditional change of one row; stale if the row changed since it was read. */
export interface RowChange {
  readonly row: number
  readonly from: readonly RowState[]
  /** Stale if the row has another number of attempts. */
  readonly attempt?: number | undefined
  /** Stale if the row has another number of edits. */
  readonly edits?: number | undefined
  /**
   * `undefined` and missing fields stay unchanged. Another member resets the ordinal. `reverses: null` releases the award
   * that the row would have taken back.
   */
  readonly set: Partial<Omit<RowRecord, "jobId" | "row" | "reverses" | "ordinal">> & {
    readonly reverses?: null
  }
  /** Acquired in the same transaction, if the row does not have it yet; of several, all or none. */
  readonly claim?: Claim | readonly Claim[] | undefined
  /** Released in the same transaction, if the row has it. */
  readonly release?: Claim | undefined
}

type ChangedOfJob =
  | ("state" | "pause" | "prepared" | "startedAt" | "finishedAt")
  | ("bulkSize" | "lane" | "repeats" | "hold" | "refusal" | "createdBy" | "isOpen")

/** A change of a job, applied only in one of the states `from`. */
export interface JobChange {
  readonly from: readonly JobState[]
  /** With row changes: in another state these are not applied either. */
  readonly only?: boolean
  readonly set: Partial<Pick<JobRecord, ChangedOfJob>>
}

/** A row of a reversal. */
export interface ReversingRow extends Pick<RowRecord, "row" | "state"> {
  readonly job: string
}

/** The limit that a change would exceed: of one job, or of a person's day. */
export type OverLimit = "over_job" | "over_day"

/** `claimed`: another row has the claim, this row is unchanged. Over a limit no row of the call is changed. */
export type RowChanged = "changed" | "stale" | "claimed" | OverLimit
/** The row that has a claim. */
export type ClaimOwner = { readonly job: string; readonly row: number }
type ConfirmedQuery = ({ readonly job: string } | { readonly kind: JobKind }) & { answered?: boolean }

/** Builds the audit entry of a change, written with it, from the changed job. `only`: its one row that is not excluded. */
export type EntryBuilder<More extends unknown[] = []> = (job: JobRecord, ...more: More) => AuditEntry

/** Jobs of these kinds started from `from` on and before `until`. */
export interface StartedQuery {
  readonly kinds: readonly JobKind[]
  readonly from: number
  readonly until?: number
}

/** Limits of one job and of its maker within one day, in points or cents. */
export interface MostMoved {
  readonly job: number
  readonly day: StartedQuery & { readonly most: number }
}

/** Filters of the job list, including what the reader may see. */
export interface JobQuery {
  /** Cursor: a job's id. */
  readonly before?: string | undefined
  readonly perPage: number
  readonly kinds?: readonly JobKind[] | undefined
  readonly state?: JobState | "active" | "attention" | "failed" | undefined
  readonly createdBy?: string | undefined
  readonly fingerprint?: string | undefined
  readonly from?: number | undefined
  readonly to?: number | undefined
  /** The maker's jobs and all jobs of these kinds. */
  readonly scope?: { readonly maker: string; readonly kinds: readonly string[] } | undefined
}

/** A page of a job's rows, in row order. */
export interface RowQuery {
  readonly state?: RowState | "attention" | undefined
  /** Part of member id, e-mail or label, case-insensitive; digits also match the row's number. */
  readonly search?: string | undefined
  readonly page: number
  readonly perPage: number
}

/** A new job, or `row` added to the maker's open job; `made`: not by an earlier request with the same key. */
export type MadeJob = { readonly job: JobRecord; readonly made: boolean; readonly row?: number }
/** What the same request created before, or `other_body` if its key was used with another body. */
type Twin = (MadeJob & { readonly made: false }) | "other_body"

/** Durable jobs. Every method is one transaction, safe with several instances. */
export interface JobStore extends JobReports {
  /** A transaction that gives a job work, or that a person requested, also makes its run due. */
  readonly wakes: boolean
  /** The store's clock. */
  now(): Promise<number>
  /**
   * Creates a job with its rows (numbered from 1), once per request even when requests are concurrent. `code_taken`: the
   * batch code exists. `reversed`: a row is already taken back. `most` limits the job together with `linked`; a draft
   * counts when it is started. With `closesAt` the row is added to the maker's open job if there is one that may take it;
   * `audit` is written for a new job only.
   */
  create(
    job: NewJob,
    rows: readonly NewRow[],
    most?: MostMoved,
    audit?: EntryBuilder,
    linked?: LinkedJob,
  ): Promise<MadeJob | Twin | "reversed" | OverLimit>
  twinOf(makerId: string, request: NonNullable<NewJob["request"]>): Promise<Twin | undefined>
  /**
   * Adds rows to a draft, numbered from `firstRow`; existing rows with the same input count as added. `mostMoved` limits
   * the whole draft, in points or cents.
   */
  append(
    jobId: string,
    rows: readonly NewRow[],
    firstRow: number | undefined,
    most: number,
    mostMoved?: number,
  ): Promise<JobRecord | "not_draft" | "gap" | "different" | "too_many" | "over_job" | "missing">
  /**
   * Starts a draft or resumes a paused job, within the limits; amounts already counted for the day are not counted twice.
   * `stale`: the job is in another state. Row changes and the linked job are part of the transaction; `rows_changed`: one
   * of the changes is stale, nothing was done.
   */
  start(
    jobId: string,
    set: Omit<JobChange["set"], "state">,
    most: MostMoved | undefined,
    from?: "draft" | "paused",
    audit?: EntryBuilder,
    more?: { readonly changes?: readonly RowChange[]; readonly linked?: LinkedJob | undefined },
  ): Promise<JobRecord | "stale" | "rows_changed" | OverLimit>
  /** Total of a person's started jobs that counts towards limits, in points or cents. */
  startedAmount(makerId: string, query: StartedQuery): Promise<number>
  get(jobId: string): Promise<JobRecord | undefined>
  /** Closes a person's open job; returns its id, if there was one. */
  closeOpen(makerId: string): Promise<string | undefined>
  /** Newest first; `perPage` + 1 jobs if there are more. */
  list(query: JobQuery): Promise<JobRecord[]>
  /** Counts of active jobs, jobs that need attention, and unfinished held jobs, `looking`: those still looked up. */
  summary(
    scope: JobQuery["scope"],
  ): Promise<Readonly<Record<"active" | "attention" | "held" | "looking", number>>>
  /**
   * Sets fields of a job; undefined if its state is not one of `from`. Never sets `done` while a row is planned, sent or
   * unknown, nor `cancelled` while one is sent or unknown.
   */
  change(
    jobId: string,
    from: readonly JobState[],
    set: JobChange["set"],
    audit?: EntryBuilder<[only: RowRecord | undefined]>,
  ): Promise<JobRecord | undefined>

  /** Ordered by row number. */
  rows(jobId: string, query: RowQuery): Promise<{ readonly rows: RowRecord[]; readonly total: number }>
  row(jobId: string, row: number): Promise<RowRecord | undefined>
  /** Undecided absent and conflict rows grouped by outcome, the most frequent first. */
  causes(jobId: string): Promise<{ readonly code: string; readonly message: string; readonly rows: number }[]>
  /** Rows in one of the states with a number above `after`, by number. */
  rowsIn(jobId: string, states: readonly RowState[], after: number, limit: number): Promise<RowRecord[]>
  /** Unknown and confirmed rows with `nextAt` up to `at`, the earliest first. */
  due(jobId: string, at: number, limit: number): Promise<RowRecord[]>
  /** The earliest `nextAt` of the job's unknown rows, confirmed rows and canaries; null: none. */
  nextDue(jobId: string): Promise<number | null>
  /**
   * Applies row changes, each on its own condition; returns their results in order. `job` is applied in the same
   * transaction if a row changed and its state is one of `from`; `most` limits the result. No audit entry without a
   * changed row. `rowAudit`: for each row of a job of the ship desk that ended or needs a person.
   */
  changeRows(
    jobId: string,
    changes: readonly RowChange[],
    job?: JobChange,
    most?: MostMoved,
    audit?: EntryBuilder<[results: readonly RowChanged[]]>,
    rowAudit?: EntryBuilder<[row: RowRecord]>,
  ): Promise<RowChanged[]>
  /** `sent` rows whose lease ended before `at`, or whose owner is one of `owners`. */
  overdue(jobId: string, at: number, owners: readonly string[]): Promise<RowRecord[]>
  /** Moves `nextAt` of a bulk request's unknown rows forward to `at`. */
  hurry(jobId: string, request: string, at: number): Promise<void>
  /** Assigns ordinals to planned rows that have a member and no ordinal yet. */
  assignOrdinals(jobId: string): Promise<void>
  /** Total `edits` of the job's rows; never decreases. */
  edits(jobId: string): Promise<number>
  /** Count of members that planned rows give by e-mail only. */
  unfoundMembers(jobId: string): Promise<number>
  /** Count of planned rows of the member that has most of them. */
  mostRowsOfMember(jobId: string): Promise<number>
  /** Count of rows confirmed or failed since a time. */
  endedSince(jobId: string, since: number): Promise<number>
  /** Owners of claims by key; unclaimed keys are missing. */
  claims(scope: string, keys: readonly string[]): Promise<Map<string, ClaimOwner>>
  /** Redemptions with an address, newest first: a member's, or those created and last sent up to a time. */
  addressed(of: { readonly memberId: string } | { readonly until: number }): Promise<RowRecord[]>
  /** Rows of a kind about one order or member, newest first. */
  rowsAbout(kind: JobKind, about: Partial<Pick<RowRecord, "label" | "memberId">>): Promise<RowRecord[]>
  /** Rows of a kind that may still do something, or whose effect is not known; those of drafts are not. */
  unfinishedRows(kind: JobKind): Promise<RowRecord[]>
  /** Jobs that planned rows of a job wait for, with the number of waiting rows. */
  awaited(jobId: string): Promise<{ readonly job: string; readonly rows: number }[]>
  /** Reversing rows of other jobs by the number of the reversed row; `rows`: only of these. */
  reversedRows(jobId: string, rows?: readonly number[]): Promise<Map<number, ReversingRow>>
  /** Starts watching effects; no-op for those already watched. */
  watch(canaries: readonly Omit<CanaryRecord, "seenAt" | "lookups" | "void" | "missing">[]): Promise<void>
  updateCanary(canary: Pick<CanaryRecord, "jobId" | "row">, set: CanaryChange): Promise<void>
  dueCanaries(jobId: string, at: number, limit: number): Promise<CanaryRecord[]>
  /** Numbers of rows whose watched effects are missing: a lookup after the patience did not find them. */
  missingCanaries(jobId: string): Promise<number[]>
  /** Canaries of a type answered since a time, without void ones, latest first, at most 500. */
  canaries(type: string, since: number): Promise<CanaryRecord[]>
  /** Rows confirmed after a time with a transaction id, latest first; `answered`: by a response after that time. */
  confirmedAfter(of: ConfirmedQuery, after: number, limit: number): Promise<RowRecord[]>

  /** Jobs with work left: running, cancelling, or with rows sent, unknown or to be rechecked, or open canaries. */
  busy(): Promise<JobRecord[]>
  /** Acquires or renews the lease of a job for `forMs`; false while another instance has it. */
  lease(jobId: string, owner: string, forMs: number): Promise<boolean>
  /** Releases the lease, if it is this owner's. */
  release(jobId: string, owner: string): Promise<void>

  /**
   * Earlier rows with the same member and effect (without the reference if only one row has one) or purpose, for each row
   * in order. Included: confirmed, absent and conflict rows since a time; sent and unknown rows of any age; planned rows
   * of started jobs that are not cancelled. Not included: rows that were or are being reversed, and rows of `own`. An
   * e-mail that an earlier row resolved counts as that member. Planned rows of jobs started after `own` count only once
   * prepared: of two jobs with the same row exactly one sends it.
   */
  sameRows(
    rows: readonly ComparedRow[],
    since: number,
    own?: Pick<JobRecord, "id" | "startedAt">,
  ): Promise<SameRows[]>
}
