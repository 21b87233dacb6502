import * as z from "zod/mini"
import type { AuditEntry } from "../../contract/audit.ts"
import { rowDecision } from "../../contract/job-rows.ts"
import {
  awardModes,
  jobFile,
  type JobKind,
  jobKinds,
  jobPause,
  type JobState,
  jobStates,
  type PointsReport,
  type PointsReportQuery,
  type RowState,
  rowStates,
} from "../../contract/job.ts"
import { restoreSigns } from "../../contract/status.ts"

// The records of jobs that a store keeps, each field once (the store's tables say in which column), and the stores
// themselves. Times in ms since 1970, the store's clock.

const time = z.nullable(z.number())
const text = z.nullable(z.string())
const number = z.nullable(z.number())
const object = z.readonly(z.record(z.string(), z.unknown()))

/** That a job is held after a restore (docs/restore.md). */
const jobHold = z.object({
  /** `looking`: open rows are looked up; `ready`: a person is asked; `released`: a person continued it. */
  state: z.enum(["looking", "ready", "released"]),
  sign: z.enum(restoreSigns),
  /** When the restore was found: no row of the job was sent later. */
  at: z.number(),
  /** When the restored store was last known to be complete; null: not known. */
  since: time,
  /** Rows that were confirmed when it was held. */
  confirmedBefore: z.number(),
})
export type JobHold = Readonly<z.output<typeof jobHold>>

/** A job, except for its sums of points, which follow from its kind. */
export const jobRecord = z.object({
  id: z.string(),
  kind: z.enum(jobKinds),
  title: text,
  state: z.enum(jobStates),
  pause: z.nullable(jobPause),
  /** Every row has its member and its correlation tag, so that sending may begin. */
  prepared: z.boolean(),
  total: z.number(),
  counts: z.record(z.enum(rowStates), z.number()),
  /** Absent and conflict rows that nobody has decided. */
  attention: z.number(),
  /** UNIQUE: it marks the job's effects in the service's own records. */
  batchCode: z.string(),
  createdAt: z.number(),
  /** The name stays with the job when the user goes. */
  createdBy: z.object({ id: z.string(), name: z.string(), role: z.string() }),
  startedAt: time,
  finishedAt: time,
  /** Since when it does nothing, paused or ended; null while it works. */
  idleSince: time,
  /** How long it did nothing between its start and now, before `idleSince`. */
  idleMs: z.number(),
  mode: z.nullable(z.enum(awardModes)),
  /** Most awards in one bulk request; halved when the service refuses a size. */
  bulkSize: z.number(),
  lane: z.enum(["people", "jobs"]),
  /** Whether the reasons of bulk awards end in the batch code; without it only a person can settle an unknown one. */
  marked: z.boolean(),
  file: z.nullable(jobFile),
  /** Rows that repeat earlier ones and are sent all the same, as a person chose at start; null: rows are not compared. */
  repeats: number,
  /** What its rows move that did not fail, in points or cents. */
  amount: z.number(),
  reverses: text,
  reversedBy: z.readonly(z.array(z.string())),
  /** The other job of a correction: awards and the deductions for rows that awarded too much name each other. */
  linked: text,
  hold: z.nullable(jobHold),
  /** How the service last refused a whole bulk request. */
  refusal: z.nullable(z.object({ code: z.string(), message: z.string() })),
  /** Name that its maker's browser gave the sitting at the ship desk it belongs to. */
  sitting: text,
  /** The sitting's first job; null for that one itself. */
  partOf: text,
})

/** A job as it is kept. */
export interface JobRecord extends Readonly<z.output<typeof jobRecord>> {
  /** Sums of `points` of the rows; null for kinds without points. */
  readonly points: { readonly total: number; readonly confirmed: number } | null
  /** Of a sitting that reads as one job: its orders. It has an id of its own (`formatSittingId`) and cannot be steered. */
  readonly parcels?: number
}

type GivenOfJob =
  | ("kind" | "title" | "state" | "batchCode" | "createdBy" | "mode" | "bulkSize")
  | ("lane" | "marked" | "file" | "reverses")

/** A job before it is kept. The store gives its id. */
export interface NewJob extends Pick<JobRecord, GivenOfJob> {
  /** The request that makes it, so that the same request makes it once; UNIQUE for each user. */
  readonly request: { readonly key: string; readonly bodyHash: string } | null
  readonly sitting?: string | undefined
}

/** A job that is kept in the same transaction as another one; both name each other (`linked`). */
export type LinkedJob = Readonly<{ job: NewJob; rows: readonly NewRow[]; audit?: EntryBuilder | undefined }>

