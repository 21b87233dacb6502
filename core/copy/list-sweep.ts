import type { HoldDecision, SyncStatus } from "../../contract/copy.ts"
import { limits } from "../../contract/limits.ts"
import { hasReadableKey, type Reader } from "../../contract/reading.ts"
import type { CachedResponse } from "../cache/cache.ts"
import { AppError } from "../errors.ts"
import { planById, type ReadPlan } from "../gateway/upstream-read.ts"
import { encodeId } from "../match.ts"
import { isoTimeOrNull } from "../runtime.ts"
import type { CopiedRecord, Hold, SyncProgress } from "./copy-store.ts"
import { addPage, finishSweep, judgeMissing, startSweep, type Sweep } from "./sweep.ts"
import type { LoopDeps, SyncLoop } from "./sync-loop.ts"

/** Records whose list has a total, and which the service may delete. */
interface SweptKind<T> {
  readonly name: "members" | "rewards"
  readonly copy: {
    put(records: readonly CopiedRecord<T>[]): Promise<number>
    drop(ids: readonly string[], asOf: number): Promise<void>
    idsBefore(asOf: number): Promise<string[]>
    count(): Promise<number>
    progress(): Promise<SyncProgress>
    setProgress(progress: SyncProgress): Promise<void>
  }
  /** The operations that read a page and one record. */
  readonly list: string
  readonly one: string
  readonly planOf: (id: string) => ReadPlan
  readonly reader: Pick<Reader<T[]>, "tolerant">
  /** Whether a first page may be believed. */
  readonly isKnown?: (records: readonly T[], signal: AbortSignal) => Promise<boolean>
}

/** Pause while a person has to decide, ms. */
export const heldRestMs = 10_000
/** A deleted record's id is remembered so long, ms. */
const tombstoneMs = 30 * 24 * 3_600_000

/** What a sweep did not see and is read one by one; `deferred`: one of them could not be read. */
type Missing = { readonly sweep: Sweep; readonly ids: string[]; deferred: boolean }

/** Sweeps of one kind of record (docs/local-copy.md, The pass). */
export class ListSweep<T extends { readonly id: string }> {
  readonly #loop: SyncLoop
  readonly #log: LoopDeps["log"]
  readonly #kind: SweptKind<T>
  #sweep: Sweep | undefined
  #missing: Missing | undefined
  /** When a first page was last read, monotonic ms. */
  polledAt = -Infinity
  /** A pass begins without waiting for its interval. */
  isDue = false

  constructor({ log }: Pick<LoopDeps, "log">, loop: SyncLoop, kind: SweptKind<T>) {
    this.#log = log
    this.#loop = loop
    this.#kind = kind
  }

  get isUnderWay(): boolean {
    return this.#sweep !== undefined || this.#missing !== undefined
  }

  /** Whether a pass is under way, or due; known to the instance that runs it only. */
  get isSweeping(): boolean {
    return this.#loop.isRunning && (this.isDue || this.isUnderWay)
  }

  /** Newer data than the last pass has are wanted. */
  passNow(): void {
    this.isDue = true
    this.#loop.wake()
  }

  start(now: number): void {
    this.isDue = false
    this.#sweep = startSweep(now)
  }

  abandon(): void {
    this.#sweep = this.#missing = undefined
  }

