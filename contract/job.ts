import * as z from "zod/mini"
import { limits } from "./limits.ts"
import { paging, plainText, timeSpan } from "./program/common.ts"

/** What a job can carry out. */
export const jobKinds = ["award", "deduct", "member-create", "redeem", "order-update", "giftcard"] as const
export type JobKind = (typeof jobKinds)[number]

/**
 * States of a job. `draft`: rows are still being added and nothing is sent; `cancelling`: what was sent is finished,
 * the rest stays planned; `done`: nothing is planned, sent or unknown any more.
 */
export const jobStates = ["draft", "running", "paused", "cancelling", "cancelled", "done"] as const
export type JobState = (typeof jobStates)[number]

/**
 * States of a row (docs/decisions/0002-money.md). `planned`: not sent; `sent`: a call is under way; `unknown`: how the
 * call ended has to be looked up; `confirmed`; `failed`: definitely not done; `absent`: proven not done, waits for a
 * person; `conflict`: only a person can tell; `excluded`: a row of the file that is never sent, kept with its reason.
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

/** How a job of awards goes out: up to 100 members in one request, or one request each. */
export const awardModes = ["bulk", "single"] as const
export type AwardMode = (typeof awardModes)[number]

/** How many rows stand in each state. */
const rowCounts = z.object({
  planned: z.int(),
  sent: z.int(),
  confirmed: z.int(),
  failed: z.int(),
  unknown: z.int(),
  absent: z.int(),
  conflict: z.int(),
  /** Never sent; not part of the job's `total`. */
  excluded: z.int(),
})
export type RowCounts = z.output<typeof rowCounts>

/** Why a job stands still; `code` is a service's or one of `pauseCodes`. */
export const jobPause = z.object({ code: z.string(), message: z.string() })

/** Codes of Laurel's own reasons for a pause. */
export const pauseCodes = {
  person: "paused_by_person",
  /** A row from a form could not be sent for a minute: nothing fires hours later by surprise. */
  notSentInTime: "not_sent_in_time",
  notConnected: "not_connected",
  templateNotFound: "template_not_found",
} as const

/**
 * What showed that the store is a restored backup (docs/decisions/0012-restore.md): its counter is behind the one beside
 * it, a row that it takes for not sent was found at the service, or an operator said so with `START_HELD`.
 */
export const restoreSigns = ["counter", "sample", "operator"] as const
export type RestoreSign = (typeof restoreSigns)[number]

/** A job that is held after a restore: nothing of it is sent before a person continues or cancels it. */
const jobHold = z.object({
  /** `looking`: its open rows are being looked up at the service; `ready`: a person is asked. */
  state: z.enum(["looking", "ready"]),
  sign: z.enum(restoreSigns),
  at: z.string(),
  /** Rows found at the service since then. */
  found: z.int(),
  looking: z.int(),
  /** Rows that were not found: they are sent when a person continues the job. */
  to_send: z.int(),
  undecided: z.int(),
})

/** What Laurel knows about a restore of its store, for the banner. Times are ISO 8601. */
const restoreNotice = z.object({
  sign: z.enum(restoreSigns),
  at: z.string(),
  /** The last time the restored store is known to have been in use; what was made after it is not in it. */
  since: z.nullable(z.string()),
  /** Jobs that are held, of those the person may see, and those of them whose rows are still looked up. */
  held: z.int(),
  looking: z.int(),
})

/** Response of `GET /api/jobs/summary`, of the jobs the person may see. */
export const jobSummary = z.object({
  active: z.int(),
  attention: z.int(),
  restore: z.nullish(restoreNotice),
})

/** What the job is doing right now, for people. */
export const jobPhases = ["preparing", "sending", "looking", "idle"] as const

/** A file that a job's rows came from. The fingerprint is the same for the same rows in another order or format. */
export const jobFile = z.strictObject({
  name: plainText(200),
  fingerprint: z.string().check(z.minLength(16), z.maxLength(128)),
})