/** What a new row has that neither names a member nor moves points. */
export const blankRow = {
  memberId: null,
  email: null,
  label: null,
  points: null,
  reason: null,
  reverses: null,
} as const

/** That a row awards or takes away the difference to what was awarded before (docs/jobs.md). */
const rowCorrection = z.object({
  /** As typed: a deduction itself carries none. */
  reference: text,
  /** What earlier rows came to; the row is void if they come to something else when it is its turn. */
  net: z.number(),
  /** What the file says. */
  points: z.number(),
  /** The newest earlier job; null without one. */
  job: text,
})
export type RowCorrection = z.output<typeof rowCorrection>

/** A row. Fields with a default have it in a new row. */
export const rowRecord = z.object({
  jobId: z.string(),
  row: z.number(),
  /** As it was asked, checked by the kind's schema. */
  input: object,
  memberId: text,
  /** In lower case; null when the row names its member by id. */
  email: text,
  label: text,
  /** Signed. */
  points: number,
  reason: text,
  /** Row of the reversed job that this one takes back; UNIQUE. */
  reverses: z.nullable(z.object({ job: z.string(), row: z.number() })),
  /** What the row does besides for whom (`rowEffect`); null: the row is never compared with others. */
  effect: z._default(text, null),
  /** Of a row with a reference: the same without it, for comparing with rows that have none. Else null. */
  effectWithoutReference: z._default(text, null),
  /** What an award is for: its reference, else its reason (`rowPurpose`). Deductions that correct an award have it too. */
  purpose: z._default(text, null),
  correction: z._default(z.nullable(rowCorrection), null),
  /** The job that takes back the award this row replaces; the row is not sent before that is done. */
  awaits: z._default(text, null),
  line: z._default(number, null),
  /** A person chose to send it although it repeats an earlier row. */
  repeat: z._default(z.boolean(), false),
  state: z.enum(rowStates),
  /** 1, 2, … among the job's rows of one member, so that no two carry the same correlation tag; null before preparation. */
  ordinal: z._default(number, null),
  attempts: z._default(z.number(), 0),
  /** Times a person edited it, planned it again or decided it: what was read of it before is never sent. */
  edits: z._default(z.number(), 0),
  owner: z._default(text, null),
  /** Until when that attempt's call may run. */
  leaseUntil: z._default(time, null),
  firstSentAt: z._default(time, null),
  sentAt: z._default(time, null),
  /** When the last call ended, or the death of its process was proven; null while neither is known. */
  endedAt: z._default(time, null),
  endedHow: z._default(text, null),
  bodyHash: z._default(text, null),
  /** The bulk request it travelled in. */
  request: z._default(text, null),
  singly: z._default(z.boolean(), false),
  /** Some attempt of it ended unknown: a refusal alone no longer proves that nothing was done. */
  doubtful: z._default(z.boolean(), false),
  resends: z._default(z.number(), 0),
  /** When it is looked up next: unknown rows, and confirmed ones that are read again after a re-send. */
  nextAt: z._default(time, null),
  /** Times at which the history was read for it, latest attempt only, at most the last 20. */
  looks: z._default(z.readonly(z.array(z.number())), []),
  outcome: z._default(z.nullable(z.object({ code: z.string(), message: z.string() })), null),
  upstreamId: z._default(text, null),
  confirmedAt: z._default(time, null),
  balanceAfter: z._default(number, null),
  decision: z._default(z.nullable(rowDecision), null),
  work: z._default(z.nullable(object), null),
})
/** A row as it is kept. */
export type RowRecord = Readonly<z.output<typeof rowRecord>>

/** What a row is made with. */
export interface NewRow
  extends
    Pick<RowRecord, "input" | keyof typeof blankRow>,
    Partial<
      Pick<RowRecord, "effect" | "effectWithoutReference" | "purpose" | "correction" | "repeat" | "line">
    > {
  /** Why it is never sent: it is kept in state `excluded`. */
  readonly excluded?: { readonly code: string; readonly message: string }
}

/** An effect of ours whose appearance in the history is watched: it proves that a search finds what is there. */
export const canaryRecord = z.object({
  jobId: z.string(),
  row: z.number(),
  /** `award:reference`, `deduct:reason`, …: effects that appear in the history the same way. */
  type: z.string(),
  memberId: z.string(),
  upstreamId: z.string(),
  answeredAt: z.number(),
  seenAt: time,
  nextAt: time,
  looks: z.number(),
  /** It can show nothing, such as when the member was deleted. */
  void: z.boolean(),
  missing: z.boolean(),
})
export type CanaryRecord = Readonly<z.output<typeof canaryRecord>>
export type CanaryChange = Partial<Pick<CanaryRecord, "seenAt" | "nextAt" | "looks" | "void" | "missing">>

