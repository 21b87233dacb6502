import * as z from "zod/mini"
import { limits } from "./limits.ts"
import { paging } from "./program/common.ts"
import { transactionTypes } from "./program/points.ts"

/** A month of the program's time zone, such as `2026-11`. */
export const bookMonth = z.string().check(z.regex(/^\d{4}-(0[1-9]|1[0-2])$/, "A month such as 2026-11."))

/** A month in full: `October 2026`. */
export function monthName(month: string): string {
  const at = Date.parse(`${month}-01T00:00:00Z`)
  if (Number.isNaN(at)) return month
  return new Intl.DateTimeFormat("en-AU", { month: "long", year: "numeric", timeZone: "UTC" }).format(at)
}

/**
 * `ready`: the month is over and every ledger was read since; `waiting`: some were not. A closed month never changes.
 * `before`: the books begin with a later month, the first one that was closed.
 */
const monthStates = ["running", "waiting", "ready", "closed", "before"] as const

/** How many of the members' ledgers were read after the month ended, or in a running month were read at all. */
const coverage = z.object({
  read: z.int(),
  members: z.int(),
  /** The earliest and the latest of those reads, ISO 8601. */
  from: z.nullable(z.string()),
  to: z.nullable(z.string()),
})

/** Points and entries; points are negative where they were taken. */
const amount = z.object({ points: z.number(), entries: z.int() })

/** Kinds of ledger entries, and `other` for one that the document does not name. */
export const flowTypes = [...transactionTypes, "other"] as const
export type FlowType = (typeof flowTypes)[number]

const flow = z.object({
  type: z.enum(flowTypes),
  /** Made with Laurel. */
  ours: amount,
  /** Made by anybody else. */
  foreign: amount,
})

/** What is neither an entry of the month nor a balance (docs/books.md, Differences); lists have the urgent ones first. */
export const differenceClasses = [
  "unexplained",
  "missing",
  "foreign",
  "awaiting",
  "late",
  "brought-in",
  "deleted",
] as const
export type DifferenceClass = (typeof differenceClasses)[number]

/**
 * The points of a month: `opening + flows + brought_in + late + unexplained − deleted = closing`, over the members whose
 * ledgers were read. Points that await approval are in no balance.
 */
export const bookStatement = z.object({
  month: bookMonth,
  /** Begin and end of the month, ISO 8601; the end is no part of it. */
  from: z.string(),
  to: z.string(),
  time_zone: z.string(),
  state: z.enum(monthStates),
  /** When this was calculated, ISO 8601; for a closed month, when it was closed. */
  as_of: z.string(),
  closed_by: z.nullable(z.object({ id: z.string(), name: z.string() })),
  coverage,
  opening: z.number(),
  closing: z.number(),
  flows: z.array(flow),
  brought_in: amount,
  /** Entries dated into a month that was closed before they were read. */
  late: amount,
  /** Last balances of members who were deleted in the month. */
  deleted: amount,
  awaiting: amount,
  /** Confirmed by Laurel, and in no ledger that was read since. */
  missing: amount,
  unexplained: amount,
})
export type BookStatement = z.output<typeof bookStatement>

/** A line of `GET /api/books`, newest month first. */
export const bookLine = z.object({
  month: bookMonth,
  state: z.enum(monthStates),
  coverage,
  closed_at: z.nullable(z.string()),
  /** Of the statement as it was closed, or as last calculated; null: not yet. */
  closing: z.nullable(z.number()),
  unexplained: z.nullable(z.int()),
})
export type BookLine = z.output<typeof bookLine>

/** Query of `GET /api/books/{month}/differences`. */
export const differencesQuery = z.strictObject({
  ...paging,
  class: z.optional(z.enum(differenceClasses)),
})
export type DifferencesQuery = z.output<typeof differencesQuery>

/** One difference. Names and ids of members are absent for roles that do not see people. */
export const bookDifference = z.object({
  id: z.string(),
  class: z.enum(differenceClasses),
  member: z.nullable(z.object({ id: z.string(), name: z.string() })),
  points: z.number(),
  /** Time of the entry, or when the difference was first seen, ISO 8601. */
  at: z.nullable(z.string()),
  transaction_id: z.nullable(z.string()),
  type: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  reference: z.nullable(z.string()),
  /** Job and row that Laurel made, for `missing`. */
  row: z.nullable(z.object({ job: z.string(), row: z.int() })),
})
export type BookDifference = z.output<typeof bookDifference>

/** Body of `POST /api/books/{month}/close`: a person accepts how many members were not read. */
export const closeMonthBody = z.strictObject({
  /** Members whose ledgers were not read since the month ended, as shown; 0 closes only a complete month. */
  not_read: z.int().check(z.minimum(0)),
})

/** One row of a finance file: a reference or a member, points as signed there, and a day. */
const financeRow = z.strictObject({
  reference: z.optional(z.string().check(z.maxLength(limits.shortText))),
  /** Id or e-mail. */
  member: z.optional(z.string().check(z.maxLength(limits.shortText))),
  points: z.int(),
  day: z.iso.date(),
})
export type FinanceRow = z.output<typeof financeRow>

/** Body of `POST /api/books/{month}/match`. */
export const matchBody = z.strictObject({
  rows: z.array(financeRow).check(z.minLength(1), z.maxLength(limits.jobRowsAtOnce)),
})

/** `near`: the same reference or member with other points or another day; `several`: more entries fit than rows. */
export const matchResults = ["matched", "near", "several", "not-in-ledgers"] as const

/** Per row of the file, in its order, what the ledgers have; and the month's entries that no row named. */
export const matchReport = z.object({
  rows: z.array(
    z.object({
      result: z.enum(matchResults),
      /** The entry that it was matched with, or comes closest. */
      entry: z.nullable(
        z.object({
          transaction_id: z.string(),
          member_id: z.nullable(z.string()),
          points: z.number(),
          at: z.nullable(z.string()),
          reason: z.nullable(z.string()),
          reference: z.nullable(z.string()),
        }),
      ),
    }),
  ),
  not_in_file: amount,
})
export type MatchReport = z.output<typeof matchReport>
