import * as z from "zod/mini"
import {
  awardModes,
  jobFile,
  jobKinds,
  jobPause,
  jobStates,
  restoreSigns,
  rowStates,
} from "../../contract/job.ts"
import { rowDecision } from "../../contract/job-rows.ts"

/**
 * The records that a store keeps: each field once. The types of `job-store.ts` derive from these schemas, and the
 * tables of the store say in which column a field is kept. Times in ms since 1970, the store's clock.
 */

const time = z.nullable(z.number())
const text = z.nullable(z.string())
const number = z.nullable(z.number())
const object = z.readonly(z.record(z.string(), z.unknown()))

/** That a job is held after a restore (docs/decisions/0012-restore.md). */
export const jobHold = z.object({
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

/** A job, except for its sums of points, which follow from its kind. */
export const jobRecord = z.object({
  id: z.string(),
  kind: z.enum(jobKinds),
  title: text,
  state: z.enum(jobStates),
  pause: z.nullable(jobPause),
  /** Whether every row has its member and its correlation tag, so that sending may begin. */
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
  hold: z.nullable(jobHold),
})

/** What a new row has that neither names a member nor moves points. */
export const blankRow = {
  memberId: null,
  email: null,
  label: null,
  points: null,
  reason: null,
  reverses: null,
} as const

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
  /**
   * What the row does besides for whom (`rowEffect`): two rows of one member with the same effect are the same row.
   * Null: the row is never compared.
   */
  effect: z._default(text, null),
  /** Of a row with a reference: the same without it, for comparing with rows that have none. Else null. */
  effectWithoutReference: z._default(text, null),
  line: z._default(number, null),
  /** A person chose to send it although it repeats an earlier row. */
  repeat: z._default(z.boolean(), false),
  state: z.enum(rowStates),
  /** 1, 2, … among the job's rows of one member, so that no two carry the same correlation tag; null before preparation. */
  ordinal: z._default(number, null),
  attempts: z._default(z.number(), 0),
  /** Times a person edited it while it was planned: what was read of it before an edit is never sent. */
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

/** An effect of ours whose appearance in the history is watched: it proves that a search finds what is there. */
export const controlRecord = z.object({
  jobId: z.string(),
  row: z.number(),
  /** `award` or `deduct`: effects that appear in the history the same way. */
  type: z.string(),
  memberId: z.string(),
  upstreamId: z.string(),
  answeredAt: z.number(),
  seenAt: time,
  nextAt: time,
  looks: z.number(),
  /** It can show nothing, such as when the member was deleted. */
  void: z.boolean(),
})

export const storeUse = z.object({
  /** Names one line of work: it changes when a restore is found. */
  epoch: z.string(),
  earlier: z.readonly(z.array(z.string())),
  count: z.number(),
  countedAt: time,
  /** The restore that was found last; `read`: somebody has read that jobs may be missing. */
  found: z.nullable(z.object({ sign: z.enum(restoreSigns), at: z.number(), since: time, read: z.boolean() })),
})

export const instanceRecord = z.object({
  id: z.string(),
  /** What is needed to tell whether it still runs: host, process id, start time. */
  process: z.readonly(z.record(z.string(), z.string())),
  beatAt: z.number(),
  /** It ended orderly, with no call under way. */
  stoppedAt: time,
})
