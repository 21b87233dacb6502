import * as z from "zod/mini"
import { restoreSigns } from "../../contract/status.ts"

// How far a store has got and which processes work on it. Times in ms since 1970, the store's clock.

const time = z.nullable(z.number())

/** How far a store has got. */
export const storeUse = z.object({
  /** Names one line of work: it changes when a restore is found. */
  epoch: z.string(),
  earlier: z.readonly(z.array(z.string())),
  count: z.number(),
  countedAt: time,
  /** The restore that was found last; `read`: a person has read that jobs may be missing. */
  found: z.nullable(z.object({ sign: z.enum(restoreSigns), at: z.number(), since: time, read: z.boolean() })),
})
export type StoreUse = Readonly<z.output<typeof storeUse>>

export const instanceRecord = z.object({
  id: z.string(),
  /** What is needed to tell whether it still runs: host, process id, start time. */
  process: z.readonly(z.record(z.string(), z.string())),
  beatAt: z.number(),
  /** It ended orderly, with no call under way. */
  stoppedAt: time,
})
type InstanceRecord = Readonly<z.output<typeof instanceRecord>>

/** What tells that the store is older than the process that used it last. Every method is one transaction. */
export interface RestoreStore {
  get(): Promise<StoreUse>
  /** Counts on by one; several instances never get the same number. */
  count(): Promise<StoreUse>
  /**
   * Holds every job made up to `found.at`, but cancelled ones, and begins a new epoch with a count above `above`. Gives
   * how many unfinished jobs are held by it.
   */
  hold(found: Omit<NonNullable<StoreUse["found"]>, "read">, epoch: string, above: number): Promise<number>
  read(): Promise<void>
}

/** The running processes that work on this store. */
export interface InstanceStore {
  beat(id: string, process: InstanceRecord["process"]): Promise<void>
  stopped(id: string): Promise<void>
  get(id: string): Promise<InstanceRecord | undefined>
  /** Every instance that has not said that it ended. */
  list(): Promise<InstanceRecord[]>
  /** Forgets instances that ended before, or have been silent since, a time and own no sent or unknown row. */
  forget(before: number): Promise<void>
}
