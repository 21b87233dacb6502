import type { AuditEntry } from "../../contract/audit.ts"
import type {
  AwardMode,
  JobFile,
  JobKind,
  JobState,
  RestoreSign,
  RowCounts,
  RowState,
} from "../../contract/job.ts"
import type { RowDecision } from "../../contract/job-rows.ts"
import type { PointsReport, PointsReportQuery } from "../../contract/points-report.ts"

/** Who made a job: the name stays with it when the user goes. */
export interface JobMaker {
  readonly id: string
  readonly name: string
  readonly role: string
}

/** That a job is held after a restore (docs/decisions/0012-restore.md). Times in ms since 1970, the store's clock. */
export interface JobHold {
  /** `looking`: open rows are looked up; `ready`: a person is asked; `released`: a person continued it. */
  readonly state: "looking" | "ready" | "released"
  readonly sign: RestoreSign
  /** When the restore was found: no row of the job was sent later. */
  readonly at: number
  /** When the restored store was last known to be complete; null: not known. */
  readonly since: number | null
  /** Rows that were confirmed when it was held. */
  readonly confirmedBefore: number
}

/** A job as it is kept. Times in ms since 1970, the store's clock. */
export interface JobRecord {
  readonly id: string
  readonly kind: JobKind
  readonly title: string | null
  readonly state: JobState
  readonly pause: { readonly code: string; readonly message: string } | null
  /** Whether every row has its member and its mark, so that sending may begin. */
  readonly prepared: boolean
  /** Rows to carry out: all but the excluded ones. */
  readonly total: number
  readonly counts: RowCounts
  readonly attention: number
  /** UNIQUE: it marks the job's effects in the service's own records. */
  readonly batchCode: string
  readonly createdAt: number
  readonly createdBy: JobMaker
  readonly startedAt: number | null
  readonly finishedAt: number | null
  readonly mode: AwardMode | null
  /** Most awards in one bulk request; halved when the service refuses a size. */
  readonly bulkSize: number
  readonly lane: "people" | "jobs"
  /** Whether the reasons of bulk awards end in the batch code; without it only a person can settle an unknown one. */
  readonly marked: boolean
  readonly file: JobFile | null
  /** Rows that repeat earlier ones and are sent all the same, as a person chose at start; null: rows are not compared. */
  readonly repeats: number | null
  /** Sums of `points` of the rows; null for kinds without points. */
  readonly points: { readonly total: number; readonly confirmed: number } | null
  /** What its rows move that did not fail, in points or cents. */
  readonly amount: number
  readonly reverses: string | null
  readonly reversedBy: readonly string[]
  /** null: it was never held. */
  readonly hold: JobHold | null
}

/** A job before it is kept. The store gives its id. */
export type NewJob = Pick<
  JobRecord,
  | "kind"
  | "title"
  | "state"
  | "batchCode"
  | "createdBy"
  | "mode"
  | "bulkSize"
  | "lane"
  | "marked"
  | "file"
  | "reverses"
> & {
  /** The request that makes it, so that the same request makes it once; UNIQUE for each user. */
  readonly request: { readonly key: string; readonly bodyHash: string } | null
}

/** What a row is made with. */
export interface NewRow {
  /** As it was asked, checked by the kind's schema. */
  readonly input: Readonly<Record<string, unknown>>
  readonly memberId: string | null
  /** In lower case; null when the row names its member by id. */
  readonly email: string | null
  /** Name or e-mail for people. */
  readonly label: string | null
  /** Signed; null for kinds without points. */
  readonly points: number | null
  /** As it was written; null for kinds without one. */
  readonly reason: string | null
  /** Row of the reversed job that this one takes back; UNIQUE. */
  readonly reverses: { readonly job: string; readonly row: number } | null
  /**
   * What the row does besides for whom (`rowEffect`): two rows of one member with the same effect are the same row.
   * Null or absent: the row is never compared.
   */
  readonly effect?: string | null
  /** Of a row with a reference: the same without it, for comparing with rows that have none. Else null or absent. */
  readonly effectWithoutReference?: string | null
  /** Number in the file it came from. */
  readonly line?: number | null
  /** Why it is never sent: it is kept in state `excluded`. */
  readonly excluded?: { readonly code: string; readonly message: string }
}

