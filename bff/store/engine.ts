import { type Kysely, sql, type Transaction } from "kysely"
import type { BudgetStore, EventBus, Log } from "../../core/ports.ts"
import { createEventBus } from "../../core/runtime.ts"
import type { Database } from "./schema.ts"

export interface StoreEventBus extends EventBus {
  /** Called when events may have been missed: listeners read again. */
  onGap(listener: () => void): void
  close(): Promise<void>
}

/** The differences between the two databases; everything else is the same SQL. */
export interface Engine {
  readonly kind: "sqlite" | "postgres"
  readonly db: Kysely<Database>
  /** Separate connections without a time limit: migrations, cleaning, restores, and statements over a full table. */
  readonly patient: Kysely<Database>
  readonly bus: StoreEventBus
  /** The shared count of requests: each database has its own quickest way to keep it. */
  readonly budget: BudgetStore
  /**
   * Holds everybody else who locks `name` back until the transaction ends, and returns the database's time in ms
   * since 1970, read after the lock was won.
   */
  lock(within: Transaction<Database>, name: string): Promise<number>
  /** Rejects when the disk has no room left: a log that is written over again hides that for a while. */
  readonly checkRoom?: () => Promise<void>
  now(): Promise<number>
  close(): Promise<void>
}

/** Why the store cannot be used: one sentence per line, for a person. Never has the database's password. */
export class StoreRefused extends Error {
  override readonly name = "StoreRefused"
}

/** All addresses of a name failed: the reasons are in `errors`. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join("; ")
  return error instanceof Error ? error.message : String(error)
}

/** The database's time in ms since 1970, read when the statement gets there; SQLite takes it from the machine. */
export const clockSql = {
  postgres: sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`,
  sqlite: sql<number>`cast(unixepoch('subsec') * 1000 as integer)`,
}

export async function readClock(kind: Engine["kind"], db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ now: number }>`select ${clockSql[kind]} as now`.execute(db)
  return rows[0]?.now ?? Date.now()
}

/** Events within one process, where none is ever missed: enough for a store in a file. */
export function inProcessBus(log: Log): StoreEventBus {
  const bus = createEventBus((error) => log.error({ reason: String(error) }, "A listener of events failed."))
  return { ...bus, onGap: () => undefined, close: async () => undefined }
}
