import { type Kysely, sql } from "kysely"
import type { InstanceStore, RestoreStore } from "../../core/jobs/process-store.ts"
import type { Store } from "../../core/ports.ts"
import { bookStore } from "./book-store.ts"
import { cardStore } from "./card-store.ts"
import { clockSql, type Engine } from "./engine.ts"
import type { WakeJob } from "./held-job.ts"
import { jobStore } from "./job-store.ts"
import {
  appendEntry,
  auditStore,
  driftStore,
  nameStore,
  noteStore,
  settingsStore,
  snapshotStore,
  usageStore,
} from "./plain-stores.ts"
import { type Database, instanceTable, useTable } from "./schema.ts"
import { wholeMs } from "./table.ts"

/** As much as a small write of Laurel's own takes: with less room there is none for work either. */
const filler = "-".repeat(32_768)

/** `wake`: with it, a transaction that gives a job work makes its run due. */
export function sqlStore(engine: Engine, wake?: WakeJob): Store {
  return {
    kind: engine.kind,
    budget: engine.budget,
    usage: usageStore(engine),
    drift: driftStore(engine),
    audit: auditStore(engine),
    notes: noteStore(engine),
    snapshots: snapshotStore(engine),
    names: nameStore(engine),
    cards: cardStore(engine),
    books: bookStore(engine),
    settings: settingsStore(engine),
    jobs: jobStore(engine, wake),
    instances: instanceStore(engine),
    restores: restoreStore(engine),
    ping: async () => {
      await engine.checkRoom?.()
      await engine.db
        .insertInto("readiness")
        .values({ id: 1, filler })
        .onConflict((conflict) => conflict.column("id").doUpdateSet({ filler }))
        .execute()
    },
    close: () => engine.close(),
  }
}

function instanceStore(engine: Engine): InstanceStore {
  const { db, patient, kind } = engine
  const now = clockSql[kind]
  const beat = async (within: Kysely<Database>, id: string, process: Readonly<Record<string, string>>) => {
    const seen = { process: JSON.stringify(process), beat_at: now, stopped_at: null }
    await within
      .insertInto("app_instance")
      .values({ id, ...seen })
      .onConflict((conflict) => conflict.column("id").doUpdateSet(seen))
      .execute()
  }
  return {
    beat: (id, process) => beat(db, id, process),
    claim: (id, process, silentMs) =>
      db.transaction().execute(async (within) => {
        const { instance } = process
        const at = await engine.lock(within, `instance ${instance}`)
        const running = await within
          .selectFrom("app_instance")
          .selectAll()
          .where("stopped_at", "is", null)
          .execute()
        const earlier = running
          .map(instanceTable.read)
          .filter((one) => instance !== undefined && one.process["instance"] === instance && one.id !== id)
        // Absolute: after the clock was set back, a heartbeat before that proves no life.
        const living = earlier.find(({ beatAt }) => Math.abs(at - beatAt) < silentMs)
        if (living !== undefined) return living
        for (const one of earlier)
          await within.updateTable("app_instance").set({ stopped_at: now }).where("id", "=", one.id).execute()
        await beat(within, id, process)
        return undefined
      }),
    end: (id, silentMs, entry) =>
      db.transaction().execute(async (within) => {
        const ended = await within
          .updateTable("app_instance")
          .set({ stopped_at: now })
          .where("id", "=", id)
          .where("stopped_at", "is", null)
          .where(sql<boolean>`abs(${now} - beat_at) >= ${wholeMs(silentMs)}`)
          .executeTakeFirst()
        if (ended.numUpdatedRows === 0n) return false
        if (entry !== undefined) await appendEntry(within, entry())
        return true
      }),
    async openRows(id) {
      const { rows } = await sql<{ open: number }>`select cast(count(*) as bigint) as open
        from job_row inner join job on job.number = job_row.job
        where job.busy = 1 and job_row.state in ('sent', 'unknown') and job_row.owner = ${id}
          and job_row.ended_at is null`.execute(db)
      return rows[0]?.open ?? 0
    },
    async stopped(id) {
      await db.updateTable("app_instance").set({ stopped_at: now }).where("id", "=", id).execute()
    },
    async get(id) {
      const found = await db.selectFrom("app_instance").selectAll().where("id", "=", id).executeTakeFirst()
      return found && instanceTable.read(found)
    },
    async list() {
      const known = await db.selectFrom("app_instance").selectAll().orderBy("id").execute()
      return known.map(instanceTable.read)
    },
    async forget(before) {
      await patient
        .deleteFrom("app_instance")
        .where(sql<boolean>`coalesce(stopped_at, beat_at) < ${wholeMs(before)}`)
        // Only busy jobs have such rows.
        .where(
          sql<boolean>`not exists (select 1 from job_row inner join job on job.number = job_row.job
            where job.busy = 1 and job_row.state in ('sent', 'unknown') and job_row.owner = app_instance.id)`,
        )
        .execute()
    },
  }
}

function restoreStore(engine: Engine): RestoreStore {
  const { db, patient, kind } = engine
  return {
    async get() {
      return useTable.read(await db.selectFrom("store_use").selectAll().executeTakeFirstOrThrow())
    },
    async count() {
      const counted = await db
        .updateTable("store_use")
        .set((eb) => ({ count: eb("count", "+", 1), counted_at: clockSql[kind] }))
        .returningAll()
        .executeTakeFirstOrThrow()
      return useTable.read(counted)
    },
    // Every job is changed, perhaps years of them.
    hold: (found, epoch, above) =>
      patient.transaction().execute(async (within) => {
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
            is_open: 0,
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
            earlier: JSON.stringify([...useTable.read(before).earlier, before.epoch]),
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