/** One job (docs/api/laurel.md, Jobs). Times are ISO 8601. */
export const job = z.object({
  id: z.string(),
  kind: z.enum(jobKinds),
  /** What it is, for people; null: named by its kind and rows. */
  title: z.nullable(z.string()),
  state: z.enum(jobStates),
  pause: z.nullable(jobPause),
  phase: z.enum(jobPhases),
  /** Rows to carry out: all but the excluded ones. */
  total: z.int(),
  counts: rowCounts,
  /** Rows in `absent` or `conflict` that nobody has decided. */
  attention: z.int(),
  batch_code: z.string(),
  created_at: z.string(),
  created_by: z.object({ id: z.string(), name: z.string() }),
  started_at: z.nullable(z.string()),
  finished_at: z.nullable(z.string()),
  mode: z.nullable(z.enum(awardModes)),
  file: z.nullable(jobFile),
  /** Signed points of all rows, and of the confirmed ones; null for kinds without points. */
  points: z.nullable(z.object({ total: z.int(), confirmed: z.int() })),
  /** Rows that came to an end in the last minute, and ms left at that pace; null while nothing can be said. */
  pace: z.nullable(z.object({ per_minute: z.number(), ms_left: z.nullable(z.number()) })),
  hold: z.nullish(jobHold),
  reverses: z.nullable(z.string()),
  reversed_by: z.array(z.string()),
})
export type Job = z.output<typeof job>

/** How a job is made. `rows` are checked by the kind's own schema (`job-rows.ts`). */
export const createJobBody = z.strictObject({
  kind: z.enum(jobKinds),
  rows: z
    .array(z.unknown())
    .check(
      z.maxLength(
        limits.jobRowsAtOnce,
        `At most ${limits.jobRowsAtOnce} rows in one request. Create a draft and add the rest.`,
      ),
    ),
  options: z.optional(
    z.strictObject({
      /** Awards only; bulk is the default for more than one row. */
      mode: z.optional(z.enum(awardModes)),
      bulk_size: z.optional(z.int().check(z.minimum(1), z.maximum(limits.bulkRows))),
      /** Rows are added afterwards and nothing is sent before `start`. */
      draft: z.optional(z.boolean()),
      title: z.optional(plainText(120)),
      file: z.optional(jobFile),
    }),
  ),
})
export type CreateJobBody = z.output<typeof createJobBody>

/** A row's number in its file, from 1. */
const fileLine = z.int().check(z.minimum(1), z.maximum(10_000_000))

/** Why a row of a file is not sent: codes of `errors/row-outcomes.ts`. */
const exclusionCodes = [
  "problem_in_file",
  "duplicate_in_file",
  "outlier_in_file",
  "check_in_file",
  "repeated_row",
  "excluded_by_person",
] as const
export type ExclusionCode = (typeof exclusionCodes)[number]

/** A row of a file that is kept with the job and never sent; `input` is the row as far as it could be read. */
const excludedRow = z.strictObject({
  line: fileLine,
  input: z.record(z.string(), z.unknown()),
  code: z.enum(exclusionCodes),
  message: plainText(limits.reason),
})
export type ExcludedRow = z.output<typeof excludedRow>

/**
 * Body of `POST /api/jobs/{id}/rows`. `first_row` says which number the first of them gets: the same rows sent twice
 * are added once, and a gap is refused. `lines` are the rows' own numbers in their file, one for each of `rows`;
 * `excluded` are rows of the file that are kept and never sent. With `lines` both are numbered in the file's order.
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
 * Body of `POST /api/jobs/{id}/start`: `total` is refused when the draft has another number of rows to carry out.
 * `repeats` says how many of them repeat earlier rows and are to be sent all the same; refused when the store finds
 * another number. Without it a draft made of a file is started only if it repeats nothing, others are not compared.
 */
export const startJobBody = z.strictObject({
  total: z.optional(z.int().check(z.minimum(1))),
  repeats: z.optional(z.int().check(z.minimum(0))),
})
export type StartJobBody = z.output<typeof startJobBody>

/** Days for which an executed row is recognised when a file brings it again. */
export const repeatDays = 90

/** Body of `POST /api/jobs/repeats`: rows of a file that are compared with earlier rows. Nothing is kept. */
export const repeatsBody = z.strictObject({
  kind: z.enum(jobKinds),
  rows: z.array(z.unknown()).check(z.minLength(1), z.maxLength(limits.rowsCompared)),
})
export type RepeatsBody = z.output<typeof repeatsBody>

/**
 * Earlier rows that are the same as one of a file: executed, possibly executed, or about to be. `at` is the row's
 * place in the request. Rows with the same `key` share them: each earlier row makes one of them a repeat, no more.
 */
