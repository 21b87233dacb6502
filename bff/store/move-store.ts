import { hash, randomUUID } from "node:crypto"
import { existsSync } from "node:fs"
import { dirname } from "node:path"
import { type Kysely, sql, type Transaction } from "kysely"
import { isBehind, readMarker } from "../../core/jobs/restore-guard.ts"
import type { Log } from "../../core/ports.ts"
import { lockFolder, restoreMarker } from "./data-folder.ts"
import { clockSql, type Engine, reasonOf, StoreRefused } from "./engine.ts"
import { migrate, storeMoveTable } from "./migrations.ts"
import { databaseName } from "./open-store.ts"
import { openPostgres } from "./postgres.ts"
import type { Database } from "./schema.ts"
import { sqlStore } from "./sql-store.ts"
import { openBudget, openSqlite } from "./sqlite.ts"

type Row = Readonly<Record<string, unknown>>

export interface StoreMove {
  /** The store's file. Its folder is locked during the move. */
  readonly file: string
  readonly databaseUrl: string
  readonly log: Log
  /** Called with each line of progress. */
  readonly report: (line: string) => void
}

/**
 * Copies the store of a file into an empty PostgreSQL database and marks the file as moved. Until the end no
 * instance starts on the database, because of a mark in it; the file is marked just before. At most one of the two is usable.
 * @throws StoreRefused
 */
export async function moveStore({ file, databaseUrl, log, report }: StoreMove): Promise<void> {
  if (!existsSync(file)) {
    throw new StoreRefused(
      `There is no store ${file}. Nothing was copied. Set DATA_DIR to the folder that holds laurel.db; the store of the built-in sandbox cannot be moved.`,
    )
  }
  const folder = lockFolder(dirname(file))
  try {
    const source = openSqlite(file, log)
    try {
      const target = await openTarget(databaseUrl, log)
      try {
        await move({ source, target, file, to: databaseName(databaseUrl), alone: folder.isExclusive, report })
      } finally {
        await target.close()
      }
    } finally {
      await source.close()
    }
  } finally {
    folder.release()
  }
}

async function openTarget(databaseUrl: string, log: Log): Promise<Engine> {
  try {
    return await openPostgres(databaseUrl, log)
  } catch (error) {
    throw new StoreRefused(
      `The database ${databaseName(databaseUrl)} cannot be reached: ${reasonOf(error)}. Nothing was copied, and Laurel still starts on the file. Correct the address or start the database, then repeat the move.`,
      { cause: error },
    )
  }
}

interface Ends {
  readonly source: Engine
  readonly target: Engine
  readonly file: string
  /** The target by host and name. */
  readonly to: string
  /** Every earlier instance of the source has ended. */
  readonly alone: boolean
  readonly report: StoreMove["report"]
}

async function move(ends: Ends): Promise<void> {
  const { source, target, file, to, report } = ends
  await migrate(source)
  const moved = await source.db.selectFrom("store_move").selectAll().executeTakeFirst()
  if (moved !== undefined) return finishEarlier(ends, moved)
  if ((await source.db.selectFrom("stamp").selectAll().executeTakeFirst()) === undefined) {
    throw new StoreRefused(
      `The store ${file} was never used. Nothing was copied. Start Laurel with DATABASE_URL instead.`,
    )
  }
  await requireNotRestored(source, file)
  const id = randomUUID()
  await claimTarget(ends, id)
  report(`Copying ${file} to ${to}. Until the end Laurel does not start on that database.`)
  let copied: Awaited<ReturnType<typeof copyAll>>
  try {
    await migrate(target)
    await incrementCount(source, file)
    copied = await copyAll(ends, id)
  } catch (error) {
    throw new StoreRefused(
      `The move was interrupted: ${reasonOf(error)}. Laurel still starts on ${file}. It does not start on the database ${to}: delete that database and create it again, empty, then repeat the move.`,
      { cause: error },
    )
  }
  await release(ends)
  report(
    `Copied ${copied.tables} tables with ${copied.rows} rows. Counts and checksums of both stores agree.`,
  )
}

/** The last step: from here on instances start on the database. */
async function release({ target, file, to }: Ends): Promise<void> {
  try {
    await target.db.deleteFrom("store_move").execute()
  } catch (error) {
    throw new StoreRefused(
      `Everything was copied and ${file} is marked as moved, but the database ${to} could not be released: ${reasonOf(error)}. Nothing starts on either until then. Repeat the same command: it finishes the move.`,
      { cause: error },
    )
  }
}