/** A row that is compared with earlier ones. */
export type ComparedRow = Pick<
  RowRecord,
  "memberId" | "email" | "effect" | "effectWithoutReference" | "purpose"
>
type EarlierRow = Pick<RowRecord, "row" | "line" | "state" | "sentAt" | "confirmedAt">
/** An earlier row with the same member and purpose as a compared one, which was done or may be. */
export interface RelatedRow extends EarlierRow, Pick<RowRecord, "points" | "decision"> {
  readonly job: string
  readonly isCorrection: boolean
  /** Points of it that its reversal took back or is taking back; when that was all of it, it is no related row. */
  readonly taken: number
  readonly reversal: (ReversingRow & Readonly<Record<"isUnderWay" | "isDecided", boolean>>) | null
}

/** Earlier rows that are the same as a compared one. */
export interface SameRows {
  /** The same for compared rows that are alike: of one member, by id or by an e-mail known to be theirs. */
  readonly key: string
  readonly count: number
  /** The newest of them. */
  readonly latest: { readonly job: string; readonly row: EarlierRow } | null
  /** The newest job that is taking such rows back; they do not count. */
  readonly reversal: string | null
  /** Names the member and the purpose. */
  readonly purposeKey: string
  /** Of one member and purpose; without a reference only those of the last `recentDays`. */
  readonly related: readonly RelatedRow[]
}

/** One thing that belongs to one row at most, such as a transaction. UNIQUE on (scope, key). */
export interface Claim {
  /** `program:transaction`, `program:member`, `program:new-member`, … */
  readonly scope: string
  readonly key: string
}

/** A change of one row that holds only if the row is still as it was seen. */
export interface RowChange {
  readonly row: number
  readonly from: readonly RowState[]
  /** The change belongs to this attempt; another attempt's row stays. */
  readonly attempt?: number | undefined
  /** The change follows from the row as it stood after so many edits; a row that was edited since stays. */
  readonly edits?: number | undefined
  /**
   * `undefined` and missing fields stay. Another member takes the ordinal away; a row that will not be sent any more gives
   * back what it would have reversed.
   */
  readonly set: Partial<Omit<RowRecord, "jobId" | "row" | "reverses" | "ordinal">> & {
    readonly reverses?: null
  }
  /** Taken in the same transaction; a row that already has it keeps it. */
  readonly claim?: Claim | undefined
  /** Given back in the same transaction, if this row has it. */
  readonly release?: Claim | undefined
}

type ChangedOfJob =
  | ("state" | "pause" | "prepared" | "startedAt" | "finishedAt")
  | ("bulkSize" | "lane" | "repeats" | "hold" | "refusal" | "createdBy")

/** A change of a job that holds only in some of its states. */
export interface JobChange {
  readonly from: readonly JobState[]
  /** With changes of rows: none of them is made either, unless the job is in one of the states. */
  readonly only?: boolean
  readonly set: Partial<Pick<JobRecord, ChangedOfJob>>
}

/** A row of another job that takes a row back. */
export interface ReversingRow extends Pick<RowRecord, "row" | "state"> {
  readonly job: string
}

export type OverLimit = "over_job" | "over_day"

/** `claimed`: the claim is another row's, nothing of this row was changed. Above a limit no row of the call is changed. */
export type RowChanged = "changed" | "stale" | "claimed" | OverLimit

/**
 * Makes the entry of what was done to a job, as it has become, that is written in the same transaction. `only`: its row
 * where it has just one beside those excluded.
 */
export type EntryBuilder<More extends unknown[] = []> = (job: JobRecord, ...more: More) => AuditEntry

/** A part of what one person started: jobs of these kinds that were started from `from` on and before `until`. */
export interface StartedQuery {
  readonly kinds: readonly JobKind[]
  readonly from: number
  readonly until?: number
}

/** Most that a job, and its maker within one day, may move; in points or cents. */
export interface MostMoved {
  readonly job: number
  readonly day: StartedQuery & { readonly most: number }
}

