import * as z from "zod/mini"
import type { AuditEntry } from "../../contract/audit.ts"
import { restoreSigns } from "../../contract/events.ts"

// Counter and instances of a store, for detecting restores. Times are ms since 1970 on the store's clock.

const time = z.nullable(z.number())

/** The store's counter and its last restore. */
export const storeUse = z.object({
  /** Changes with each detected restore. */
  epoch: z.string(),
  earlier: z.readonly(z.array(z.string())),
  count: z.number(),
  countedAt: time,
  /** The last detected restore; `read`: a person dismissed the warning about missing jobs. */
  found: z.nullable(z.object({ sign: z.enum(restoreSigns), at: z.number(), since: time, read: z.boolean() })),
})
export type StoreUse = Readonly<z.output<typeof storeUse>>

/** A process that ran jobs, with its last sign of life; times are ms on the store's clock. */
export const instanceRecord = z.object({
  id: z.string(),
  /** Identifies the process: `instance` (INSTANCE_ID), host, process id, start time. */
  process: z.readonly(z.record(z.string(), z.string())),
  beatAt: z.number(),
  /** Its calls up to then have ended: it stopped cleanly, a later process took its INSTANCE_ID, or a person stated it. */
  stoppedAt: time,
})
export type InstanceRecord = Readonly<z.output<typeof instanceRecord>>

/** The counter that shows whether the store was restored. Every method is one transaction. */
export interface RestoreStore {
  get(): Promise<StoreUse>
  /** Increments the count; instances never get the same number. */
  count(): Promise<StoreUse>
  /**
   * Holds every job created up to `found.at` that is not cancelled, and starts a new epoch with a count above `above`.
   * Returns the number of unfinished jobs held.
   */
  hold(found: Omit<NonNullable<StoreUse["found"]>, "read">, epoch: string, above: number): Promise<number>
  read(): Promise<void>
}

/** The running processes that work on this store. */
export interface InstanceStore {
  /** A heartbeat. It withdraws a recorded stop. */
  beat(id: string, process: InstanceRecord["process"]): Promise<void>
  stopped(id: string): Promise<void>
  /**
   * First heartbeat. Earlier processes of the same `instance` become stopped, unless one had a heartbeat within
   * `silentMs`: that one is returned, and nothing is stored. Concurrent claims of one `instance` are serialized.
   */
  claim(id: string, process: InstanceRecord["process"], silentMs: number): Promise<InstanceRecord | undefined>
  /** Records the stop of a process that was silent for `silentMs`, with the audit entry; false if it was not. */
  end(id: string, silentMs: number, entry: (() => AuditEntry) | undefined): Promise<boolean>
  /** Rows that the instance sent and whose calls have no known end. */
  openRows(id: string): Promise<number>
  get(id: string): Promise<InstanceRecord | undefined>
  /** All instances, also stopped ones until they are forgotten. */
  list(): Promise<InstanceRecord[]>
  /** Deletes instances that stopped or went silent before a time and own no sent or unknown row. */
  forget(before: number): Promise<void>
}
