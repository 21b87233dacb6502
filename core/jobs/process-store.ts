import * as z from "zod/mini"
import { restoreSigns } from "../../contract/status.ts"

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

export const instanceRecord = z.object({
  id: z.string(),
  /** Identifies the process: host, process id, start time. */
  process: z.readonly(z.record(z.string(), z.string())),
  beatAt: z.number(),
  /** It stopped cleanly, with no call in flight. */
  stoppedAt: time,
})
type InstanceRecord = Readonly<z.output<typeof instanceRecord>>

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
  beat(id: string, process: InstanceRecord["process"]): Promise<void>
  stopped(id: string): Promise<void>
  get(id: string): Promise<InstanceRecord | undefined>
  /** All instances that have not recorded their stop. */
  list(): Promise<InstanceRecord[]>
  /** Deletes instances that stopped or went silent before a time and own no sent or unknown row. */
  forget(before: number): Promise<void>
}