/** An earlier move may have ended after the file was marked and before the database was released. */
async function finishEarlier(ends: Ends, moved: Database["store_move"]): Promise<void> {
  const { target, file, to, report } = ends
  const found = (await tablesOf(target.db)).includes("store_move")
    ? await target.db.selectFrom("store_move").selectAll().executeTakeFirst()
    : undefined
  if (found?.id !== moved.id || found.state !== "filled") {
    throw new StoreRefused(
      `The store ${file} was moved to ${moved.other} already. Nothing was copied. Start Laurel with that database as DATABASE_URL.`,
    )
  }
  await release(ends)
  report(`An earlier move had copied everything to ${to}. It is finished now.`)
}

/** Marks the database as the target, so that no instance starts on it. Refused if it has tables. */
async function claimTarget({ target, file, to }: Ends, id: string): Promise<void> {
  await target.patient.transaction().execute(async (into) => {
    const at = await target.lock(into, "stamp")
    const found = await tablesOf(into)
    if (found.length > 0) {
      const isTarget =
        found.includes("store_move") && (await into.selectFrom("store_move").selectAll().execute()).length > 0
      throw new StoreRefused(
        isTarget
          ? `The database ${to} is the target of another move, or of one that was interrupted. Nothing was copied, and Laurel still starts on ${file}. Delete that database and create it again, empty, then repeat the move.`
          : `The database ${to} is not empty: it has ${found.length} tables, such as "${found[0]}". Nothing was copied or deleted, and Laurel still starts on ${file}. Give the address of an empty database.`,
      )
    }
    await sql.raw(storeMoveTable).execute(into)
    await into.insertInto("store_move").values({ id, state: "filling", other: file, at }).execute()
  })
}

