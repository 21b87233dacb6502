import { firstBulkRows } from "../../contract/estimates.ts"
import type { Clock } from "../ports.ts"
import type { JobRecord, RowRecord } from "./job-store.ts"

// In-memory state of a job's run, shared by its sends and lookups. Losing it costs time, never money.

/** Created for each run of a job on this instance. */
export class RunState {
  readonly jobId: string
  /** Aborts when this process stops or another one has the job's lease. */
  readonly signal: AbortSignal
  /** Keys of the calls in flight (`callKey`). */
  readonly inFlight = new Set<string>()
  readonly bulk: BulkSize
  readonly pace: Pace
  /** Time of the restore for which the job's open rows were marked unknown; the store's clock. */
  markedForRestore: number | undefined
  #lastTurn = Promise.resolve()

  /** `earlier`: the state of this job's last run on this instance. */
  constructor(
    clock: Clock,
    job: Pick<JobRecord, "id" | "bulkSize">,
    signal: AbortSignal,
    earlier?: RunState,
  ) {
    this.jobId = job.id
    this.signal = signal
    this.bulk = earlier?.bulk ?? new BulkSize(job.bulkSize)
    this.pace = earlier?.pace ?? new Pace(clock)
    this.markedForRestore = earlier?.markedForRestore
  }

  /** Waits until earlier calls are on the wire, to keep the order of rows. Call the result to let the next one send. */
  async turn(): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const before = this.#lastTurn
    this.#lastTurn = promise
    await before
    return () => resolve()
  }
}

/** Key of the latest attempt of a row. */
export function callKey({ row, attempts }: Pick<RowRecord, "row" | "attempts">): string {
  return `${row}:${attempts}`
}

/** Calls in a row without a usable response after which the run slows down. */
const unknownAllowed = 3
const unknownMs = { first: 1000, longest: 60_000 }
const unreachableMs = { first: 1000, longest: 30_000 }
/** Services may lock out a key that keeps calling. */
const keyRefusedMs = { first: 15_000, longest: 300_000 }

function backOff({ first, longest }: typeof unknownMs, times: number): number {
  return Math.min(first * 2 ** times, longest)
}

/** When a run may send and look up. Times are monotonic ms. */
export class Pace {
  /** A call reached the service; until then calls are sent one at a time. */
  proven = false
  /** No sends before this time. */
  holdUntil = -Infinity
  /** No lookups before this time. */
  #lookupsHeldUntil = -Infinity
  /** Calls in a row without a usable response. */
  #unknown = 0
  /** Calls in a row that did not reach the service. */
  #unreachable = 0
  /** Lookups in a row whose key was refused. */
  #refused = 0
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get isHeld(): boolean {
    return this.#clock.monotonic() < this.holdUntil
  }

  get areLookupsHeld(): boolean {
    return this.#clock.monotonic() < this.#lookupsHeldUntil
  }

  hold(ms: number): void {
    this.holdUntil = this.#clock.monotonic() + ms
  }

  /** Backs off while the service is unreachable, then tries one call first. Concurrent failures count once. */
  serviceUnreachable(): void {
    this.proven = false
    if (this.isHeld) return
    this.hold(backOff(unreachableMs, this.#unreachable))
    this.#unreachable += 1
  }

  /**
   * Slows down while no call gets a usable response, because each could end with a row that a person must decide.
   * Concurrent calls fail together and count once.
   */
  serviceReached({ isUnknown }: { readonly isUnknown: boolean }): void {
    this.#unreachable = 0
    this.proven = true
    if (!isUnknown) this.#unknown = 0
    else if (!this.isHeld) {
      this.#unknown += 1
      if (this.#unknown < unknownAllowed) return
      this.proven = false
      this.hold(backOff(unknownMs, this.#unknown - unknownAllowed))
    }
  }

  keyAccepted(): void {
    this.#refused = 0
  }

  /** Pauses lookups. Concurrent refusals count once. */
  keyRefused(): void {
    if (this.areLookupsHeld) return
    this.#lookupsHeldUntil = this.#clock.monotonic() + backOff(keyRefusedMs, this.#refused)
    this.#refused += 1
  }
}

/** Size of the next bulk request: small at first, larger after quick responses, smaller after unusable ones. */
export class BulkSize {
  /** Half of the last refused request. */
  #most: number
  #size: number
  #inFlight = 0
  /** A request succeeded: others do not wait for it. */
  #isProven = false
  /** After the refusal of a whole request, rows are sent alone until one is confirmed as a canary. */
  alone = false

  constructor(most: number) {
    this.#most = most
    this.#size = Math.min(firstBulkRows, most)
  }

  /** 0 while the first request is in flight. */
  next(): number {
    return this.#isProven || this.#inFlight === 0 ? this.#size : 0
  }

  sent(): void {
    this.#inFlight += 1
  }

  answered(ms: number, callMs: number): void {
    this.#ended()
    this.alone = false
    this.#isProven = true
    if (ms <= callMs / 4) this.#size = Math.min(this.#size * 2, this.#most)
  }

  unknown(): void {
    this.#ended()
    this.#size = Math.max(1, Math.floor(this.#size / 2))
  }

  notDone(): void {
    this.#ended()
  }

  #ended(): void {
    this.#inFlight = Math.max(0, this.#inFlight - 1)
  }

  /** Returns the new maximum. */
  refused(rows: number): number {
    this.#ended()
    this.alone = true
    this.#most = Math.max(1, Math.floor(rows / 2))
    this.#size = Math.min(this.#size, this.#most)
    return this.#most
  }

  confirmedAlone(): void {
    this.alone = false
  }
}
