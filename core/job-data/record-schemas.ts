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

const time = z.nullable(z.number())
const text = z.nullable(z.string())
const record = z.readonly(z.record(z.string(), z.unknown()))

/** What is kept of a job besides what follows from its rows. */
export const jobFields = z.object({
  id: z.string(),
  kind: z.enum(jobKinds),
  title: text,
  state: z.enum(jobStates),
  pause: z.nullable(jobPause),
  prepared: z.boolean(),
  batchCode: z.string(),
  createdAt: z.number(),
  createdBy: z.object({ id: z.string(), name: z.string(), role: z.string() }),
  startedAt: time,
  finishedAt: time,
  mode: z.nullable(z.enum(awardModes)),
  bulkSize: z.number(),
  lane: z.enum(["people", "jobs"]),
  marked: z.boolean(),
  file: z.nullable(jobFile),
  repeats: z._default(z.nullable(z.number()), null),
  reverses: text,
  reversedBy: z.readonly(z.array(z.string())),
  // Jobs that were kept before stores could be held have none.
  hold: z._default(
    z.nullable(
      z.object({
        state: z.enum(["looking", "ready", "released"]),
        sign: z.enum(restoreSigns),
        at: z.number(),
        since: time,
        confirmedBefore: z.number(),
      }),
    ),
    null,
  ),
})
/** A row as it is kept. */
export const rowRecord = z.object({
  jobId: z.string(),
  row: z.number(),
  input: record,
  memberId: text,
  email: text,
  label: text,
  points: z.nullable(z.number()),
  reason: text,
  reverses: z.nullable(z.object({ job: z.string(), row: z.number() })),
  // A tab's state may be older than these three.
  effect: z._default(text, null),
  effectWithoutReference: z._default(text, null),
  line: z._default(z.nullable(z.number()), null),
  repeat: z._default(z.boolean(), false),
  state: z.enum(rowStates),
  ordinal: z.nullable(z.number()),
  attempts: z.number(),
  edits: z._default(z.number(), 0),
  owner: text,
  leaseUntil: time,
  firstSentAt: time,
  sentAt: time,
  endedAt: time,
  endedHow: text,
  bodyHash: text,
  request: text,
  singly: z.boolean(),
  doubtful: z.boolean(),
  resends: z.number(),
  nextAt: time,
  looks: z.readonly(z.array(z.number())),
  outcome: z.nullable(z.object({ code: z.string(), message: z.string() })),
  upstreamId: text,
  confirmedAt: time,
  balanceAfter: z.nullable(z.number()),
  decision: z.nullable(rowDecision),
  work: z.nullable(record),
})

/** An effect that is watched. */
export const controlRecord = z.object({
  jobId: z.string(),
  row: z.number(),
  type: z.string(),
  memberId: z.string(),
  upstreamId: z.string(),
  answeredAt: z.number(),
  seenAt: time,
  nextAt: time,
  looks: z.number(),
  void: z.boolean(),
})

/** How far a store has got. */
export const storeUse = z.object({
  epoch: z.string(),
  earlier: z.readonly(z.array(z.string())),
  count: z.number(),
  countedAt: time,
  found: z.nullable(z.object({ sign: z.enum(restoreSigns), at: z.number(), since: time, read: z.boolean() })),
})

/** A running process of the desk. */
export const instanceRecord = z.object({
  id: z.string(),
  process: z.readonly(z.record(z.string(), z.string())),
  beatAt: z.number(),
  stoppedAt: time,
})
