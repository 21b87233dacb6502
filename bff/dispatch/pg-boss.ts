import { type Kysely, sql, type Transaction } from "kysely"
import {
  fromKysely,
  getConstructionPlans,
  getMigrationPlans,
  type Db,
  type JobWithMetadata,
  PgBoss,
} from "pg-boss"
import * as z from "zod/mini"
import { type Dispatcher, dutyRun, type QueueName, retryAfterMs, type RunEnd } from "../../core/dispatch.ts"
import type { Clock, Log } from "../../core/ports.ts"
import { realClock } from "../../core/runtime.ts"
import type { Database } from "../store/schema.ts"

// Which settings, and why not the simpler calls: docs/decisions/0019-dispatch.md.

const schema = "pgboss"
/** Named in the store's migration step, so that an older Laurel refuses a store with a newer schema. */
const schemaVersion = 46

const queueOptions = {
  policy: "stately",
  notify: true,
  heartbeatSeconds: 10,
  // The heartbeat ends the claim of a dead instance; reading all members of a large program takes long.
  expireInSeconds: 86_400,
  retryLimit: 2_147_483_647,
  retryDelay: 0,
  deleteAfterSeconds: 60,
  retentionSeconds: 31_536_000,
} as const

const workOptions = {
  includeMetadata: true,
  pollingIntervalSeconds: 2,
  notifyPollingIntervalSeconds: 5,
  heartbeatRefreshSeconds: 9,
} as const

const touchEveryMs = 2500
const unconfirmedMs = 7500
const askAgainEveryMs = 60_000
const errorLogEveryMs = 10_000
/** Those of the local copy do not end. */
const dutiesAtOnce = 4
/** Later times are left to polling, ms. */
const soonMs = 60_000
/** Longest wait of a stop for calls in flight, ms. */
const stopMs = 60_000

type BossJob = JobWithMetadata<unknown>
type Run = (key: string, signal: AbortSignal) => Promise<RunEnd>
type BossQueue = QueueName | "duty"

/** How many jobs a `touch` confirmed; the library's type does not say it. */
const touched = z.object({ affected: z.number() })

/**
 * Makes or updates the tables of pg-boss. Its plans contain transactions, so they run outside the
 * store's migrations, after the step that names their version. Two instances may start in parallel.
 */
export async function preparePgBoss(db: Kysely<Database>): Promise<void> {
  await db.connection().execute(async (one) => {
    await sql`select pg_advisory_lock(hashtextextended('laurel pgboss', 0))`.execute(one)
    try {
      const plans = await missingPlans(one)
      if (plans !== undefined) await sql.raw(plans).execute(one)
    } catch (error) {
      await sql`rollback`.execute(one)
      throw error
    } finally {
      await sql`select pg_advisory_unlock(hashtextextended('laurel pgboss', 0))`.execute(one)
    }
  })
}

async function missingPlans(db: Kysely<Database>): Promise<string | undefined> {
  const found = await sql<{ schema: string | null; version: string | null }>`
    select to_regnamespace(${schema})::text as schema, to_regclass(${`${schema}.version`})::text as version
  `.execute(db)
  if (found.rows[0]?.version == null) {
    // A database administrator may have created the schema for a role that cannot.
    return getConstructionPlans(schema, { createSchema: found.rows[0]?.schema == null })
  }
  const { rows } = await sql<{
    version: number
  }>`select version from ${sql.table(`${schema}.version`)}`.execute(db)
  const version = rows[0]?.version ?? 0
  // Everything runs as one list of statements, in which PostgreSQL builds no index concurrently. The tables are small.
  return version < schemaVersion
    ? getMigrationPlans(schema, version).replaceAll(" CONCURRENTLY", "")
    : undefined
}