/** A row as it is kept. Times in ms since 1970, the store's clock. */
export interface RowRecord extends Omit<NewRow, "excluded"> {
  readonly effect: string | null
  readonly effectWithoutReference: string | null
  readonly line: number | null
  /** A person chose to send it although it repeats an earlier row. */
  readonly repeat: boolean
  readonly jobId: string
  /** From 1. */
  readonly row: number
  readonly state: RowState
  /** 1, 2, … among the job's rows of one member, so that no two carry the same mark; null before preparation. */
  readonly ordinal: number | null
  /** Times it was sent. */
  readonly attempts: number
  /** Times a person edited it while it was planned: what was read of it before an edit is never sent. */
  readonly edits: number
  /** Instance that made the last attempt. */
  readonly owner: string | null
  /** Until when that attempt's call may run. */
  readonly leaseUntil: number | null
  readonly firstSentAt: number | null
  readonly sentAt: number | null
  /** When the last call ended, or the death of its process was proven; null while neither is known. */
  readonly endedAt: number | null
  /** How it ended, in words. */
  readonly endedHow: string | null
  /** SHA-256 of what was sent for this row. */
  readonly bodyHash: string | null
  /** The bulk request it travelled in. */
  readonly request: string | null
  /** It goes out in a request of its own, whatever the job's mode. */
  readonly singly: boolean
  /** Some attempt of it ended unknown: a refusal alone no longer proves that nothing was done. */
  readonly doubtful: boolean
  /** Times it was sent again by itself. */
  readonly resends: number
  /** When it is looked at next: unknown rows, and confirmed ones that are read again after a re-send. */
  readonly nextAt: number | null
  /** Times at which the history was read for it, latest attempt only, at most the last 20. */
  readonly looks: readonly number[]
  readonly outcome: { readonly code: string; readonly message: string } | null
  readonly upstreamId: string | null
  /** When the confirming answer came. */
  readonly confirmedAt: number | null
  readonly balanceAfter: number | null
  readonly decision: RowDecision | null
  /** What its kind keeps between steps, as JSON. */
  readonly work: Readonly<Record<string, unknown>> | null
}

/**
 * Fields of a row that a change may set. `undefined` and missing fields stay. Another member takes the ordinal away; a
 * row that will not be sent any more gives back what it would have reversed.
 */
type RowFields = Partial<Omit<RowRecord, "jobId" | "row" | "reverses" | "ordinal">> & {
  readonly reverses?: null
}

/** A row that is compared with earlier ones. */
export type ComparedRow = Pick<RowRecord, "memberId" | "email" | "effect" | "effectWithoutReference">

/** What is told of an earlier row. */
export type EarlierRow = Pick<RowRecord, "row" | "line" | "state">

/** Earlier rows that are the same as a compared one. */
export interface SameRows {
  /** The same for compared rows that are alike: of one member, by id or by an e-mail known to be theirs. */
  readonly key: string
  readonly count: number
  /** The newest of them. */
  readonly latest: { readonly job: string; readonly row: EarlierRow } | null
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
  readonly attempt?: number
  /** The change follows from the row as it stood after so many edits; a row that was edited since stays. */
  readonly edits?: number
  readonly set: RowFields
  /** Taken in the same transaction; a row that already has it keeps it. */
  readonly claim?: Claim
  /** Given back in the same transaction, if this row has it. */
  readonly release?: Claim
}

/** A change of a job that holds only in some of its states. */
export interface JobChange {
  readonly from: readonly JobState[]
  /** With changes of rows: none of them is made either, unless the job is in one of the states. */
  readonly only?: boolean
  readonly set: Partial<
    Pick<
      JobRecord,
      "state" | "pause" | "prepared" | "startedAt" | "finishedAt" | "bulkSize" | "lane" | "repeats" | "hold"
    >
  >
}

