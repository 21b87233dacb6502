import type { CachedResponse } from "../cache/cache.ts"
import { AppError } from "../errors.ts"
import { isPermitTimeout } from "../gateway/caller.ts"
import { fetchResponse, type FetchDeps, type ReadPlan } from "../gateway/upstream-read.ts"
import type { EventBus, Log } from "../ports.ts"
import { createNotifier, type Notifier } from "../runtime.ts"
import type { CopyStore } from "./copy-store.ts"

export interface LoopDeps extends FetchDeps {
  readonly copy: CopyStore
  readonly events: EventBus
  readonly log: Log
}

/** Keeps one kind of record in the copy current. */
export interface KindSync {
  /**
   * At most one request. Returns the ms until there is something to do. `isIdle`: the kinds before it have nothing to
   * do.
   */
  step(signal: AbortSignal, isIdle: boolean): Promise<number>
  /** Forgets what is under way: another instance may continue, or the copy is of another program now. */
  restart(): void
}

/** After a failure, and while the members are not complete, ms. */
const restMs = 15_000
const permitRestMs = 1000
const membersFirstMs = 10_000
/** Shortest interval of the event `copy` of one kind, ms. */
const notifyEveryMs = 2000

const person = { id: "copy", name: "Local copy" } as const

/** Takes the steps of every kind in turn, in the copy's lane; what the kinds share. */
export class SyncLoop {
  readonly copy: CopyStore
  readonly clock: LoopDeps["clock"]
  readonly #deps: LoopDeps
  readonly #notifiers = new Map<string, Notifier>()
  readonly #stopped = new AbortController()
  /** Records of responses on their way into the copy. */
  readonly #writing = new Set<Promise<void>>()
  /** Until when a kind does nothing after a failure, monotonic ms. */
  readonly #restUntil = new Map<KindSync, number>()
  #isRunning = false
  #sleep: AbortController | undefined
  #isWoken = false

  constructor(deps: LoopDeps) {
    this.copy = deps.copy
    this.clock = deps.clock
    this.#deps = deps
  }

  get isRunning(): boolean {
    return this.#isRunning
  }

  /** Works until the signal aborts. */
  async run(members: KindSync, others: readonly KindSync[], signal: AbortSignal): Promise<void> {
    this.#isRunning = true
    try {
      while (!signal.aborted) {
        this.#isWoken = false
        let waitMs = await this.#try(members, () => members.step(signal, true), signal)
        for (const kind of others) {
          const isIdle = waitMs > 0
          const step = () => this.#afterMembers(members, kind, isIdle, signal)
          waitMs = Math.min(waitMs, await this.#try(kind, step, signal))
        }
        if (waitMs > 0 && !this.#isWoken) await this.#rest(waitMs, signal)
      }
    } finally {
      this.#isRunning = false
      for (const kind of [members, ...others]) kind.restart()
    }
  }

  /** The next step begins now. */
  wake(): void {
    this.#isWoken = true
    this.#restUntil.clear()
    this.#sleep?.abort()
  }

  stop(): void {
    this.#stopped.abort()
  }

  /** Pages that show these records read again. */
  changed(kind: string): void {
    const notify = () => this.#deps.events.publish({ topic: "copy", id: kind })
    const notifier =
      this.#notifiers.get(kind) ?? createNotifier(this.clock, notifyEveryMs, this.#stopped.signal, notify)
    this.#notifiers.set(kind, notifier)
    notifier.changed()
  }

  /** @throws AppError while the service cannot be reached; the signal's reason */
  fetch(plan: ReadPlan, signal: AbortSignal): Promise<CachedResponse> {
    return fetchResponse(this.#deps, plan, { person, lane: "sync", signal })
  }

  /** A time of this process's clock that never jumps, on the copy's clock: never later than it was. */
  async copyTime(monotonic: number): Promise<number> {
    const now = await this.copy.now()
    return Math.floor(now - (this.clock.monotonic() - monotonic))
  }

  /** What a request brought along; while a person has to decide nothing is changed. */
  quietly(work: () => Promise<unknown>): void {
    const act = async () => {
      if ((await this.copy.members.progress()).held === null) await work()
    }
    const writing = act()
      .catch((error: unknown) => this.#deps.log.warn({ err: error }, "a record did not reach the local copy"))
      .finally(() => this.#writing.delete(writing))
    this.#writing.add(writing)
  }

  /** Resolves once the records of earlier responses are in the copy. */
  async settled(): Promise<void> {
    await Promise.all(this.#writing)
  }

  /** Members first; and only their steps find out whose copy this is. */
  async #afterMembers(
    members: KindSync,
    kind: KindSync,
    isIdle: boolean,
    signal: AbortSignal,
  ): Promise<number> {
    const { complete, held } = await this.copy.members.progress()
    // The copy may be emptied: what was read of it until now is no part of a pass.
    if (!complete || held !== null) kind.restart()
    else if (!this.#restUntil.has(members)) return kind.step(signal, isIdle)
    return membersFirstMs
  }

  async #try(kind: KindSync, step: () => Promise<number>, signal: AbortSignal): Promise<number> {
    const waitMs = (this.#restUntil.get(kind) ?? -Infinity) - this.clock.monotonic()
    if (waitMs > 0 || signal.aborted) return waitMs
    this.#restUntil.delete(kind)
    try {
      return await step()
    } catch (error) {
      if (signal.aborted) return 0
      if (!(error instanceof AppError)) this.#deps.log.warn({ err: error }, "a step of the local copy failed")
      const ms = error instanceof AppError && isPermitTimeout(error) ? permitRestMs : restMs
      this.#restUntil.set(kind, this.clock.monotonic() + ms)
      return ms
    }
  }

  async #rest(ms: number, signal: AbortSignal): Promise<void> {
    this.#sleep = new AbortController()
    const over = AbortSignal.any([this.#sleep.signal, signal])
    await this.clock.sleep(ms, over).catch(() => undefined)
    this.#sleep = undefined
  }
}
