import * as z from "zod/mini"
import { limits } from "../limits.ts"
import type { Reader } from "../reader.ts"

/** A leaderboard or one of its rankings: the document shows no fields, so any record is kept as it came. */
export type LeaderboardRecord = Record<string, unknown>

const records = z.array(z.record(z.string(), z.unknown()))

/** Reads leaderboards or rankings. Nothing is documented, so nothing can differ. */
export const leaderboardReader: Reader<LeaderboardRecord[]> = {
  documented: records,
  tolerant: records,
  read(raw) {
    const parsed = records.safeParse(raw)
    return parsed.success
      ? { ok: true, value: parsed.data, drift: [] }
      : { ok: false, reason: "a list of records was expected" }
  },
}

/** Query of the rankings of one leaderboard. */
export const rankingsQuery = z.strictObject({
  limit: z.optional(z.int().check(z.minimum(1), z.maximum(limits.rankings.max))),
})
/** How many rankings are read. */
export type RankingsQuery = z.output<typeof rankingsQuery>
