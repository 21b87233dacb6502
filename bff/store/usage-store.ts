import { sql } from "kysely"
import * as z from "zod/mini"
import { apis } from "../../contract/status.ts"
import type { UsageRecord, UsageStore } from "../../core/ports.ts"
import type { Engine } from "./engine.ts"

const usageRecord = z.object({
  api: z.enum(apis),
  minute: z.number(),
  lane: z.enum(["people", "jobs"]),
  who: z.string(),
  requests: z.number(),
  refused: z.number(),
  slow: z.number(),
  trouble: z.number(),
  longestWaitMs: z.number(),
})

/** Counted calls; what several instances count for one minute is added up. */
export function usageStore(engine: Engine): UsageStore {
  return {
    add: (records) =>
      engine.db.transaction().execute(async (within) => {
        // Always in the same order, so that two instances never wait for each other.
        for (const record of records.toSorted((a, b) => keyOf(a).localeCompare(keyOf(b)))) {
          await within
            .insertInto("usage")
            .values({
              api: record.api,
              minute: record.minute,
              lane: record.lane,
              who: record.who,
              requests: record.requests,
              refused: record.refused,
              slow: record.slow,
              trouble: record.trouble,
              longest_wait_ms: record.longestWaitMs,
            })
            .onConflict((conflict) =>
              conflict.columns(["minute", "api", "lane", "who"]).doUpdateSet({
                requests: sql`usage.requests + excluded.requests`,
                refused: sql`usage.refused + excluded.refused`,
                slow: sql`usage.slow + excluded.slow`,
                trouble: sql`usage.trouble + excluded.trouble`,
                longest_wait_ms: sql`case when usage.longest_wait_ms > excluded.longest_wait_ms
                  then usage.longest_wait_ms else excluded.longest_wait_ms end`,
              }),
            )
            .execute()
        }
      }),
    since: async (at) => {
      const rows = await engine.db
        .selectFrom("usage")
        .selectAll()
        .where("minute", ">=", at)
        .orderBy("minute")
        .orderBy("api")
        .orderBy("lane")
        .orderBy("who")
        .execute()
      return rows.map((row) => usageRecord.parse({ ...row, longestWaitMs: row.longest_wait_ms }))
    },
    forgetBefore: async (at) => {
      await engine.db.deleteFrom("usage").where("minute", "<", at).execute()
    },
  }
}

function keyOf(record: UsageRecord): string {
  return `${record.minute} ${record.api} ${record.lane} ${record.who}`
}
