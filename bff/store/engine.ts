import type { Kysely, Transaction } from "kysely"
import type { BudgetStore, EventBus } from "../../core/ports.ts"
import type { Database } from "./schema.ts"

/** Events between instances. */
export interface DeskBus extends EventBus {
  /** Called when events may have been missed: whoever shows something reads it again. */
  onGap(listener: () => void): void
  close(): Promise<void>
}

/** What differs between the two databases; everything else is one SQL. */
export interface Engine {
  readonly kind: "sqlite" | "postgres"
  readonly db: Kysely<Database>
  readonly bus: DeskBus
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