  /** The next request of a sweep that is under way. */
  async step(progress: SyncProgress, signal: AbortSignal): Promise<void> {
    if (this.#missing !== undefined) await this.#askNext(this.#missing, progress, signal)
    else if (this.#sweep !== undefined) await this.#readPage(this.#sweep, progress, signal)
  }

  /** Reads page 1 and returns whether it has another total than before. */
  async poll(progress: SyncProgress, signal: AbortSignal): Promise<boolean> {
    const page = await this.#fetchPage(1, signal)
    this.polledAt = this.#loop.clock.monotonic()
    if (!(await this.#isKnown(page.records, signal))) return false
    await this.put(page.records, await this.#loop.copyTime(page.requestedAt))
    return page.total !== undefined && page.total !== progress.total
  }

  /** Reads one record and puts or drops it. @throws AppError while the service cannot be reached */
  async readAlone(id: string, signal: AbortSignal): Promise<"live" | "gone" | "unreadable"> {
    const { copy, name, one, planOf } = this.#kind
    if (encodeId(id) === undefined) return "unreadable"
    const requestedAt = this.#loop.clock.monotonic()
    try {
      const { data, ...response } = await this.#loop.fetch(planOf(id), signal)
      await this.put(this.#recordsIn(one, data), await this.#loop.copyTime(response.requestedAt))
      return "live"
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      if (error.code === "unreadable_answer") return "unreadable"
      if (error.code !== "not_found") throw error
      await copy.drop([id], await this.#loop.copyTime(requestedAt))
      this.#loop.changed(name)
      return "gone"
    }
  }

  /** A response to a read: what it holds is put into the copy. */
  read(operation: string, { data, requestedAt }: Pick<CachedResponse, "data" | "requestedAt">): void {
    const records = this.#recordsIn(operation, data)
    if (records.length > 0)
      this.#loop.quietly(async () => this.put(records, await this.#loop.copyTime(requestedAt)))
  }

  async put(records: readonly T[], asOf: number): Promise<void> {
    const changed = await this.#kind.copy.put(records.map((record) => ({ record, asOf })))
    if (changed > 0) this.#loop.changed(this.#kind.name)
  }

  async hold(reason: Hold["reason"], missing: number, live: number): Promise<void> {
    const { copy, name } = this.#kind
    const at = await this.#loop.copy.now()
    await copy.setProgress({ ...(await copy.progress()), held: { reason, at, missing, live } })
    this.#log.warn(
      { reason, missing, live },
      `The local copy of the ${name} waits for a person: nothing was dropped.`,
    )
    this.#loop.changed(name)
  }

  /** A person decided about a hold. Returns it; undefined: there is none any more. */
  async decide(decision: HoldDecision): Promise<Hold | undefined> {
    const { copy, name } = this.#kind
    const { held, ...progress } = await copy.progress()
    if (held === null) return undefined
    const acceptedDeletions = decision === "accept" ? held.missing : 0
    // Records of another program: nothing of the copy is right.
    if (decision === "accept" && held.reason === "key") await this.#loop.copy.clear()
    else await copy.setProgress({ ...progress, held: null, sweptFrom: null, acceptedDeletions })
    this.#loop.wake()
    this.#loop.changed(name)
    return held
  }

  async status(): Promise<SyncStatus> {
    const { copy } = this.#kind
    const [{ held, ...progress }, live] = await Promise.all([copy.progress(), copy.count()])
    return {
      live,
      total: progress.total,
      complete: progress.complete,
      synced_at: isoTimeOrNull(progress.syncedAt),
      held: held && { ...held, at: new Date(held.at).toISOString() },
    }
  }

  async #readPage(sweep: Sweep, progress: SyncProgress, signal: AbortSignal): Promise<void> {
    const page = await this.#fetchPage(sweep.pages + 1, signal)
    if (sweep.pages === 0 && !(await this.#isKnown(page.records, signal))) return
    await this.put(page.records, await this.#loop.copyTime(page.requestedAt))
    const { rows, total } = page
    const ended = addPage(sweep, { ids: page.records.map(({ id }) => id), rows, total })
    if ((total ?? null) !== progress.total)
      await this.#kind.copy.setProgress({ ...progress, total: total ?? null })
    if (ended) await this.#endSweep(sweep)
  }

  async #endSweep(sweep: Sweep): Promise<void> {
    const { copy } = this.#kind
    this.#sweep = undefined
    this.polledAt = this.#loop.clock.monotonic()
    const progress = await copy.progress()
    const held = await copy.idsBefore(sweep.startedAt)
    const missing = held.filter((id) => !sweep.seen.has(id))
    const live = await copy.count()
    const verdict = judgeMissing(sweep, missing.length, live, progress)
    if (verdict === "hold") return this.hold("missing", missing.length, live)
    if (verdict === "drop") await copy.drop(missing, sweep.startedAt)
    if (verdict === "ask" && missing.length > 0) this.#missing = { sweep, ids: missing, deferred: false }
    else await this.#finish(sweep, progress, verdict === "defer")
  }

  async #askNext(missing: Missing, progress: SyncProgress, signal: AbortSignal): Promise<void> {
    const [id] = missing.ids
    if (id !== undefined) {
      const end = await this.readAlone(id, signal)
      missing.ids.shift()
      if (end === "unreadable") missing.deferred = true
    }
    if (missing.ids.length > 0) return
    this.#missing = undefined
    await this.#finish(missing.sweep, progress, missing.deferred)
  }

  async #finish(sweep: Sweep, progress: SyncProgress, deferred: boolean): Promise<void> {
    const { copy, name } = this.#kind
    const [live, at] = [await copy.count(), await this.#loop.copy.now()]
    await copy.setProgress(finishSweep(progress, sweep, { deferred, live, at }))
    await this.#loop.copy.tidy(at - tombstoneMs)
    this.#loop.changed(name)
  }

  async #fetchPage(page: number, signal: AbortSignal) {
    const { list } = this.#kind
    const plan = planById(list, {}, { page, per_page: limits.perPage.max })
    const { data, meta, requestedAt } = await this.#loop.fetch(plan, signal)
    const rows = Array.isArray(data) ? data.length : 0
    return { records: this.#recordsIn(list, data), rows, total: meta?.total, requestedAt }
  }

  async #isKnown(records: readonly T[], signal: AbortSignal): Promise<boolean> {
    return (await this.#kind.isKnown?.(records, signal)) ?? true
  }

  /** The records in a response; those without a readable id are left out. */
  #recordsIn(operation: string, data: unknown): T[] {
    const { list, one, reader } = this.#kind
    const rows = operation === list ? data : operation === one ? [data] : []
    const records = reader.tolerant.safeParse(rows).data ?? []
    return records.filter((record) => hasReadableKey(record, "id"))
  }
}
