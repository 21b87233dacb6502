import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { Kysely, PostgresDialect, sql } from "kysely"
import { Client, type ClientConfig, Pool, type PoolConfig, types } from "pg"
import * as z from "zod/mini"
import { appEvent, type AppEvent } from "../../contract/events.ts"
import type { Log } from "../../core/ports.ts"
import { budgetStore } from "./budget-store.ts"
import { clockSql, type StoreEventBus, type Engine, inProcessBus, readClock } from "./engine.ts"
import type { Database } from "./schema.ts"

const int8 = 20
// Counts and times in ms fit a number; the driver would hand them over as text.
types.setTypeParser(int8, Number)

/** Advisory locks end with their transaction. */
const lock: Engine["lock"] = async (within, name) => {
  // The clock is read after the lock was acquired, so outside the waiting step.
  const { rows } = await sql<{ now: number }>`
    with held as materialized (select pg_advisory_xact_lock(hashtextextended(${`laurel ${name}`}, 0)))
    select ${clockSql.postgres} as now from held`.execute(within)
  return rows[0]?.now ?? Date.now()
}

/** Opens a store that several instances share. Rejects when the server cannot be reached. */
export async function openPostgres(url: string, log: Log): Promise<Engine> {
  const opened = (more: PoolConfig) => {
    const pool = new Pool({
      connectionString: url,
      connectionTimeoutMillis: answerMs,
      keepAlive: true,
      application_name: "laurel",
      ...more,
    })
    pool.on("error", (error) => log.warn({ reason: error.message }, "An idle database connection ended."))
    // One in use that ends: its next statement rejects. Without a listener the process would end.
    pool.on("connect", (client) => client.on("error", () => undefined))
    return pool
  }
  // A slow statement ends by the server's timeout, and by the client's when the server can't be reached.
  const pool = opened({
    max: 10,
    statement_timeout: answerMs,
    // A process that was suspended within a transaction would hold its locks against every other instance.
    idle_in_transaction_session_timeout: answerMs,
    query_timeout: answerMs + lateMs,
    Client: ImpatientClient,
  })
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  const patient = new Kysely<Database>({ dialect: new PostgresDialect({ pool: opened({ max: 4 }) }) })
  const bus = await postgresBus(url, pool, log)
  return {
    kind: "postgres",
    db,
    patient,
    bus,
    budget: budgetStore({ db, lock }),
    lock,
    now: () => readClock("postgres", db),
    close: async () => {
      await bus.close()
      await patient.destroy()
      await db.destroy()
    },
  }
}

/** A statement of a request or of the engine ends after this time, in ms. */
const answerMs = 5_000
/** The server's own end of a statement comes first, where it is reached. */
const lateMs = 250

/** Ends its connection with the first statement that was not answered: the next ones would wait behind it. */
class ImpatientClient extends Client {
  constructor(config?: ClientConfig) {
    super(config)
    const query = this.query.bind(this)
    const timed = (...given: Parameters<typeof query>) => {
      const result: unknown = query(...given)
      if (result instanceof Promise) {
        result.catch((error: unknown) => {
          if (error instanceof Error && error.message === "Query read timeout")
            void this.end().catch(() => undefined)
        })
      }
      return result
    }
    Object.defineProperty(this, "query", { value: timed })
  }
}

const channel = "laurel_events"
/** Longest pause between two attempts to listen again, in ms. */
const longestPauseMs = 10_000
const message = z.object({ from: z.string(), event: appEvent })

/**
 * Events between instances over LISTEN and NOTIFY: little more than topic and id, far below the 8,000 bytes a notice may have.
 * This instance's own events are delivered immediately; after a lost connection listeners are notified of the gap.
 */
async function postgresBus(url: string, pool: Pool, log: Log): Promise<StoreEventBus> {
  const local = inProcessBus(log)
  const self = randomUUID()
  const gapListeners = new Set<() => void>()
  const closing = new AbortController()
  let listening: Client | undefined

  const onPayload = (text: string | undefined) => {
    const parsed = message.safeParse(readJson(text))
    if (parsed.success && parsed.data.from !== self) local.publish(parsed.data.event)
  }

  const listen = async () => {
    const client = new Client({
      connectionString: url,
      application_name: "laurel events",
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
    })
    client.on("notification", (notice) => onPayload(notice.payload))
    client.on("error", () => void client.end().catch(() => undefined))
    client.once("end", () => {
      if (!closing.signal.aborted && listening === client) void listenAgain()
    })
    await client.connect()
    await client.query(`listen ${channel}`)
    listening = client
  }

  const listenAgain = async () => {
    listening = undefined
    log.warn({}, "Events of other instances are not heard: the database connection ended. Trying again.")
    for (let pause = 100; !closing.signal.aborted; pause = Math.min(pause * 2, longestPauseMs)) {
      try {
        await sleep(pause, undefined, { signal: closing.signal })
        await listen()
        for (const listener of gapListeners) listener()
        return
      } catch {
        // Tried again after the pause, until the store closes.
      }
    }
  }

  await listen()
  return {
    publish: (event: AppEvent) => {
      local.publish(event)
      pool
        .query("select pg_notify($1, $2)", [channel, JSON.stringify({ from: self, event })])
        .catch((error) => {
          log.warn({ reason: String(error) }, "An event did not reach the other instances.")
        })
    },
    subscribe: (listener) => local.subscribe(listener),
    onGap: (listener) => void gapListeners.add(listener),
    close: async () => {
      closing.abort()
      await local.close()
      await listening?.end()
    },
  }
}

function readJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "")
  } catch {
    return undefined
  }
}