/** Tables where Laurel's would be, and of its job queue. */
async function tablesOf(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and n.nspname in (current_schema(), 'pgboss') order by 1`.execute(db)
  return rows.map(({ name }) => name)
}

const markerOf = (file: string) => restoreMarker(file.replace(/(\.db)?$/, "-counter.json"))

/** A restored backup is recognised by the marker in its folder, which the database will not have. */
async function requireNotRestored(source: Engine, file: string): Promise<void> {
  const marker = await readMarker(markerOf(file)).catch(() => undefined)
  if (marker === undefined || !isBehind(await sqlStore(source).restores.get(), marker)) return
  throw new StoreRefused(
    `The store ${file} is a restored backup. Nothing was copied. Start Laurel on it once, so that its jobs are held and looked up, stop it again, and repeat the move.`,
  )
}

/**
 * Increments the count in the store and in its marker, as running instances do (docs/restore.md): a backup from before
 * the move is behind the marker, the moved store is not. The time of the last use is unchanged.
 */
async function incrementCount({ db }: Engine, file: string): Promise<void> {
  const counted = await db
    .updateTable("store_use")
    .set((eb) => ({ count: eb("count", "+", 1) }))
    .returning(["epoch", "count"])
    .executeTakeFirstOrThrow()
  await markerOf(file).write(JSON.stringify(counted))
}

/** Not copied: they belong to one store. Leases end with the instances that hold them. */
const ownTables = new Set([
  "kysely_migration",
  "kysely_migration_lock",
  "store_move",
  "readiness",
  "job_lease",
])

/** Times on the database's clock that matter within the next minute. */
const clockColumns: Readonly<Record<string, string>> = { budget_grant: "free_at", budget_block: "until_at" }

/** Copies and compares every table in one transaction, then marks both stores. */
async function copyAll({ source, target, file, to, alone, report }: Ends, id: string) {
  const budget = openBudget(file)
  try {
    return await source.db.transaction().execute(async (from) => {
      // The folder's lock proves that their calls have ended.
      if (alone)
        await from
          .updateTable("app_instance")
          .set({ stopped_at: clockSql.sqlite })
          .where("stopped_at", "is", null)
          .execute()
      const total = await target.patient.transaction().execute(async (into) => {
        const targetNow = await target.lock(into, "stamp")
        if ((await into.selectFrom("stamp").selectAll().executeTakeFirst()) !== undefined)
          throw new Error("a Laurel was started on the database meanwhile")
        const shift = targetNow - (await source.lock(from, "stamp"))
        const tables = await tablesToCopy(from, into)
        let rows = 0
        for (const table of tables) {
          const clockColumn = clockColumns[table.name]
          const readFrom = clockColumn === undefined ? from : budget
          const count = await copyTable(readFrom, into, table, clockColumn, shift)
          if (count > 0) report(`  ${table.name}: ${count} rows`)
          rows += count
        }
        await continueSequences(from, into, tables)
        await into.updateTable("store_move").set({ state: "filled" }).where("id", "=", id).execute()
        return { tables: tables.length, rows }
      })
      const at = await source.lock(from, "stamp")
      await from.insertInto("store_move").values({ id, state: "moved", other: to, at }).execute()
      return total
    })
  } finally {
    await budget.destroy()
  }
}

interface Table {
  readonly name: string
  readonly columns: readonly Readonly<{ name: string; dataType: string; isAutoIncrementing: boolean }>[]
}

/** Every table of both stores, users before what refers to them. */
async function tablesToCopy(from: Kysely<Database>, into: Kysely<Database>): Promise<Table[]> {
  const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(into)
  const [there, here] = await Promise.all([into.introspection.getTables(), from.introspection.getTables()])
  const known = new Map(
    here.map(({ name, columns }) => [name, columns.map((column) => column.name).toSorted()]),
  )
  const tables = there.filter(({ name, schema }) => schema === rows[0]?.schema && !ownTables.has(name))
  const missing = here.filter(({ name }) => !ownTables.has(name) && !tables.some((one) => one.name === name))
  if (missing.length > 0) throw new Error(`the database has no table ${missing[0]?.name}`)
  for (const { name, columns } of tables) {
    const names = columns.map((column) => column.name).toSorted()
    if (String(names) !== String(known.get(name))) throw new Error(`the columns of ${name} differ`)
  }
  return tables.toSorted((a, b) => Number(b.name === "app_user") - Number(a.name === "app_user"))
}

const pageSize = 1000

/** Returns the number of rows. */
async function copyTable(
  from: Kysely<Database>,
  into: Transaction<Database>,
  table: Table,
  clockColumn: string | undefined,
  shift: number,
): Promise<number> {
  const { name, columns } = table
  const list = sql.join(columns.map((column) => sql.ref(column.name)))
  const typed = columns.map((column) => sql`${sql.ref(column.name)} ${sql.raw(column.dataType)}`)
  const sent = new Checksum(columns)
  // Rows that migrations put there.
  await sql`delete from ${sql.table(name)}`.execute(into)
  for (let last = -1; ;) {
    const page = await sql<Row>`select rowid as "rowid", ${list} from ${sql.table(name)}
      where rowid > ${last} order by rowid limit ${pageSize}`.execute(from)
    const rows = page.rows.map((row) =>
      sent.add(clockColumn === undefined ? row : { ...row, [clockColumn]: Number(row[clockColumn]) + shift }),
    )
    if (rows.length > 0)
      await sql`insert into ${sql.table(name)} (${list})
        select ${list} from json_to_recordset(${JSON.stringify(rows)}::json) as given (${sql.join(typed)})`.execute(
        into,
      )
    if (rows.length < pageSize) break
    last = Number(page.rows.at(-1)?.rowid)
  }
  const arrived = new Checksum(columns)
  await sql`declare moved no scroll cursor for select ${list} from ${sql.table(name)}`.execute(into)
  for (let isEnd = false; !isEnd;) {
    const { rows } = await sql<Row>`fetch ${sql.lit(pageSize)} from moved`.execute(into)
    for (const row of rows) arrived.add(row)
    isEnd = rows.length < pageSize
  }
  await sql`close moved`.execute(into)
  if (sent.text() !== arrived.text())
    throw new Error(`table ${name} has ${sent.text()} in the file and ${arrived.text()} in the database`)
  return sent.count
}

/** Count and checksum of rows in any order, equal for equal values in both databases. */
class Checksum {
  count = 0
  #sum = 0n
  readonly #columns: Table["columns"]

  constructor(columns: Table["columns"]) {
    this.#columns = columns
  }

  /** Returns the row as it is written. */
  add(row: Row): Row {
    const values = this.#columns.map(({ name, dataType }) => plainValue(row[name], dataType))
    this.count += 1
    this.#sum = BigInt.asUintN(
      64,
      this.#sum + BigInt(`0x${hash("sha256", JSON.stringify(values)).slice(0, 16)}`),
    )
    return Object.fromEntries(this.#columns.map(({ name }, at) => [name, values[at]]))
  }

  text(): string {
    return `${this.count} rows with checksum ${this.#sum.toString(16)}`
  }
}

/** A value as JSON has it, the same from both databases. */
function plainValue(value: unknown, dataType: string): unknown {
  if (value === null) return null
  if (dataType === "bool") return value === true || value === 1
  if (dataType !== "timestamptz" || typeof value !== "string") return value
  // SQLite's default is UTC without a zone.
  return new Date(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(value) ? `${value.replace(" ", "T")}Z` : value)
}

/** Sequences continue after the file's: a job's number is never used twice. */
async function continueSequences(from: Kysely<Database>, into: Kysely<Database>, tables: readonly Table[]) {
  const { rows } = await sql<{ name: string; seq: number }>`select name, seq from sqlite_sequence`.execute(
    from,
  )
  const lastNumbers = new Map(rows.map(({ name, seq }) => [name, seq]))
  for (const { name, columns } of tables) {
    const column = columns.find(({ isAutoIncrementing }) => isAutoIncrementing)?.name
    const last = lastNumbers.get(name) ?? 0
    if (column === undefined || last < 1) continue
    await sql`select setval(pg_get_serial_sequence(${name}, ${column}), ${last}::bigint)`.execute(into)
  }
}