/** Dispatches with pg-boss over the store's database, whose tables are there. Rejects when it cannot be reached. */
export async function openPgBoss(
  databaseUrl: string,
  log: Log,
  clock: Clock = realClock,
): Promise<Dispatcher<Transaction<Database>>> {
  const boss = await startBoss(databaseUrl, log, clock)
  const stopped = new AbortController()
  const queues = new Map<BossQueue, { readonly atOnce: number; readonly run: Run }>()
  const duties = new Map<string, { readonly everyMs: number; readonly run: Run }>()
  /** Workers that wait for a key, by their id. */
  const idle = new Map<string, BossQueue>()
  let isStarted = false
  let asking: NodeJS.Timeout | undefined

  function notifyOne(queue: BossQueue): void {
    for (const [id, own] of idle) if (own === queue) return boss.notifyWorker(id)
  }

  /** `send` leaves a queued key as it is, and `upsert` postpones it. */
  async function makeDue(queue: BossQueue, key: string, at: number, db: Db = boss.getDb()): Promise<void> {
    const inMs = Math.max(0, at - clock.now())
    for (let tries = 0; tries < 3; tries += 1) {
      const { rows } = await db.executeSql(
        `update ${schema}.job
        set start_after = least(start_after, ${schema}.job_now() + $3 * interval '1 millisecond')
        where name = $1 and singleton_key = $2 and state < 'active' returning id`,
        [queue, key, inMs],
      )
      if (rows.length > 0) break
      // Nothing when another transaction sent it meanwhile: that one is updated.
      const options = { singletonKey: key, startAfter: inMs / 1000, db }
      if ((await boss.send(queue, null, options)) !== null) break
    }
    // PostgreSQL sends no notice of what is due later.
    if (inMs <= soonMs) setTimeout(() => notifyOne(queue), inMs).unref()
  }

  async function wakeNow(queue: BossQueue, key: string, db?: Db): Promise<void> {
    // Locks a queued key until the transaction ends, so that no run starts without its changes.
    await boss.upsert(queue, null, { singletonKey: key, startAfter: 0, ...(db && { db }) })
  }

  async function runClaimed(queue: BossQueue, job: BossJob, run: Run): Promise<void> {
    const key = job.singletonKey ?? ""
    const claim = holdClaim(boss, queue, job, clock)
    try {
      await claim.confirm()
      if (claim.lost.aborted) return
      if (stopped.signal.aborted) return await wakeNow(queue, key)
      const end = await run(key, AbortSignal.any([stopped.signal, claim.lost]))
      if (end !== "done") await makeDue(queue, key, end.againAt)
    } catch (error) {
      log.error({ err: error, key }, "a run ended with an error and is taken up again")
      await makeDue(queue, key, clock.now() + retryAfterMs)
    } finally {
      claim.release()
    }
  }

  async function startWorker(queue: BossQueue, run: Run): Promise<void> {
    const worker = { id: "" }
    worker.id = await boss.work<unknown, void, typeof workOptions>(queue, workOptions, async (jobs) => {
      idle.delete(worker.id)
      try {
        for (const job of jobs) await runClaimed(queue, job, run)
      } finally {
        idle.set(worker.id, queue)
        // Otherwise it sleeps out its interval after a short run.
        boss.notifyWorker(worker.id)
      }
    })
    idle.set(worker.id, queue)
  }

  const runDuty: Run = async (name, signal) => (await duties.get(name)?.run(name, signal)) ?? "done"

  /** An instance of another version does not know every duty and takes it without asking for the next. */
  async function askForDuties(): Promise<void> {
    for (const [name, { everyMs }] of duties) await makeDue("duty", name, clock.now() + everyMs)
  }

  return {
    work(queue, atOnce, run) {
      queues.set(queue, { atOnce, run })
    },
    wake(queue, key, { at, within } = {}) {
      const db = within && fromKysely(within)
      return at === undefined || at <= clock.now() ? wakeNow(queue, key, db) : makeDue(queue, key, at, db)
    },
    duty(name, everyMs, run) {
      duties.set(name, { everyMs, run: dutyRun(clock, log, name, everyMs, run) })
    },
    async start() {
      await askForDuties()
      if (isStarted || stopped.signal.aborted) return
      isStarted = true
      if (duties.size > 0) queues.set("duty", { atOnce: dutiesAtOnce, run: runDuty })
      for (const [queue, { atOnce, run }] of queues)
        for (let started = 0; started < atOnce; started += 1) await startWorker(queue, run)
      asking = setInterval(() => {
        askForDuties().catch((error: unknown) => log.warn({ err: error }, "duties could not be asked for"))
      }, askAgainEveryMs)
    },
    async stop() {
      if (stopped.signal.aborted) return
      stopped.abort(new Error("Laurel stops"))
      clearInterval(asking)
      // First the runs, which still queue what comes next.
      await Promise.all([...queues.keys()].map((queue) => boss.offWork(queue)))
      await boss.stop({ timeout: stopMs })
    },
  }
}

async function startBoss(databaseUrl: string, log: Log, clock: Clock): Promise<PgBoss> {
  const boss = new PgBoss({
    connectionString: databaseUrl,
    application_name: "laurel dispatch",
    schema,
    max: 5,
    connectionTimeoutMillis: 5000,
    migrate: false,
    schedule: false,
    useListenNotify: true,
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    maintenanceIntervalSeconds: 60,
    flowIntervalSeconds: 86_400,
  })
  logErrors(boss, log, clock)
  await boss.start()
  for (const name of ["job", "ingest", "duty"] as const) await boss.createQueue(name, queueOptions)
  return boss
}

/** Confirms a claim again and again; `lost` aborts when it is another instance's, or was not confirmed for long. */
function holdClaim(boss: PgBoss, queue: BossQueue, job: BossJob, clock: Clock) {
  const lost = new AbortController()
  let confirmedAt = -Infinity
  let deadline: NodeJS.Timeout | undefined
  async function confirm(): Promise<void> {
    const at = clock.monotonic()
    // With the job itself: its bare id would confirm another instance's claim.
    const { affected } = touched.parse(await boss.touch(queue, job))
    if (affected === 0) return lost.abort(new Error("another instance has the claim"))
    if (at <= confirmedAt) return
    confirmedAt = at
    clearTimeout(deadline)
    const abort = () => lost.abort(new Error("the claim could not be confirmed"))
    deadline = setTimeout(abort, Math.max(0, at + unconfirmedMs - clock.monotonic()))
  }
  // What fails here fails until the deadline.
  const timer = setInterval(() => void confirm().catch(() => undefined), touchEveryMs)
  return {
    lost: lost.signal,
    confirm,
    release() {
      clearInterval(timer)
      clearTimeout(deadline)
      // A confirmation that is still under way sets no other deadline.
      confirmedAt = Infinity
    },
  }
}

/** Without a listener an error ends the process. While the database is away there are many. */
function logErrors(boss: PgBoss, log: Log, clock: Clock): void {
  let loggedAt = -Infinity
  boss.on("error", (error) => {
    if (clock.monotonic() - loggedAt < errorLogEveryMs) return
    loggedAt = clock.monotonic()
    log.warn({ reason: error.message }, "The database did not answer the dispatcher.")
  })
}
