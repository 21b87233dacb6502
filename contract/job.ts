import * as z from "zod/mini"
import { jobKindDescriptors, jobKinds } from "./job-kinds.ts"
import { limits } from "./limits.ts"
import { paging, plainText, recordText, timeSpan } from "./program/common.ts"
import { restoreSigns } from "./events.ts"

/** `draft`: nothing is sent; `cancelling`: what was sent is finished, the rest stays planned; `done`: none is open. */
export const jobStates = ["draft", "running", "paused", "cancelling", "cancelled", "done"] as const
export type JobState = (typeof jobStates)[number]

/**
 * States of a row (docs/jobs.md). `failed`: definitely not done; `unknown`: has to be looked up;
 * `absent`: proven not done, waits for a person; `conflict`: only a person can tell; `excluded`: of the file, never
 * sent.
 */
export const rowStates = [
  "planned",
  "sent",
  "confirmed",
  "failed",
  "unknown",
  "absent",
  "conflict",
  "excluded",
] as const
export type RowState = (typeof rowStates)[number]

/** A row's state as people read it, on screens, in files and in messages. */
export const rowStateLabels: Readonly<Record<RowState, string>> = {
  planned: "Waiting",
  sent: "Sending",
  confirmed: "Done",
  failed: "Not done",
  unknown: "Checking",
  absent: "Needs you",
  conflict: "Needs you",
  excluded: "Left out",
}

/** How a job of awards goes out: up to 100 members in one request, or one request each. */
export const awardModes = ["bulk", "single"] as const
export type AwardMode = (typeof awardModes)[number]

const rowCounts = z.record(z.enum(rowStates), z.int())
export type RowCounts = z.output<typeof rowCounts>

/** Why a job is paused; `code` is a service's or one of `pauseCodes`. */
export const jobPause = z.object({ code: z.string(), message: z.string() })
export type JobPause = z.output<typeof jobPause>

/** Codes of Laurel's own reasons for a pause. */
export const pauseCodes = {
  person: "paused_by_person",
  /** Its maker was disabled or may no longer do this: an administrator or manager decides whether it continues. */
  makerLeft: "maker_left",
  /** A form's row could not be sent for a minute: nothing fires hours later by surprise. */
  notSentInTime: "not_sent_in_time",
  /** The same failure within Laurel came again and again: each attempt spends requests. */
  notPrepared: "not_prepared",
  notConnected: "not_connected",
  templateNotFound: "template_not_found",
} as const
export type PauseCode = (typeof pauseCodes)[keyof typeof pauseCodes]

export function isPauseCode(code: string): code is PauseCode {
  return Object.values<string>(pauseCodes).includes(code)
}

const jobHold = z.object({
  state: z.enum(["looking", "ready"]),
  sign: z.enum(restoreSigns),
  at: z.string(),
  found: z.int(),
  looking: z.int(),
  to_send: z.int(),
  undecided: z.int(),
})

/** A file that a job's rows came from. The fingerprint is the same for the same rows in another order or format. */
export const jobFile = z.strictObject({
  name: plainText(200),
  fingerprint: z.string().check(z.minLength(16), z.maxLength(128)),
})

/** Progress of a reversal that rows of another job wait for. */
const awaitedReversal = z.object({
  job: z.string(),
  reverses: z.string(),
  /** Rows that wait for it. */
  rows: z.int(),
  done: z.int(),
  total: z.int(),
  state: z.enum(jobStates),
})

