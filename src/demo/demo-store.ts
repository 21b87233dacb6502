import { createStore, del, get, set, type UseStore } from "idb-keyval"
import { Kysely } from "kysely"
import type { Database as SqlJsDatabase, SqlJsStatic } from "sql.js"
import * as z from "zod/mini"
import { openCopyStore } from "../../bff/copy/copy-store.ts"
import { budgetStore } from "../../bff/store/budget-store.ts"
import { type Engine, inProcessBus, readClock } from "../../bff/store/engine.ts"
import { migrate } from "../../bff/store/migrations.ts"
import type { Database } from "../../bff/store/schema.ts"
import { sqlStore } from "../../bff/store/sql-store.ts"
import { type SqliteConnection, sqliteDialect } from "../../bff/store/sqlite-dialect.ts"
import type { BookStore } from "../../core/books/book-store.ts"
import { addDays, dayAt, dayOfNumber, startOfDay, zoneOffsets } from "../../contract/zoned-days.ts"
import { memberListReader } from "../../contract/program/member.ts"
import { orderListReader } from "../../contract/program/order.ts"
import { transactionListReader } from "../../contract/program/points.ts"
import { rewardListReader } from "../../contract/program/reward.ts"
import { type CopyStore, noOrderProgress, noProgress } from "../../core/copy/copy-store.ts"
import type { Log } from "../../core/ports.ts"
import { realClock } from "../../core/runtime.ts"
import { createSandbox, type Sandbox } from "../../sandbox/app.ts"
import { memberView, orderView, transactionView } from "../../sandbox/program/record-views.ts"
import { baseRecord } from "../../sandbox/restore.ts"

// A transaction has exclusive access to the file.
const lock: Engine["lock"] = (within) => readClock("sqlite", within)

/** The core's log; in a tab only errors are written. */
export const demoLog: Log = {
  info() {},
  warn() {},
  // oxlint-disable-next-line no-console -- the console is the demo's log
  error: (fields, text) => console.error(text, fields),
}

/**
 * SQLite in this tab, with the file of an earlier visit. @throws Error when that is no database of this or an earlier
 * version
 */
export async function openDemoStore(sqlite: SqlJsStatic, file?: Uint8Array) {
  const database = new sqlite.Database(file)
  const connection = connectionOf(database)
  const db = new Kysely<Database>({ dialect: sqliteDialect(connection) })
  const engine: Engine = {
    kind: "sqlite",
    db,
    patient: db,
    bus: inProcessBus(demoLog),
    budget: budgetStore({ db, lock }),
    lock,
    now: () => readClock("sqlite", db),
    close: () => db.destroy(),
  }
  await migrate(engine)
  return {
    ...sqlStore(engine),
    engine,
    /** Passes the database as a file to `take`, between two transactions. */
    exported: <T>(take: (file: Uint8Array<ArrayBuffer>) => T): Promise<T> =>
      db.connection().execute(async () => take(connection.exported())),
  }
}

/** The local copy in this tab, filled from the sandbox directly: a visitor does not wait for passes. */
export async function openDemoCopy(sqlite: SqlJsStatic): Promise<CopyStore> {
  const db = new Kysely<Database>({ dialect: sqliteDialect(connectionOf(new sqlite.Database())) })
  return openCopyStore({ kind: "memory", dialect: "sqlite", db, close: () => db.destroy() })
}

const recordsAtOnce = 200
const ledgersAtOnce = 20
const dayMs = 86_400_000

/**
 * Puts what the sandbox has into the copy, in steps, so that the page stays responsive.
 * @throws the signal's reason
 */
export async function fillDemoCopy(copy: CopyStore, sandbox: Sandbox, signal?: AbortSignal): Promise<void> {
  await fillDemoLists(copy, sandbox, signal)
  await fillLedgers(copy, sandbox, signal)
}

