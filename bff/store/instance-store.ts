import { sql, type Selectable } from "kysely"
import { instanceRecord } from "../../core/job-data/record-schemas.ts"
import type { InstanceRecord, InstanceStore } from "../../core/jobs/job-store.ts"
import { clockSql } from "./clock-sql.ts"
import type { Engine } from "./engine.ts"
import type { InstanceTable } from "./job-schema.ts"
import { wholeMs } from "./recordset.ts"

/** Who works on this store, on the database's clock. */
export function instanceStore({ db, kind }: Engine): InstanceStore {
  const now = clockSql[kind]
  return {
    async beat(id, process) {
      const beat = { process: JSON.stringify(process), beat_at: now }
      await db
        .insertInto("desk_instance")
        .values({ id, ...beat, stopped_at: null })
        .onConflict((conflict) => conflict.column("id").doUpdateSet(beat))
        .execute()
    },
    async stopped(id) {
      await db.updateTable("desk_instance").set({ stopped_at: now }).where("id", "=", id).execute()
    },
    async get(id) {
      const found = await db.selectFrom("desk_instance").selectAll().where("id", "=", id).executeTakeFirst()
      return found === undefined ? undefined : instanceOf(found)
    },
    async list() {
      const found = await db
        .selectFrom("desk_instance")
        .selectAll()
        .where("stopped_at", "is", null)
        .orderBy("id")
        .execute()
      return found.map(instanceOf)
    },
    async forget(before) {
      await db
        .deleteFrom("desk_instance")
        .where(sql<boolean>`coalesce(stopped_at, beat_at) < ${wholeMs(before)}`)
        // Only busy jobs have such rows.
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom("job_row")
                .innerJoin("job", "job.number", "job_row.job")
                .select("job_row.row")
                .where("job.busy", "=", sql.lit(1))
                .where("job_row.state", "in", ["sent", "unknown"])
                .where("job_row.owner", "=", eb.ref("desk_instance.id")),
            ),
          ),
        )
        .execute()
    },
  }
}

function instanceOf(row: Selectable<InstanceTable>): InstanceRecord {
  return instanceRecord.parse({
    id: row.id,
    process: JSON.parse(row.process),
    beatAt: row.beat_at,
    stoppedAt: row.stopped_at,
  })
}