/** One job (docs/api/laurel.md, Jobs). Times are ISO 8601. */
export const job = z.object({
  id: z.string(),
  kind: z.enum(jobKinds),
  /** null: named by its kind and rows. */
  title: z.nullable(z.string()),
  state: z.enum(jobStates),
  pause: z.nullable(jobPause),
  /** The current activity, for people. */
  phase: z.enum(["preparing", "sending", "looking", "idle"]),
  /** Rows to carry out: all but the excluded ones. */
  total: z.int(),
  counts: rowCounts,
  /** Undecided rows in `absent` or `conflict`. */
  attention: z.int(),
  batch_code: z.string(),
  created_at: z.string(),
  created_by: z.object({ id: z.string(), name: z.string() }),
  started_at: z.nullable(z.string()),
  finished_at: z.nullable(z.string()),
  /** From its start to its end in ms, without pauses and waiting for a person; null until the end. */
  worked_ms: z.nullable(z.int()),
  mode: z.nullable(z.enum(awardModes)),
  file: z.nullable(jobFile),
  /** Signed points of all rows, and of the confirmed ones; null for kinds without points. */
  points: z.nullable(z.object({ total: z.int(), confirmed: z.int() })),
  /** Of a running job: rows that ended in a minute, once that is known, and how long the rest takes. */
  pace: z.nullable(z.object({ per_minute: z.nullable(z.number()), ms_left: z.nullable(z.number()) })),
  /** While it is prepared: rows whose member is still to be found by e-mail. */
  finding: z.optional(z.int()),
  hold: z.nullish(jobHold),
  /** The service's own words when it last refused a whole bulk request, while rows of the job are still open. */
  refusal: z.nullish(z.object({ code: z.string(), message: z.string() })),
  reverses: z.nullable(z.string()),
  reversed_by: z.array(z.string()),
  /** Confirmed rows that are still missing in the ledger after the usual time. */
  not_in_ledger: z.optional(z.int()),
  /** Of a job that others reverse: rows and points that they took back so far, and rows that they still have to. */
  reversed: z.optional(z.object({ rows: z.int(), points: z.int(), open: z.int() })),
  /** The other job of a correction: awards of a file, and deductions for rows that were awarded too much. */
  linked: z.optional(z.string()),
  /** Reversals that rows of this job wait for, because these rows replace awards that are being taken back. */
  waits_for: z.optional(z.array(awaitedReversal)),
  /** Only for a job of the ship desk: whether it still takes rows, and when it stops at the latest. */
  open: z.optional(z.boolean()),
  closes_at: z.optional(z.string()),
})
export type Job = z.output<typeof job>

/** Response of `POST /api/jobs` with `open`: the person's open job, and the number of the added row in it. */
export const openJobRow = z.extend(job, { row: z.int() })

/**
 * How many of a job's completed rows are reversed; undefined unless most are. Rows of a reversed job are never sent
 * again.
 */
export function reversalState({ counts, reversed }: Pick<Job, "counts" | "reversed">) {
  if (reversed === undefined) return undefined
  const { rows, open } = reversed
  // Rows that a person confirmed by hand are reversed too.
  const of = Math.max(counts.confirmed, rows + open)
  if ((rows + open) * 2 <= of) return undefined
  return { rows, of, left: of - rows, isUnderWay: open > 0 }
}

const tooManyRows = `At most ${limits.jobRowsAtOnce} rows in one request. Create a draft and add the rest.`

/** How a job is made. `rows` are checked by the kind's own schema (`job-rows.ts`). */
export const createJobBody = z
  .strictObject({
    kind: z.enum(jobKinds),
    rows: z.array(z.unknown()).check(z.maxLength(limits.jobRowsAtOnce, tooManyRows)),
    options: z.optional(
      z.strictObject({
        mode: z.optional(z.enum(awardModes)),
        bulk_size: z.optional(z.int().check(z.minimum(1), z.maximum(limits.bulkRows))),
        draft: z.optional(z.boolean()),
        title: z.optional(plainText(limits.jobTitle)),
        file: z.optional(jobFile),
        /** Adds the row to the person's open job of the day, which is opened if there is none (docs/ship-desk.md). */
        open: z.optional(z.boolean()),
      }),
    ),
  })
  .check(
    z.refine(
      ({ kind, rows, options = {} }) =>
        options.open !== true ||
        (jobKindDescriptors[kind].staysOpen === true && rows.length === 1 && options.draft !== true),
      { path: ["options", "open"], error: "An open job takes one order’s change at a time." },
    ),
  )
export type CreateJobBody = z.output<typeof createJobBody>

const fileLine = z.int().check(z.minimum(1), z.maximum(10_000_000))

