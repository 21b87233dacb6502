import { type Kysely, type RawBuilder, sql, type Transaction } from "kysely"
import type { BudgetStore, EventBus, Log } from "../../core/ports.ts"
import { createEventBus } from "../../core/runtime.ts"
import type { Database } from "./schema.ts"

/** Events between instances. */
export interface StoreEventBus extends EventBus {
  /** Called when events may have been missed: whoever shows something reads it again. */
  onGap(listener: () => void): void
  close(): Promise<void>
}

/** What differs between the two databases; everything else is one SQL. */
export interface Engine {
  readonly kind: "sqlite" | "postgres"
  readonly db: Kysely<Database>
  readonly bus: StoreEventBus
  /**
   * How many statements have written, or may have, where all of them come through here: as long as it stays the same,
   * so does what was read. Absent for a database that others write, too.
   */
  readonly writes?: () => number
  /** The shared count of requests: each database has its own quickest way to keep it. */
  readonly budget: BudgetStore
  /**
   * Holds everybody else who locks `name` back until the transaction ends, and gives the database's time in ms
   * since 1970, read after the lock was won.
   */
  lock(within: Transaction<Database>, name: string): Promise<number>
  /** Rejects when the disk has no room left: a log that is written over again hides that for a while. */
  readonly checkRoom?: () => Promise<void>
  /** The database's time, ms since 1970. */
  now(): Promise<number>
  close(): Promise<void>
}

/** Why the store did not open, in one sentence for a person. Never carries the database's password. */
export class StoreRefused extends Error {
  override readonly name = "StoreRefused"
}

/** The database's time in ms since 1970, read when the statement gets there; SQLite takes it from the machine. */
export const clockSql: Readonly<Record<Engine["kind"], RawBuilder<number>>> = {
  postgres: sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`,
  sqlite: sql<number>`cast(unixepoch('subsec') * 1000 as integer)`,
}

/** The database's time, ms since 1970. */
export async function readClock(kind: Engine["kind"], db: Kysely<Database>): Promise<number> {
  const answer = await sql<{ now: number }>`select ${clockSql[kind]} as now`.execute(db)
  return answer.rows[0]?.now ?? Date.now()
}

/** Events within one process: enough for a store in a file, which only one process works on. */
export function inProcessBus(log: Log): StoreEventBus {
  const bus = createEventBus((error) => log.error({ reason: String(error) }, "A listener of events failed."))
  return {
    publish: (event) => bus.publish(event),
    subscribe: (listener) => bus.subscribe(listener),
    // Within one process nothing is ever missed.
    onGap: () => {},
    close: async () => {},
  }
}