/** Makes an audit entry of a job as it has become; `only` is its row where it has just one. */
type EntryOfChange = (job: JobRecord, only: RowRecord | undefined) => AuditEntry

/** A limit that a step would pass: the job's, or the one of its maker's day. */
export type OverLimit = "over_job" | "over_day"

/**
 * What became of a change. `claimed`: the claim is another row's, nothing of this row was changed. Above a limit no row
 * of the call is changed.
 */
export type RowChanged = "changed" | "stale" | "claimed" | OverLimit

/** A part of what one person started: jobs of these kinds that were started from `from` on and before `until`. */
export interface StartedQuery {
  readonly kinds: readonly JobKind[]
  /** ms since 1970, the store's clock. */
  readonly from: number
  readonly until?: number
}

/** Most that a job, and its maker within one day, may move; in points or cents. */
export interface MostMoved {
  readonly job: number
  readonly day: StartedQuery & { readonly most: number }
}

/** An effect of ours whose appearance in the history is watched: it proves that a search finds what is there. */
export interface ControlRecord {
  readonly jobId: string
  readonly row: number
  /** `award` or `deduct`: effects that appear in the history the same way. */
  readonly type: string
  readonly memberId: string
  readonly upstreamId: string
  /** When its answer came. */
  readonly answeredAt: number
  /** When the history showed it first; null: not yet. */
  readonly seenAt: number | null
  readonly nextAt: number | null
  readonly looks: number
  /** It can show nothing, such as when the member was deleted. */
  readonly void: boolean
}

/** Filters of the job list, narrowed to what the reader may see. `before` is a job's id. */
export interface JobQuery {
  readonly before?: string | undefined
  readonly perPage: number
  readonly kind?: JobKind | undefined
  readonly state?: JobState | "active" | "attention" | undefined
  readonly createdBy?: string | undefined
  readonly fingerprint?: string | undefined
  readonly from?: number | undefined
  readonly to?: number | undefined
  /** Own jobs, and those of these kinds. */
  readonly scope?: { readonly maker: string; readonly kinds: readonly string[] } | undefined
}

/** Which rows to read. */
export interface RowQuery {
  readonly state?: RowState | "attention" | undefined
  /** Digits only: a row's number too; otherwise part of member id, e-mail or label, upper and lower case alike. */
  readonly search?: string | undefined
  readonly page: number
  readonly perPage: number
}

/**
 * Durable jobs. Every method is one transaction. The same rules hold for memory, SQLite and PostgreSQL
 * (`bff/store/job-suite.ts`), with several instances at once.
 */