/** Filters of the job list, narrowed to what the reader may see. */
export interface JobQuery {
  /** A job's id. */
  readonly before?: string | undefined
  readonly perPage: number
  readonly kind?: JobKind | undefined
  readonly state?: JobState | "active" | "attention" | "failed" | undefined
  readonly createdBy?: string | undefined
  readonly fingerprint?: string | undefined
  readonly from?: number | undefined
  readonly to?: number | undefined
  /** The jobs of a sitting as one, where one of them matches: an ended one while none is under way. */
  readonly bySitting?: boolean | undefined
  /** Own jobs, and those of these kinds. */
  readonly scope?: { readonly maker: string; readonly kinds: readonly string[] } | undefined
}

export interface RowQuery {
  readonly state?: RowState | "attention" | undefined
  /** Digits only: a row's number too; otherwise part of member id, e-mail or label, upper and lower case alike. */
  readonly search?: string | undefined
  readonly page: number
  readonly perPage: number
}

/** The first job that a request made, or that its key was used with another body. */
type Twin = { readonly job: JobRecord; readonly made: false } | "other_body"

/**
 * Durable jobs. Every method is one transaction. The same rules hold for SQLite and PostgreSQL
 * (`tests/store/job-suite.ts`), with several instances at once.
 */
export interface JobStore {
  /** The store's clock. */
  now(): Promise<number>
  /**
   * Keeps a job with its rows (numbered from 1), once for each request, also when twins come at once. `code_taken`: the
   * batch code is another job's. `reversed`: a row is taken back already. With `most` nothing is kept above it, however
   * many come at once; a draft counts when it is started. `linked` counts with it.
   */
  create(
    job: NewJob,
    rows: readonly NewRow[],
    most?: MostMoved,
    audit?: EntryBuilder,
    linked?: LinkedJob,
  ): Promise<
    { readonly job: JobRecord; readonly made: boolean } | Twin | "code_taken" | "reversed" | OverLimit
  >
  twinOf(makerId: string, request: NonNullable<NewJob["request"]>): Promise<Twin | undefined>
  /**
   * Adds rows to a draft, the first one with number `firstRow`; rows that are there already with the same input count
   * as added. `mostMoved` bounds what the whole draft moves, in points or cents.
   */
  append(
    jobId: string,
    rows: readonly NewRow[],
    firstRow: number | undefined,
    most: number,
    mostMoved?: number,
  ): Promise<JobRecord | "not_draft" | "gap" | "different" | "too_many" | "over_job" | "missing">
  /**
   * Lets a draft or a paused job run, unless that would pass a limit. What counts for the day of `most` already is not
   * counted twice. `stale`: the job is in another state. `changes` of its rows and a linked job are made in the same
   * transaction; `rows_changed`: one of the changes no longer holds, nothing was done.
   */
  start(
    jobId: string,
    set: Omit<JobChange["set"], "state">,
    most: MostMoved | undefined,
    from?: "draft" | "paused",
    audit?: EntryBuilder,
    more?: { readonly changes?: readonly RowChange[]; readonly linked?: LinkedJob | undefined },
  ): Promise<JobRecord | "stale" | "rows_changed" | "code_taken" | OverLimit>
  /** What a person's started jobs count towards limits, in points or cents. */
  startedAmount(makerId: string, query: StartedQuery): Promise<number>
  get(jobId: string): Promise<JobRecord | undefined>
  /** A sitting at the ship desk as one job, by `formatSittingId`. */
  sitting(id: string): Promise<JobRecord | undefined>
  /** Newest first; one more than asked if there are further ones. */
  list(query: JobQuery): Promise<JobRecord[]>
  /** How many jobs are active, need somebody, are unfinished and held, and of these still looked up, within a scope; a sitting counts once. */
  summary(
    scope: JobQuery["scope"],
  ): Promise<Readonly<Record<"active" | "attention" | "held" | "looking", number>>>
  /**
   * Sets fields of a job if its state is one of `from`; undefined if it was not. It never becomes `done` while a row is
   * planned, sent or unknown, nor `cancelled` while one is sent or unknown, however the rows changed in between.
   */
  change(
    jobId: string,
    from: readonly JobState[],
    set: JobChange["set"],
    audit?: EntryBuilder<[only: RowRecord | undefined]>,
  ): Promise<JobRecord | undefined>

