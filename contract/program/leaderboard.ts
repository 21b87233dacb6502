import * as z from "zod/mini"
import { limits } from "../limits.ts"
import { driftOf, type Reader, type ReadOutcome } from "../reading.ts"

/** What the document says: a list of records, none of whose fields is shown (docs/api/program.md, Leaderboards). */
const records = z.array(z.record(z.string(), z.unknown()))

/** Reads leaderboards or rankings as they came, because nobody has said what they hold; all but a list is drift. */
export const leaderboardReader: Reader<unknown> = {
  documented: records,
  tolerant: z.unknown(),
  read: readBoards,
  show: readBoards,
}

function readBoards(raw: unknown): ReadOutcome<unknown> {
  if (raw === undefined) return { ok: false, reason: "the response has no data" }
  const exact = records.safeParse(raw)
  return { ok: true, value: raw, drift: exact.success ? [] : driftOf(exact.error.issues, raw) }
}

export const rankingsQuery = z.strictObject({
  limit: z.optional(z.int().check(z.minimum(1), z.maximum(limits.rankings.max))),
})