const exclusionCodes = [
  "problem_in_file",
  "duplicate_in_file",
  "outlier_in_file",
  "check_in_file",
  "repeated_row",
  "other_amount",
  "excluded_by_person",
] as const
export type ExclusionCode = (typeof exclusionCodes)[number]

const excludedRow = z.strictObject({
  line: fileLine,
  input: z.record(z.string(), z.unknown()),
  code: z.enum(exclusionCodes),
  message: plainText(limits.reason),
})
export type ExcludedRow = z.output<typeof excludedRow>

/**
 * Body of `POST /api/jobs/{id}/rows`. `first_row` is the number of the first: the same rows sent twice are added once,
 * and a gap is refused. `lines` are the rows' own numbers in their file; with them `excluded` ones are numbered in the
 * file's order, too.
 */
export const addRowsBody = z
  .strictObject({
    rows: z.array(z.unknown()).check(z.maxLength(limits.jobRowsAdded)),
    first_row: z.optional(z.int().check(z.minimum(1))),
    lines: z.optional(z.array(fileLine).check(z.maxLength(limits.jobRowsAdded))),
    excluded: z.optional(z.array(excludedRow).check(z.maxLength(limits.jobRowsAdded))),
  })
  .check(
    z.refine(({ rows, lines }) => lines === undefined || lines.length === rows.length, {
      path: ["lines"],
      error: "One number for each row.",
    }),
    z.refine(({ rows, excluded = [] }) => rows.length + excluded.length > 0, {
      path: ["rows"],
      error: "At least 1 row.",
    }),
    z.refine(({ rows, excluded = [] }) => rows.length + excluded.length <= limits.jobRowsAdded, {
      path: ["rows"],
      error: `At most ${limits.jobRowsAdded} rows in one request.`,
    }),
  )
export type AddRowsBody = z.output<typeof addRowsBody>

/**
 * Body of `POST /api/jobs/{id}/start`: `total` and `repeats` (rows that repeat earlier ones) are refused when they
 * differ. Without `repeats` a draft made of a file is started only if it repeats nothing; others are not compared.
 */
export const startJobBody = z.strictObject({
  total: z.optional(z.int().check(z.minimum(1))),
  repeats: z.optional(z.int().check(z.minimum(0))),
})
export type StartJobBody = z.output<typeof startJobBody>

/** Body of `POST /api/jobs/repeats`: rows of a file that are compared with earlier rows. Nothing is kept. */
export const repeatsBody = z.strictObject({
  kind: z.enum(jobKinds),
  rows: z.array(z.unknown()).check(z.minLength(1), z.maxLength(limits.rowsCompared)),
})
export type RepeatsBody = z.output<typeof repeatsBody>

const reason = z.optional(plainText(limits.reason))
const rowNumber = z.int().check(z.minimum(1))
const someRows = <T extends z.ZodMiniType>(row: T) =>
  z.array(row).check(z.minLength(1), z.maxLength(limits.jobRowsAdded))

/** Body of pause, resume and cancel: managers give a reason for another person's job. */
export const controlJobBody = z.strictObject({ reason })
export type ControlJobBody = z.output<typeof controlJobBody>

/** Body of `POST /api/jobs/{id}/release`. Without `unproven` only rows are released that were looked up and not found. */
export const releaseJobBody = z.strictObject({ reason, unproven: z.optional(z.boolean()) })
export type ReleaseJobBody = z.output<typeof releaseJobBody>

/** Body of retry: all failed rows, or these failed or left-out ones, each unchanged or with a corrected input. */
export const retryJobBody = z.strictObject({
  reason,
  rows: z.optional(someRows(z.strictObject({ row: rowNumber, input: z.optional(z.unknown()) }))),
})
export type RetryJobBody = z.output<typeof retryJobBody>

/** Body of leave-out: failed rows that will not be sent. */
export const excludeRowsBody = z.strictObject({ reason, rows: someRows(rowNumber) })
export type ExcludeRowsBody = z.output<typeof excludeRowsBody>

