import * as z from "zod/mini"
import { limits } from "../limits.ts"
import { timeSpan } from "./common.ts"
import { type Reader, type ReadOutcome } from "../reading.ts"

/** Reads leaderboards or rankings without a schema, because none is documented; anything but a list is drift. */
export const leaderboardReader: Reader<unknown> = {
  tolerant: z.unknown(),
  read: readBoards,
  show: readBoards,
}

/** The document says: a list of records, none of whose fields is shown (docs/api/program.md, Leaderboards). */
const records = z.array(z.record(z.string(), z.unknown()))

function readBoards(raw: unknown): ReadOutcome<unknown> {
  if (raw === undefined) return { ok: false, reason: "the response has no data" }
  const isDocumented = records.safeParse(raw).success
  return { ok: true, value: raw, drift: isDocumented ? [] : [{ field: "response", kind: "other" }] }
}

export const rankingsQuery = z.strictObject({
  limit: z.optional(z.int().check(z.minimum(1), z.maximum(limits.rankings.max))),
})

/** Query of `GET /api/leaderboards/{id}/history`: the last 30 days unless it says otherwise, at most `limit` rows each. */
export const boardHistoryQuery = z.strictObject({ ...rankingsQuery.shape, ...timeSpan })
export type BoardHistoryQuery = z.output<typeof boardHistoryQuery>

/** A board at some moments of a period, oldest first. */
export const boardHistory = z.object({
  /** When the oldest one that is kept was read; null: none is. */
  first_at: z.nullable(z.string()),
  snapshots: z.array(
    z.object({
      /** When the service answered. */
      at: z.string(),
      /** Rows in `sent`, as far as they could be counted. */
      places: z.int(),
      /** Whether the board had no further rows. */
      complete: z.boolean(),
      /** The rankings as they were sent, in the form they had. */
      sent: z.unknown(),
    }),
  ),
})
export type BoardHistory = z.output<typeof boardHistory>
