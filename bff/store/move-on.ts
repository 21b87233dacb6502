import { sql } from "kysely"
import type { Engine } from "./engine.ts"

const hourMs = 3_600_000
/** Whoever comes back sooner goes on the same day. */
const sameDayHours = 12
/** Tables of what people and jobs did; sessions, leases and the budget keep the real time. */
const dated = new Set(
  "audit job job_row job_control card leaderboard_snapshot member_name drift app_user".split(" "),
)
/** Columns with ISO times, alone or in JSON. */
const written = {
  app_user: "created_at",
  job_row: "work",
  note: "saved_at",
  note_version: "saved_at",
  setting: "value",
} as const
const isoTime = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g

/** A time in ms since 1970 (2001 to 2033), as keys of notices and dismissals have it. */
const msTime = /\b1\d{12}\b/g

/** What was read or dismissed stays so: the times in it are those of the jobs, which move on. */
async function moveNoticesOn(db: Engine["db"], ms: number): Promise<void> {
  const found = await db
    .selectFrom("setting")
    .select(["name", "value"])
    .where((eb) => eb.or([eb("name", "like", "notices:%"), eb("name", "=", "dismissed-failures")]))
    .execute()
  for (const { name, value } of found) {
    const later = value.replaceAll(msTime, (time) => String(Number(time) + ms))
    await db.updateTable("setting").set({ value: later }).where("name", "=", name).execute()
  }
}

/**
 * Opened on another day, a sandbox's store tells of that day: everything in it moves on by the whole hours since it was
 * last used, and `services` does the same in the same transaction. So what was done since the seed keeps its distance to
 * the seed's own history, and nothing comes to lie in the future. SQLite only, as the sandbox is.
 */
export async function moveOn(engine: Engine, services: (ms: number) => void): Promise<void> {
  const { db } = engine
  const tables = await db.introspection.getTables()
  const at = await engine.now()
  await db.transaction().execute(async (within) => {
    const { rows } = await sql<{ newest: number | null }>`select max(at) as newest from (
      select max(at) as at from audit union all select max(at) from leaderboard_snapshot
      union all select max(minute) from usage)`.execute(within)
    const hours = Math.floor((at - (rows[0]?.newest ?? at)) / hourMs)
    if (hours < sameDayHours) return
    const ms = hours * hourMs
    for (const { name, columns } of tables.filter((table) => dated.has(table.name))) {
      const times = columns.filter((column) => column.dataType === "bigint" && /(^|_)at$/.test(column.name))
      const set = times.map((column) => sql`${sql.ref(column.name)} = ${sql.ref(column.name)} + ${ms}`)
      await sql`update ${sql.table(name)} set ${sql.join(set)}`.execute(within)
    }
    // In two steps: no two snapshots of a board may ever be of the same hour.
    await sql`update leaderboard_snapshot set hour = 0 - hour`.execute(within)
    await sql`update leaderboard_snapshot set hour = ${hours} - hour`.execute(within)
    await sql`update job_row set looks = (select json_group_array(value + ${ms}) from json_each(looks))
      where looks <> '[]'`.execute(within)
    for (const [table, column] of Object.entries(written)) {
      const found = await sql<{ id: number; text: string }>`select rowid as id, ${sql.ref(column)} as text
        from ${sql.table(table)} where ${sql.ref(column)} glob '*[0-9]T[0-9]*Z*'`.execute(within)
      for (const { id, text } of found.rows) {
        const later = text.replaceAll(isoTime, (time) => new Date(Date.parse(time) + ms).toISOString())
        await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${later} where rowid = ${id}`.execute(
          within,
        )
      }
    }
    await moveNoticesOn(within, ms)
    services(ms)
  })
}