/** Body of `PATCH /api/jobs/{id}/rows`: new inputs for planned rows of a paused job, all of them or none. */
export const editRowsBody = z.strictObject({
  reason,
  rows: someRows(z.strictObject({ row: rowNumber, input: z.unknown() })),
})
export type EditRowsBody = z.output<typeof editRowsBody>

/** Body of reverse: the rows to reverse, or those that are left out, such as those of members who no longer have the points. */
export const reverseJobBody = z.strictObject({
  reason,
  /** Only these rows. */
  rows: z.optional(someRows(rowNumber)),
  leave_out: z.optional(z.array(rowNumber).check(z.maxLength(100_000))),
  /** What members read in their ledger, before the batch code; without it "Correction: " and the award's reason. */
  ledger_reason: z.optional(plainText(limits.reason)),
})

export type ReverseJobBody = z.output<typeof reverseJobBody>

/** Response of `GET /api/jobs/{id}/reversal`: effects of reversing the job. */
export const reversal = z.object({
  rows: z.int(),
  members: z.int(),
  points: z.int(),
  /** Rows whose awards were corrected by deductions: what is left of them is taken back. */
  corrected: z.int(),
  /** The first five members it takes points from; `label` is null where only the id is known. */
  first_members: z.array(z.object({ member_id: z.string(), label: z.nullable(z.string()) })),
  /** Of the first deduction, before its batch code (docs/jobs.md, Correlation tags); null without one. */
  ledger_reason: z.nullable(z.string()),
  ledger_reasons: z.int(),
  /** Most requests for reading the balances. */
  check_requests: z.int(),
  /** Undecided rows: a second reversal can reverse them later. */
  undecided: z.int(),
  open: z.boolean(),
  why_not: z.nullable(z.string()),
  /** False when it was not requested, or there are too many members to read. */
  checked: z.boolean(),
  /** Members with fewer points than their rows would deduct, largest shortfall first. */
  short: z.array(
    z.object({
      rows: z.array(z.int()),
      member_id: z.string(),
      label: z.nullable(z.string()),
      points: z.int(),
      balance: z.int(),
    }),
  ),
})
/** Query of `GET /api/jobs/{id}/reversal`: `balances` reads them from the service, which costs requests. */
export const reversalQuery = z.strictObject({ balances: z.optional(z.literal("read")) })

export type Reversal = z.output<typeof reversal>

/** Query of `GET /api/jobs`: newest first; `before` is the id of the last job of the page before. */
export const jobListQuery = z.strictObject({
  before: z.optional(recordText(40)),
  per_page: paging.per_page,
  kind: z.optional(z.enum(jobKinds)),
  /** `failed`: under way no more, with failed rows. */
  state: z.optional(z.enum([...jobStates, "active", "attention", "failed"])),
  created_by: z.optional(recordText()),
  fingerprint: z.optional(z.string().check(z.maxLength(128))),
  ...timeSpan,
})
export type JobListQuery = z.output<typeof jobListQuery>

/** By what points are summed: the reason as it was written, who awarded, the month or the day. */
const pointsReportGroups = ["reason", "person", "month", "day"] as const

/** Query of `GET /api/reports/points`: confirmed awards and deductions of Laurel's jobs. Times are ISO 8601. */
export const pointsReportQuery = z.strictObject({
  by: z.optional(z.enum(pointsReportGroups)),
  /** Each line once for each of the leading reasons, and once for all others. */
  split: z.optional(z.literal("reason")),
  ...timeSpan,
})
export type PointsReportQuery = z.output<typeof pointsReportQuery>

/** One line of the report; points are positive in both columns. */
const pointsReportRow = z.object({
  group: z.string(),
  /** Of a split line: the reason as it was written; null for all that lead none. */
  reason: z.optional(z.nullable(z.string())),
  awarded: z.int(),
  deducted: z.int(),
  awards: z.int(),
  deductions: z.int(),
})
export const pointsReport = z.object({ rows: z.array(pointsReportRow), total: pointsReportRow })
export type PointsReport = z.output<typeof pointsReport>