/** Members, orders and rewards. @throws the signal's reason */
export async function fillDemoLists(
  copy: CopyStore,
  { settings, store }: Sandbox,
  signal?: AbortSignal,
): Promise<void> {
  const asOf = await copy.now()
  async function fill<Row>(rows: readonly Row[], put: (rows: readonly Row[]) => Promise<unknown>) {
    for (let from = 0; from < rows.length; from += recordsAtOnce) {
      await put(rows.slice(from, from + recordsAtOnce))
      await realClock.sleep(0, signal)
    }
    return { complete: true, sweptFrom: asOf, syncedAt: await copy.now() }
  }
  const { rows, total } = store.members.page({}, 0, Infinity)
  const members = await fill(rows, (some) => {
    const records = memberListReader.tolerant.parse(some.map((row) => memberView(settings, row)))
    return copy.members.put(records.map((record) => ({ record, asOf })))
  })
  await copy.members.setProgress({ ...noProgress, ...members, total })
  const orders = await fill(store.orders.page({}, 0, Infinity), (some) => {
    const records = orderListReader.tolerant.parse(some.map((row) => orderView(settings, row, "single")))
    return copy.orders.put(
      records.map((record) => ({ record, asOf })),
      "one",
    )
  })
  await copy.orders.setProgress({ ...noOrderProgress, ...orders, openFrom: asOf, newestFirst: true })
  const rewards = rewardListReader.tolerant.parse([...store.rewards.values()])
  const { length } = rewards
  const filled = await fill(rewards, (some) => copy.rewards.put(some.map((record) => ({ record, asOf }))))
  await copy.rewards.setProgress({ ...noProgress, ...filled, total: length })
}

async function fillLedgers(
  copy: CopyStore,
  { settings, store }: Sandbox,
  signal?: AbortSignal,
): Promise<void> {
  const asOf = await copy.now()
  const { rows } = store.members.page({}, 0, Infinity)
  for (const [at, { id, balance }] of rows.entries()) {
    const booked = store.transactions.of(id).filter(({ visible }) => visible <= asOf)
    const entries = transactionListReader.tolerant.parse(booked.map((row) => transactionView(settings, row)))
    await copy.ledgers.put(
      id,
      entries.map((record) => ({ record, asOf })),
    )
    const last = booked.at(-1)?.balanceAfter ?? 0
    const state = { readFrom: asOf, balance: last, memberBalance: balance, misses: 0, dueAt: asOf + dayMs }
    await copy.ledgers.setState(id, asOf, state)
    if (at % ledgersAtOnce === 0) await realClock.sleep(0, signal)
  }
}

const bookedDays = 400

/** The daily snapshots that Laurel would have kept: from today's balances back, by the entries of each day. */
export async function fillDemoBooks(books: BookStore, copy: CopyStore, timeZone: string): Promise<void> {
  const at = await copy.now()
  const today = dayAt(at, timeZone)
  const from = startOfDay(addDays(today, -bookedDays), timeZone)
  const span = { from, to: at, offsets: zoneOffsets(from, at, timeZone) }
  const booked = new Map<string, number>()
  for (const { group, points } of await copy.reports.entries({ ...span, by: "day", corrections: [] })) {
    const day = dayOfNumber(Number(group))
    booked.set(day, (booked.get(day) ?? 0) + points)
  }
  const { members, withoutBalance, points: now } = await copy.members.balances()
  let points = now
  for (let day = today; day > addDays(today, -bookedDays); day = addDays(day, -1)) {
    const end = startOfDay(addDays(day, 1), timeZone) - 1
    await books.addDay({ day, at: Math.min(end, at), members, points, withoutBalance, ledgersRead: members })
    points -= booked.get(day) ?? 0
  }
}

