import * as z from "zod/mini"

/** Members and their points on a day of the program's time zone, as the local copy had them. */
export const bookDay = z.object({
  /** Such as `2026-11-30`. */
  day: z.string(),
  /** ms since 1970. */
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

/** What is kept of the books (docs/books.md). */
export interface BookStore {
  /** Keeps the first row of a day. */
  addDay(day: BookDay): Promise<void>
  /** Of the days from `from` to `to`, both included, oldest first. */
  days(from: string, to: string): Promise<BookDay[]>
}