export interface JobStore {
  /** The store's clock, ms since 1970. */
  now(): Promise<number>
  /**
   * Keeps a job with its rows (numbered from 1). The same request makes it once: a twin gets the first one's job
   * (`made: false`), also when both come at once; `other_body`: the key was used with another body.
   * `code_taken`: the batch code is another job's. `reversed`: a row it would take back is taken back already.
   * With `most` nothing is kept above it, however many come at once; a draft counts when it is started.
   */
  create(
    job: NewJob,
    rows: readonly NewRow[],
    most?: MostMoved,
  ): Promise<
    { readonly job: JobRecord; readonly made: boolean } | "other_body" | "code_taken" | "reversed" | OverLimit
  >
  /** The job that this request of a user made before; `other_body` when its key was used with another body. */
  twinOf(
    makerId: string,
    request: NonNullable<NewJob["request"]>,
  ): Promise<{ readonly job: JobRecord; readonly made: false } | "other_body" | undefined>
  /**
   * Adds rows to a draft. `firstRow` says which number the first one gets; rows that are there already with the same
   * input count as added. `mostMoved` bounds what the whole draft moves, in points or cents.
   */
  append(
    jobId: string,
    rows: readonly NewRow[],
    firstRow: number | undefined,
    most: number,
    mostMoved?: number,
  ): Promise<JobRecord | "not_draft" | "gap" | "different" | "too_many" | "over_job" | "missing">
  /**
   * Lets a job run: a draft, or a paused one again, unless that would pass a limit. What counts for the day of `most`
   * already is not counted twice. `stale`: the job is in another state.
   */
  start(
    jobId: string,
    set: Omit<JobChange["set"], "state">,
    most: MostMoved | undefined,
    from?: "draft" | "paused",
  ): Promise<JobRecord | "stale" | OverLimit>
  /** What a person's started jobs count towards limits, in points or cents. */
  startedAmount(makerId: string, query: StartedQuery): Promise<number>
  get(jobId: string): Promise<JobRecord | undefined>
  /** Newest first; one more than asked if there are further ones. */
  list(query: JobQuery): Promise<JobRecord[]>
  /** How many jobs are active, and how many need somebody, within a scope; for the indicator. */
  summary(scope: JobQuery["scope"]): Promise<{
    readonly active: number
    readonly attention: number
    /** Unfinished jobs that are held, and those of them whose rows are still looked up. */
    readonly held: number
    readonly looking: number
  }>
  /**
   * Sets fields of a job if its state is one of `from`; undefined if it was not. It never becomes `done` while a row is
   * planned, sent or unknown, nor `cancelled` while one is sent or unknown, however the rows changed in between.
   * `audit` makes an entry of the audit log that is written in the same transaction: neither stands without the other.
   */
  change(
    jobId: string,
    from: readonly JobState[],
    set: JobChange["set"],
    audit?: EntryOfChange,
  ): Promise<JobRecord | undefined>

  /** By row number. */
  rows(jobId: string, query: RowQuery): Promise<{ readonly rows: RowRecord[]; readonly total: number }>
  row(jobId: string, row: number): Promise<RowRecord | undefined>
  /** Rows in a state with a number above `after`, by number. */
  rowsIn(jobId: string, states: readonly RowState[], after: number, limit: number): Promise<RowRecord[]>
  /** Rows with `nextAt` up to `at`, unknown and confirmed ones, the longest waiting first. */
  due(jobId: string, at: number, limit: number): Promise<RowRecord[]>
  /** The earliest `nextAt` of the job's unknown rows, its confirmed rows and its controls; null: none. */
  nextDue(jobId: string): Promise<number | null>
  /**
   * Changes rows, each on its own condition, all in one transaction. Answers in the order of `changes`. `job` is done in
   * the same transaction, if a row was changed and the job's state is one of `from`. `most` bounds what the job and its
   * maker move afterwards.
   */
  changeRows(
    jobId: string,
    changes: readonly RowChange[],
    job?: JobChange,
    most?: MostMoved,
  ): Promise<RowChanged[]>
  /** `sent` rows whose lease ended before `at`, or whose owner is one of `owners`. */
  overdue(jobId: string, at: number, owners: readonly string[]): Promise<RowRecord[]>
  /** Brings the unknown rows of one bulk request forward to `at`. */
  hurry(jobId: string, request: string, at: number): Promise<void>
  /** Gives every planned row with a member and without an ordinal the next free one of its member in the job. */
  giveOrdinals(jobId: string): Promise<void>
  /** Rows that came to an end (confirmed or failed) since a time. */
  endedSince(jobId: string, since: number): Promise<number>
  /** Whose each of these is; absent keys are nobody's. */
  claims(
    scope: string,
    keys: readonly string[],
  ): Promise<Map<string, { readonly job: string; readonly row: number }>>
  /** Numbers of a job's rows that another job takes back already. */
  reversedRows(jobId: string): Promise<Set<number>>

