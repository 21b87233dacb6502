import type { Clock } from "../ports.ts"
import { createBulkSize, type BulkSize } from "./bulk-size.ts"
import type { JobRecord } from "./job-store.ts"

/** What a process knows about a job while it works on it. Losing it loses time, never money. */
export interface Run {
  readonly jobId: string
  /** Aborted when this process stops or another one has taken the job over. */
  readonly signal: AbortSignal
  /** Attempts whose calls are under way here, as `row:attempt`. */
  readonly inFlight: Set<string>
  readonly bulk: BulkSize
  /** A call of this run was taken up by the service: until then one at a time goes out, in case nothing will be. */
  proven: boolean
  /** Nothing is sent before, monotonic ms: the service could not be reached. */
  holdUntil: number
  /** Nothing is looked at before, monotonic ms: the key was refused. */
  looksHeldUntil: number
  /** How often in a row looks met that. */
  looksRefused: number
  /** Calls in a row that ended without a usable answer. */
  doubts: number
  /** The restore for which the job's open rows were made unknown: its time, the store's clock. */
  heldSeen: number | undefined
  /** How often in a row it could not be reached. */
  unreachable: number
  /**
   * Waits until every earlier call of the job is on the wire or over; the next one waits until what this gives is
   * called. So rows go out in their order however many are under way, and what a restored store has not sent is told
   * from its next rows.
   */
  turn(): Promise<() => void>
  /** Something changed: look again. */
  wake(): void
  /** Waits until something changed, at most `ms`. */
  wait(ms: number): Promise<void>
}

/** Begins a run. */
export function createRun(clock: Clock, job: JobRecord, signal: AbortSignal): Run {
  let woken = false
  let last = Promise.resolve()
  let rest: AbortController | undefined
  return {
    jobId: job.id,
    signal,
    inFlight: new Set(),
    bulk: createBulkSize(job.bulkSize),
    proven: false,
    holdUntil: -Infinity,
    looksHeldUntil: -Infinity,
    looksRefused: 0,
    doubts: 0,
    heldSeen: undefined,
    unreachable: 0,
    async turn() {
      const { promise: begun, resolve: over } = Promise.withResolvers<void>()
      const before = last
      last = begun
      await before
      return over
    },
    wake() {
      woken = true
      rest?.abort()
    },
    async wait(ms) {
      if (!woken) {
        rest = new AbortController()
        // Whatever ends the rest early is a reason to look again.
        await clock.sleep(ms, AbortSignal.any([rest.signal, signal])).catch(() => undefined)
        rest = undefined
      }
      woken = false
    },
  }
}