function connectionOf(database: SqlJsDatabase) {
  let inTransaction = false
  const setUp = () => void database.run("pragma foreign_keys = on")
  setUp()
  return {
    async run(text, values) {
      const statement = database.prepare(text)
      try {
        statement.bind(values.map((value) => (typeof value === "bigint" ? Number(value) : value)))
        const rows = []
        while (statement.step()) rows.push(statement.getAsObject())
        if (/^(begin|commit|rollback)\b/i.test(text)) inTransaction = text.startsWith("begin")
        return { rows, numAffectedRows: BigInt(database.getRowsModified()) }
      } finally {
        statement.free()
      }
    },
    isInTransaction: () => inTransaction,
    close: () => database.close(),
    exported() {
      const file = new Uint8Array(database.export())
      setUp()
      return file
    },
  } satisfies SqliteConnection & { exported(): Uint8Array<ArrayBuffer> }
}

/** A record changed by the sandbox. `value` null: deleted. */
const savedChange = z.object({ kind: z.string(), id: z.string(), value: z.unknown() })
type SavedChange = z.output<typeof savedChange>

/**
 * Everything the demo stores between visits, without secrets: no password, token, digital code or redeem link. The
 * sandbox and the store validate their parts.
 */
export const savedState = z.strictObject({
  /** Another version is discarded: the demo then starts afresh. */
  version: z.literal(5),
  session: z.nullable(z.string()),
  sandbox: z.array(savedChange),
  store: z.instanceof(Uint8Array),
})
export type SavedState = z.output<typeof savedState>

const name = "laurel-demo"
const key = "state"
let opened: UseStore | undefined
const database = () => (opened ??= createStore(name, "state"))

/** The state in IndexedDB. If the browser blocks it, a reload starts afresh, and the panel shows that. */
export const stateFile = {
  /** The saved state, not validated; undefined if there is none or storage is blocked. */
  async read(): Promise<unknown> {
    try {
      return await get<unknown>(key, database())
    } catch {
      return undefined
    }
  },
  /** False if the browser refuses to store it. */
  async write(state: SavedState): Promise<boolean> {
    try {
      await set(key, state, database())
      return true
    } catch {
      return false
    }
  },
  async remove(): Promise<void> {
    try {
      await del(key, database())
    } catch {
      // A damaged database is deleted completely, once this page has closed it.
      indexedDB.deleteDatabase(name)
    }
  },
}

const quietMs = 500

/**
 * Saves shortly after a change, or immediately on demand. Saves are serialised, so that an older state never overwrites
 * a newer one.
 */
export function createSaver(save: () => Promise<void>) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let running = Promise.resolve()
  let stopped = false
  const now = async () => {
    clearTimeout(timer)
    timer = undefined
    running = running.then(() => (stopped ? undefined : save()))
    await running
  }
  return {
    now,
    soon() {
      timer ??= setTimeout(() => void now(), quietMs)
    },
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}

/**
 * Collects every change of a sandbox since its seed, each record once, without secrets; `earlier`: those it was
 * restored with.
 */
export function changeRecorder(sandbox: Sandbox, earlier: readonly SavedChange[]): () => SavedChange[] {
  const keyOf = ({ kind, id }: SavedChange) => `${kind}\n${id}`
  const byKey = new Map(earlier.map((change) => [keyOf(change), change]))
  return () => {
    for (const change of sandbox.changes()) byKey.set(keyOf(change), withCode(change, null))
    return [...byKey.values()]
  }
}

/** Restores the seed's codes in saved orders; they are derived and never stored. */
export function withSeededCodes(changes: readonly SavedChange[]): SavedChange[] {
  const base = baseRecord.safeParse(changes.find((change) => change.kind === "base")?.value)
  if (!base.success || !changes.some((change) => change.kind === "order")) return [...changes]
  const seeded = createSandbox({ seededAt: base.data.seededAt }).store.orders
  return changes.map((change) => withCode(change, seeded.get(change.id)?.code ?? null))
}

const order = z.looseObject({ code: z.nullable(z.string()) })

/** An order with another digital code, which is a secret; other records contain none. */
function withCode(change: SavedChange, code: string | null): SavedChange {
  const parsed = order.safeParse(change.value)
  return change.kind === "order" && parsed.success ? { ...change, value: { ...parsed.data, code } } : change
}