export const rowRepeats = z.object({
  at: z.int(),
  key: z.string(),
  count: z.int(),
  /** The newest of them; `row` is its number in its file where it has one. */
  job: z.string(),
  row: z.int(),
  state: z.enum(rowStates),
})
export type RowRepeats = z.output<typeof rowRepeats>

const reason = z.optional(plainText(limits.reason))

/** Body of pause, resume and cancel: managers say why they touch another person's job. */
export const controlJobBody = z.strictObject({ reason })

/**
 * Body of `POST /api/jobs/{id}/release`. Without `unproven` only rows go on that were looked up and not found; with it
 * also those that could not be decided or are not looked up yet.
 */
export const releaseJobBody = z.strictObject({
  reason,
  unproven: z.optional(z.boolean()),
})
export type ReleaseJobBody = z.output<typeof releaseJobBody>

/** Body of retry: all failed rows, or these, each unchanged or with a corrected input. */
export const retryJobBody = z.strictObject({
  reason,
  rows: z.optional(
    z
      .array(z.strictObject({ row: z.int().check(z.minimum(1)), input: z.optional(z.unknown()) }))
      .check(z.minLength(1), z.maxLength(limits.jobRowsAdded)),
  ),
})
export type RetryJobBody = z.output<typeof retryJobBody>

/**
 * Body of `PATCH /api/jobs/{id}/rows`: new inputs for planned rows of a paused job. None is changed when one of them
 * cannot be.
 */
export const editRowsBody = z.strictObject({
  reason,
  rows: z
    .array(z.strictObject({ row: z.int().check(z.minimum(1)), input: z.unknown() }))
    .check(z.minLength(1), z.maxLength(limits.jobRowsAdded)),
})
export type EditRowsBody = z.output<typeof editRowsBody>

/** Body of reverse: rows that are left out, such as those of members who no longer have the points. */
export const reverseJobBody = z.strictObject({
  reason,
  leave_out: z.optional(z.array(z.int().check(z.minimum(1))).check(z.maxLength(100_000))),
})

export type ReverseJobBody = z.output<typeof reverseJobBody>

/** Response of `GET /api/jobs/{id}/reversal`: what taking the job back would do. */
export const reversal = z.object({
  /** Rows that can be taken back now, the members they were awarded to, and their points. */
  rows: z.int(),
  members: z.int(),
  points: z.int(),
  /**
   * Reason of the first deduction, before the batch code that ends it in the ledger (docs/decisions/0008-jobs.md,
   * Marks); null where there is none to make.
   */
  ledger_reason: z.nullable(z.string()),
  ledger_reasons: z.int(),
  /** Requests that looking at the balances takes at most. */
  check_requests: z.int(),
  /** Rows nobody has decided yet: they can be taken back by a second reversal later. */
  undecided: z.int(),
  open: z.boolean(),
  why_not: z.nullable(z.string()),
  /** Whether the balances were looked at; false when nobody asked for it, or there are too many members to read. */
  checked: z.boolean(),
  /** Members who have fewer points than all their rows would take, first the ones who lack most. */
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
  before: z.optional(plainText(40)),
  per_page: paging.per_page,
  kind: z.optional(z.enum(jobKinds)),
  /** `active`: running, paused or cancelling; `attention`: somebody is needed. */
  state: z.optional(z.enum([...jobStates, "active", "attention"])),
  created_by: z.optional(plainText()),
  fingerprint: z.optional(z.string().check(z.maxLength(128))),
  ...timeSpan,
})
export type JobListQuery = z.output<typeof jobListQuery>

/** By what points are summed: the reason as it was written, who awarded, the month or the day. */
export const pointsReportGroups = ["reason", "person", "month", "day"] as const

/** Query of `GET /api/reports/points`: confirmed awards and deductions of our own jobs. Times are ISO 8601. */
export const pointsReportQuery = z.strictObject({
  by: z.optional(z.enum(pointsReportGroups)),
  ...timeSpan,
})
export type PointsReportQuery = z.output<typeof pointsReportQuery>

/** One line of the report; points are positive in both columns. */
const pointsReportRow = z.object({
  /** The reason, the person's name, or in the program's time zone a month such as `2026-11`, a day `2026-11-21`. */
  group: z.string(),
  awarded: z.int(),
  deducted: z.int(),
  awards: z.int(),
  deductions: z.int(),
})
/** Response of `GET /api/reports/points`. */
export const pointsReport = z.object({ rows: z.array(pointsReportRow), total: pointsReportRow })
export type PointsReport = z.output<typeof pointsReport>