  /** By row number; of a sitting by job. */
  rows(jobId: string, query: RowQuery): Promise<{ readonly rows: RowRecord[]; readonly total: number }>
  row(jobId: string, row: number): Promise<RowRecord | undefined>
  /** Undecided absent and conflict rows by their outcome, the most frequent first. */
  causes(jobId: string): Promise<{ readonly code: string; readonly message: string; readonly rows: number }[]>
  /** Rows in a state with a number above `after`, by number. */
  rowsIn(jobId: string, states: readonly RowState[], after: number, limit: number): Promise<RowRecord[]>
  /** Unknown and confirmed rows with `nextAt` up to `at`, the longest waiting first. */
  due(jobId: string, at: number, limit: number): Promise<RowRecord[]>
  /** The earliest `nextAt` of the job's unknown rows, its confirmed rows and its canaries; null: none. */
  nextDue(jobId: string): Promise<number | null>
  /**
   * Changes rows, each on its own condition, with the results in their order. In the same transaction `job` is done, if a
   * row changed and its state is one of `from`. `most` bounds what it and its maker move then. No change, no entry.
   */
  changeRows(
    jobId: string,
    changes: readonly RowChange[],
    job?: JobChange,
    most?: MostMoved,
    audit?: EntryBuilder<[results: readonly RowChanged[]]>,
  ): Promise<RowChanged[]>
  /** `sent` rows whose lease ended before `at`, or whose owner is one of `owners`. */
  overdue(jobId: string, at: number, owners: readonly string[]): Promise<RowRecord[]>
  /** Brings the unknown rows of one bulk request forward to `at`. */
  hurry(jobId: string, request: string, at: number): Promise<void>
  /** Gives every planned row with a member and without an ordinal the next free one of its member in the job. */
  assignOrdinals(jobId: string): Promise<void>
  /** How often the job's rows were edited, planned again or decided; it only grows. */
  edits(jobId: string): Promise<number>
  /** Members whom planned rows name by e-mail alone. */
  unfoundMembers(jobId: string): Promise<number>
  /** Rows that came to an end (confirmed or failed) since a time. */
  endedSince(jobId: string, since: number): Promise<number>
  /** Whose each of these is; absent keys are nobody's. */
  claims(
    scope: string,
    keys: readonly string[],
  ): Promise<Map<string, { readonly job: string; readonly row: number }>>
  /** Redemptions that hold an address, newest first: a member's, or those made, and last sent, up to a time. */
  addressed(of: { readonly memberId: string } | { readonly until: number }): Promise<RowRecord[]>
  /** Jobs that planned rows of a job wait for, and how many rows wait for each. */
  awaited(jobId: string): Promise<{ readonly job: string; readonly rows: number }[]>
  /** Rows of other jobs that take rows of a job back, by the number of the row that is taken back; of these rows only. */
  reversedRows(jobId: string, rows?: readonly number[]): Promise<Map<number, ReversingRow>>

  /** Starts to watch effects; one that is watched already stays as it is. */
  watch(canaries: readonly Omit<CanaryRecord, "seenAt" | "looks" | "void" | "missing">[]): Promise<void>
  updateCanary(control: Pick<CanaryRecord, "jobId" | "row">, set: CanaryChange): Promise<void>
  dueCanaries(jobId: string, at: number, limit: number): Promise<CanaryRecord[]>
  /** Numbers of rows whose watched effects are missing: a lookup after the patience did not show them. */
  missingCanaries(jobId: string): Promise<number[]>
  /** Controls of a type answered since a time, void ones left out, latest first, at most 500. */
  canaries(type: string, since: number): Promise<CanaryRecord[]>
  /** Confirmed rows of these kinds, answered after a time with a transaction id: what could become a control. Latest first. */
  confirmedAfter(kinds: readonly JobKind[], after: number, limit: number): Promise<RowRecord[]>

  /** Jobs with something to do: running, cancelling, or with rows sent, unknown or to be read again, or canaries to see. */
  busy(): Promise<JobRecord[]>
  /** Takes or keeps the right to work on a job for `forMs`; false while another instance has it. */
  lease(jobId: string, owner: string, forMs: number): Promise<boolean>
  /** Gives the right back, if it is this owner's. */
  release(jobId: string, owner: string): Promise<void>

  /**
   * Earlier rows with the same member and effect (where only one has a reference: without it) or purpose as each of
   * these, in their order: since a time those executed or possibly so (confirmed, absent, conflict), and whatever their
   * age those sent, unknown, or planned in a started job that is not cancelled; none that was or is being reversed. An
   * e-mail that an earlier row was resolved with stands for that member. Rows of `own` are left out, and of jobs started
   * after it planned rows count only once they are prepared: of two jobs with the same row exactly one sends it.
   */
  sameRows(
    rows: readonly ComparedRow[],
    since: number,
    own?: Pick<JobRecord, "id" | "startedAt">,
  ): Promise<SameRows[]>

  /** Points of confirmed rows of our jobs, net of reversals: neither they nor what they took back count. Months are those of the time zone. */
  pointsReport(query: PointsReportQuery, timeZone: string): Promise<PointsReport["rows"]>
}