  /** Starts to watch an effect; one that is watched already stays as it is. */
  watch(controls: readonly Omit<ControlRecord, "seenAt" | "looks" | "void">[]): Promise<void>
  /** Notes what a look showed. */
  noteControl(
    control: Pick<ControlRecord, "jobId" | "row">,
    set: Partial<Pick<ControlRecord, "seenAt" | "nextAt" | "looks" | "void">>,
  ): Promise<void>
  /** Controls of a job that are due. */
  dueControls(jobId: string, at: number, limit: number): Promise<ControlRecord[]>
  /** Controls of a type answered since a time, void ones left out, latest first, at most 500. */
  controls(type: string, since: number): Promise<ControlRecord[]>
  /** Confirmed rows of these kinds, answered after a time with a transaction id: what could become a control. Latest first. */
  confirmedAfter(kinds: readonly JobKind[], after: number, limit: number): Promise<RowRecord[]>

  /** Jobs with something to do: running, cancelling, or with rows sent, unknown or to be read again, or controls to see. */
  busy(): Promise<JobRecord[]>
  /** Takes or keeps the right to work on a job for `forMs`; false while another instance has it. */
  lease(jobId: string, owner: string, forMs: number): Promise<boolean>
  /** Gives the right back, if it is this owner's. */
  release(jobId: string, owner: string): Promise<void>

  /**
   * Earlier rows with the same member and effect as each of these (where only one has a reference: without it), in
   * their order: rows that were executed or may have been since a time (confirmed and not taken back, absent,
   * conflict), and whatever their age those that are under way (sent, unknown) or will be sent (planned in a started
   * job). Failed, excluded and draft rows are none, nor planned ones of a cancelled job. An e-mail that an earlier row
   * was resolved with stands for that member.
   * @param own the job whose rows are compared: its rows are left out, and of jobs started after it planned rows count
   *   only once they are prepared, so that of two jobs with the same row exactly one sends it
   */
  sameRows(
    rows: readonly ComparedRow[],
    since: number,
    own?: Pick<JobRecord, "id" | "startedAt">,
  ): Promise<SameRows[]>

  /** Points of confirmed rows of our jobs. Months are those of the time zone. */
  pointsReport(query: PointsReportQuery, timeZone: string): Promise<PointsReport["rows"]>
}

/** A restore that was found. Times in ms since 1970, the store's clock. */
interface RestoreFound {
  readonly sign: RestoreSign
  readonly at: number
  readonly since: number | null
  /** Somebody has read that jobs may be missing. */
  readonly read: boolean
}

/**
 * How far this store has got, to be compared with what is kept beside it. `epoch` names one line of work: it changes
 * when a restore is found, and `earlier` are those it came from.
 */
export interface StoreUse {
  readonly epoch: string
  readonly earlier: readonly string[]
  readonly count: number
  /** When it was counted last; null: never. */
  readonly countedAt: number | null
  readonly found: RestoreFound | null
}

/** What tells that the store is older than the process that used it last. Every method is one transaction. */
export interface RestoreStore {
  get(): Promise<StoreUse>
  /** Counts on by one; several instances never get the same number. */
  count(): Promise<StoreUse>
  /**
   * Holds every job that was made up to `found.at`, but cancelled ones, and begins a new epoch with a count above
   * `above`. Gives how many unfinished jobs are held by it.
   */
  hold(found: Omit<RestoreFound, "read">, epoch: string, above: number): Promise<number>
  /** Somebody has read it. */
  read(): Promise<void>
}

/** A running process of the desk, as others know it. */
export interface InstanceRecord {
  readonly id: string
  /** What is needed to tell whether it still runs, as JSON: host, process id, start time. */
  readonly process: Readonly<Record<string, string>>
  /** ms since 1970, the store's clock. */
  readonly beatAt: number
  /** It ended orderly, with no call under way. */
  readonly stoppedAt: number | null
}

/** Who works on this store. */
export interface InstanceStore {
  /** Says that an instance is alive, with what tells its process. */
  beat(id: string, process: InstanceRecord["process"]): Promise<void>
  /** Says that it ended orderly. */
  stopped(id: string): Promise<void>
  get(id: string): Promise<InstanceRecord | undefined>
  /** Every instance that has not said that it ended. */
  list(): Promise<InstanceRecord[]>
  /** Forgets instances that ended before, or have been silent since, a time and own no sent or unknown row. */
  forget(before: number): Promise<void>
}
