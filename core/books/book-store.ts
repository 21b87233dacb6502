import * as z from "zod/mini"
import type { AuditEntry } from "../../contract/audit.ts"
import { bookStatement } from "../../contract/books.ts"

// What is kept of the books (docs/books.md). Times are ms since 1970.

/** Members and their points on a day of the program's time zone, as the local copy had them. */
export const bookDay = z.object({
  /** Such as `2026-11-30`. */
  day: z.string(),
  at: z.number(),
  members: z.number(),
  /** Sum of the balances. */
  points: z.number(),
  /** Members whose balance the service did not send. */
  withoutBalance: z.number(),
  /** Members whose ledger was in the copy. */
  ledgersRead: z.number(),
})
export type BookDay = Readonly<z.output<typeof bookDay>>

/** A month's statement as last calculated, or as it was closed. */
export const bookMonth = z.object({
  month: z.string(),
  statement: bookStatement,
  calculatedAt: z.number(),
  closedAt: z.nullable(z.number()),
  closedBy: z.nullable(z.object({ id: z.string(), name: z.string() })),
})
export type BookMonth = Readonly<z.output<typeof bookMonth>>

/** What a closed month was made of: each member's points at its end, and how many entries were dated before that. */
export type BookBasis = ReadonlyMap<string, readonly [points: number, entries: number]>

/** What is kept of a deleted member's ledger, until the months that it is in are closed. */
const ledgerEntry = z.object({
  id: z.string(),
  n: z.number(),
  type: z.string(),
  points: z.nullable(z.number()),
  balance_after: z.nullable(z.number()),
  created_at: z.nullable(z.number()),
})

/** A difference that two looks at the service showed, or may show; or a deleted member. */
export const differenceRecord = z.object({
  id: z.string(),
  class: z.enum(["unexplained", "awaiting", "missing", "deleted"]),
  member: z.string(),
  points: z.number(),
  /** The month in which it counts. */
  month: z.string(),
  firstAt: z.number(),
  /** The look that made it count; null: it was seen once. */
  secondAt: z.nullable(z.number()),
  resolvedAt: z.nullable(z.number()),
  detail: z.object({
    /** Of `missing`: the entry, or the order of a redemption. */
    transaction: z.optional(z.string()),
    order: z.optional(z.string()),
    row: z.optional(z.object({ job: z.string(), row: z.int() })),
    /** Of `deleted`. */
    entries: z.optional(z.array(ledgerEntry)),
  }),
})
export type DifferenceRecord = Readonly<z.output<typeof differenceRecord>>

/** A confirmed row of ours whose entry is known by its id. */
export interface BookedRow {
  readonly job: string
  readonly row: number
  readonly memberId: string
  readonly points: number
  readonly transaction: string
  readonly at: number
}

/** A confirmed redemption of ours. */
export interface BookedRedemption {
  readonly job: string
  readonly row: number
  readonly memberId: string
  readonly order: string | null
  /** null: unknown. */
  readonly points: number | null
  readonly from: number
  readonly to: number
}

/** The tag of a row, as an entry carries it: with the row's number, or with its ordinal among the member's rows. */
export interface EntryTag {
  readonly batchCode: string
  readonly row: number | null
  readonly ordinal: number | null
  readonly memberId: string
  readonly points: number
}

export interface BookStore {
  /** Keeps the first row of a day. */
  addDay(day: BookDay): Promise<void>
  /** Of the days from `from` to `to`, both included, oldest first. */
  days(from: string, to: string): Promise<BookDay[]>

  /** Every month that was calculated, oldest first. */
  months(): Promise<BookMonth[]>
  basis(month: string): Promise<BookBasis | undefined>
  /** Keeps what was calculated, unless the month is closed. */
  keep(month: Pick<BookMonth, "month" | "statement" | "calculatedAt">): Promise<void>
  /** Closes a month with an audit entry; false: it is closed already, and nothing was done. */
  close(
    month: BookMonth & { readonly closedAt: number },
    basis: BookBasis,
    entry: (() => AuditEntry) | undefined,
  ): Promise<boolean>

  /** Those that were not resolved, of every class or some. */
  differences(classes?: readonly DifferenceRecord["class"][]): Promise<DifferenceRecord[]>
  put(differences: readonly DifferenceRecord[]): Promise<void>
  /** Forgets deleted members: those that were resolved before a time, and every one from before another. */
  forgetDeparted(resolvedBefore: number, before: number): Promise<void>

  /** Confirmed awards and deductions since a time, oldest first; `after`: the last one of the page before. */
  booked(since: number, after: BookedRow | undefined, limit: number): Promise<BookedRow[]>
  redemptions(since: number): Promise<BookedRedemption[]>
  /** Those of the tags that belong to a confirmed row of ours without a known entry. */
  tagged(tags: readonly EntryTag[]): Promise<EntryTag[]>
}
