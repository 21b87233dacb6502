import { sql, type Selectable } from "kysely"
import { storeUse } from "../../core/job-data/record-schemas.ts"
import type { RestoreStore, StoreUse } from "../../core/jobs/job-store.ts"
import { clockSql } from "./clock-sql.ts"
import type { Engine } from "./engine.ts"
import type { JobTables } from "./job-schema.ts"
import { wholeMs } from "./recordset.ts"

/** How far the store has got, and which jobs are held because it was restored. */
export function restoreStore(engine: Engine): RestoreStore {
  const { db, kind } = engine
  return {
    async get() {
      return readUse(await db.selectFrom("store_use").selectAll().executeTakeFirstOrThrow())
    },
    async count() {
      const counted = await db
        .updateTable("store_use")
        .set((eb) => ({ count: eb("count", "+", 1), counted_at: clockSql[kind] }))
        .returningAll()
        .executeTakeFirstOrThrow()
      return readUse(counted)
    },
    hold: (found, epoch, above) =>
      db.transaction().execute(async (within) => {
        const before = await within
          .selectFrom("store_use")
          .selectAll()
          .$if(kind === "postgres", (query) => query.forUpdate())
          .executeTakeFirstOrThrow()
        const at = wholeMs(found.at)
        const since = found.since === null ? null : wholeMs(found.since)
        const held = await within
          .updateTable("job")
          .set((eb) => ({
            hold: "looking",
            held_sign: found.sign,
            held_at: at,
            held_since: since,
            held_confirmed: eb.ref("confirmed"),
            busy: sql<number>`case when state = 'paused' then 1 else busy end`,
          }))
          .where("state", "<>", "cancelled")
          .where("created_at", "<=", at)
          .returning("state")
          .execute()
        await within
          .updateTable("store_use")
          .set({
            epoch,
            earlier: JSON.stringify([...readUse(before).earlier, before.epoch]),
            count: Math.max(before.count, above) + 1,
            sign: found.sign,
            found_at: at,
            since,
            read: 0,
          })
          .execute()
        return held.filter(({ state }) => state !== "done" && state !== "draft").length
      }),
    async read() {
      await db.updateTable("store_use").set({ read: 1 }).execute()
    },
  }
}

function readUse(row: Selectable<JobTables["store_use"]>): StoreUse {
  return storeUse.parse({
    epoch: row.epoch,
    earlier: JSON.parse(row.earlier),
    count: row.count,
    countedAt: row.counted_at,
    found:
      row.sign === null ? null : { sign: row.sign, at: row.found_at, since: row.since, read: row.read === 1 },
  })
}
