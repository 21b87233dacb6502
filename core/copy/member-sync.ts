import type { CopyStatus, HoldDecision } from "../../contract/copy.ts"
import { limits } from "../../contract/limits.ts"
import { type Member, memberListReader, memberReader } from "../../contract/program/member.ts"
import { rawValue } from "../../contract/reading.ts"
import type { Environment } from "../../contract/users.ts"
import type { CachedResponse } from "../cache/cache.ts"
import { AppError } from "../errors.ts"
import { isPermitTimeout, type ServiceCaller } from "../gateway/caller.ts"
import {
  fetchResponse,
  type FetchDeps,
  memberOperation,
  memberPlan,
  planById,
  type ReadPlan,
} from "../gateway/upstream-read.ts"
import { encodeId } from "../match.ts"
import type { EventBus, Log, Store } from "../ports.ts"
import { createNotifier, isoTimeOrNull } from "../runtime.ts"
import type { CopyStamp, CopyStore, Hold, SyncProgress } from "./copy-store.ts"
import { addPage, finishSweep, judgeMissing, mayMiss, startSweep, type Sweep } from "./sweep.ts"

interface SyncDeps extends FetchDeps {
  readonly caller: ServiceCaller
  readonly config: {
    readonly environment: Environment
    readonly apis: {
      readonly program: null | {
        readonly baseUrl: string
        readonly keyHash?: string
        readonly nextKeyHash?: string
      }
    }
  }
  readonly copy: CopyStore
  readonly events: EventBus
  readonly log: Log
  readonly store: Pick<Store, "restores">
}

/** A pass at least so often, and page 1 between passes, ms. */
const passEveryMs = 600_000
const pollEveryMs = 60_000
/** After a failure, and while a person has to decide, ms. */
const restMs = 15_000
const heldRestMs = 10_000
/** A deleted member's id is remembered so long, ms. */
const tombstoneMs = 30 * 24 * 3_600_000
/** Known members that are read before another key's list is believed. */
const triedMembers = 5
/** A write's own event follows its response within this time, ms. */
const justWrittenMs = 5000
/** Shortest interval of the event `copy`, ms. */
const notifyEveryMs = 2000

/** What a sweep did not see and is read one by one; `putOff`: one of them could not be read. */
type Missing = { readonly sweep: Sweep; readonly ids: string[]; putOff: boolean }

const person = { id: "copy", name: "Local copy" } as const

/** Keeps the copy of the members current from idle requests: one instance runs it (docs/local-copy.md). */
export class MemberSync {
  readonly copy: CopyStore
  readonly #deps: SyncDeps
  readonly #notifier: ReturnType<typeof createNotifier>
  readonly #stopped = new AbortController()
  readonly #unsubscribe: () => void
  #isRunning = false
  #sleep: AbortController | undefined
  #isWoken = false
  #sweep: Sweep | undefined
  #missing: Missing | undefined
  /** Members to read alone: a write of ours whose response had no record. */
  readonly #wanted = new Set<string>()
  /** When a response to a write put a member, monotonic ms. */
  readonly #written = new Map<string, number>()
  /** Records of responses on their way into the copy. */
  readonly #writing = new Set<Promise<void>>()
  /** Members changed, and no event names them. */
  #passDue = false
  #polledAt = -Infinity
  #memberEventAt = -Infinity

  constructor(deps: SyncDeps) {
    this.copy = deps.copy
    this.#deps = deps
    this.#notifier = createNotifier(deps.clock, notifyEveryMs, this.#stopped.signal, () =>
      deps.events.publish({ topic: "copy", id: "members" }),
    )
    this.#unsubscribe = deps.events.subscribe(({ topic, id }) => {
      if (topic === "member") this.#want(id)
      // Many rows have one event for all of them.
      else if (topic === "members" && id === "all" && !this.#isRecent(this.#memberEventAt)) {
        this.#passDue = true
        this.#wake()
      }
    })
  }

  /** A response to a read: what it holds is put into the copy. */
  read(
    { operation }: Pick<ReadPlan, "operation">,
    { data, requestedAt }: Pick<CachedResponse, "data" | "requestedAt">,
  ): void {
    const members = membersIn(operation.id, data)
    if (members.length > 0) this.#quietly(async () => this.#put(members, await this.#copyTime(requestedAt)))
  }

  /** The response to a write of ours. It is younger than any read that was sent before it came. */
  written(data: unknown): void {
    const member = memberReader.tolerant.safeParse(data).data
    if (member === undefined) return
    this.#memberEventAt = this.#deps.clock.monotonic()
    this.#written.set(member.id, this.#memberEventAt)
    this.#quietly(async () => this.#put([member], (await this.copy.now()) + 1))
  }

  /** The service deleted a member at our request. */
  deleted(id: string): void {
    this.#quietly(async () => this.copy.members.drop([id], (await this.copy.now()) + 1))
  }

  /** Resolves once the records of earlier responses are in the copy. */
  async settled(): Promise<void> {
    await Promise.all(this.#writing)
  }

  /** A person asks for newer data than the last pass has. */
  passNow(): void {
    this.#passDue = true
    this.#sleep?.abort()
  }

  /** Whether a pass is under way, or due; known to the instance that runs it only. */
  get isSweeping(): boolean {
    return this.#isRunning && (this.#passDue || this.#sweep !== undefined || this.#missing !== undefined)
  }

  async status(): Promise<NonNullable<CopyStatus["members"]>> {
    const { members } = this.copy
    const [{ held, ...progress }, live] = await Promise.all([members.progress(), members.count()])
    return {
      live,
      total: progress.total,
      complete: progress.complete,
      synced_at: isoTimeOrNull(progress.syncedAt),
      held: held && { ...held, at: new Date(held.at).toISOString() },
    }
  }

  /** A person decided about a hold. Returns it; undefined: there is none any more. */
  async decide(decision: HoldDecision): Promise<Hold | undefined> {
    const { members } = this.copy
    const { held, ...progress } = await members.progress()
    if (held === null) return undefined
    const acceptedDeletions = decision === "accept" ? held.missing : 0
    // Members of another program: nothing of the copy is right.
    if (decision === "accept" && held.reason === "key") await this.copy.clear()
    else await members.setProgress({ ...progress, held: null, sweptFrom: null, acceptedDeletions })
    this.#wake()
    this.#notifier.changed()
    return held
  }

  /** Works until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    this.#isRunning = true
    try {
      while (!signal.aborted) {
        this.#isWoken = false
        const waitMs = await this.#step(signal).catch((error: unknown) => this.#failed(error, signal))
        if (waitMs > 0 && !this.#isWoken) await this.#rest(waitMs, signal)
      }
    } finally {
      this.#isRunning = false
      // Another instance may continue from here.
      this.#sweep = this.#missing = undefined
      this.#wanted.clear()
    }
  }

  stop(): void {
    this.#stopped.abort()
    this.#unsubscribe()
  }

  /** At most one request. Returns the ms until there is something to do. */
  async #step(signal: AbortSignal): Promise<number> {
    const progress = await this.copy.members.progress()
    if (progress.held !== null) return heldRestMs
    const [wanted] = this.#wanted
    if (wanted !== undefined) return this.#readWanted(wanted, progress, signal)
    if (this.#missing !== undefined) return this.#askNext(this.#missing, progress, signal)
    const { clock } = this.#deps
    const [now, at] = [await this.copy.now(), clock.monotonic()]
    const passInMs =
      this.#passDue || !progress.complete ? 0 : (progress.sweptFrom ?? -Infinity) + passEveryMs - now
    const pollInMs = this.#polledAt + pollEveryMs - at
    if (this.#sweep === undefined && passInMs > 0 && pollInMs > 0) return Math.min(passInMs, pollInMs)
    if (this.#sweep === undefined) {
      if (!(await this.#isSameProgram(signal))) return 0
      if (passInMs > 0) return this.#poll(progress, signal)
      this.#passDue = false
      this.#sweep = startSweep(now)
    }
    return this.#readPage(this.#sweep, progress, signal)
  }

  async #readPage(sweep: Sweep, progress: SyncProgress, signal: AbortSignal): Promise<number> {
    const page = await this.#fetchPage(sweep.pages + 1, signal)
    if (sweep.pages === 0 && !(await this.#isKnown(page.members, signal))) return 0
    await this.#put(page.members, await this.#copyTime(page.requestedAt))
    const { rows, total } = page
    const ended = addPage(sweep, { ids: page.members.map(({ id }) => id), rows, total })
    if ((total ?? null) !== progress.total)
      await this.copy.members.setProgress({ ...progress, total: total ?? null })
    if (ended) await this.#endSweep(sweep)
    return 0
  }

  async #endSweep(sweep: Sweep): Promise<void> {
    const { members } = this.copy
    this.#sweep = undefined
    this.#polledAt = this.#deps.clock.monotonic()
    const progress = await members.progress()
    const held = await members.idsBefore(sweep.startedAt)
    const missing = held.filter((id) => !sweep.seen.has(id))
    const live = await members.count()
    const verdict = judgeMissing(sweep, missing.length, live, progress)
    if (verdict === "hold") return this.#hold(progress, "missing", missing.length, live)
    if (verdict === "drop") await members.drop(missing, sweep.startedAt)
    if (verdict === "ask" && missing.length > 0) this.#missing = { sweep, ids: missing, putOff: false }
    else await this.#finish(sweep, progress, verdict === "put_off")
  }

  async #askNext(missing: Missing, progress: SyncProgress, signal: AbortSignal): Promise<number> {
    const [id] = missing.ids
    if (id !== undefined) {
      const end = await this.#readAlone(id, signal)
      missing.ids.shift()
      if (end === "unreadable") missing.putOff = true
    }
    if (missing.ids.length > 0) return 0
    this.#missing = undefined
    await this.#finish(missing.sweep, progress, missing.putOff)
    return 0
  }

  async #finish(sweep: Sweep, progress: SyncProgress, putOff: boolean): Promise<void> {
    const { members } = this.copy
    const [live, at] = [await members.count(), await this.copy.now()]
    await members.setProgress(finishSweep(progress, sweep, { putOff, live, at }))
    await this.copy.tidy(at - tombstoneMs)
    this.#notifier.changed()
  }

  /** Page 1 between passes: another total starts the next pass. */
  async #poll(progress: SyncProgress, signal: AbortSignal): Promise<number> {
    const page = await this.#fetchPage(1, signal)
    this.#polledAt = this.#deps.clock.monotonic()
    if (!(await this.#isKnown(page.members, signal))) return 0
    await this.#put(page.members, await this.#copyTime(page.requestedAt))
    if (page.total !== undefined && page.total !== progress.total) this.#passDue = true
    return 0
  }

  async #readWanted(id: string, { total }: SyncProgress, signal: AbortSignal): Promise<number> {
    if (this.#wanted.size > Math.max(1, (total ?? 0) / limits.perPage.max)) {
      // All pages are fewer requests.
      this.#wanted.clear()
      this.#passDue = true
      return 0
    }
    await this.#readAlone(id, signal)
    this.#wanted.delete(id)
    return 0
  }

  /** Reads one member and puts or drops it. @throws AppError while the service cannot be reached */
  async #readAlone(id: string, signal: AbortSignal): Promise<"live" | "gone" | "unreadable"> {
    if (encodeId(id) === undefined) return "unreadable"
    const { clock } = this.#deps
    const requestedAt = clock.monotonic()
    try {
      const response = await this.#fetch(memberPlan(id), signal)
      await this.#put(membersIn(memberOperation, response.data), await this.#copyTime(response.requestedAt))
      return "live"
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      if (error.code === "unreadable_answer") return "unreadable"
      if (error.code !== "not_found") throw error
      await this.copy.members.drop([id], await this.#copyTime(requestedAt))
      this.#notifier.changed()
      return "gone"
    }
  }

  /**
   * Whether the copy is of this environment, address, key and time of the store. Of another one it is emptied; with
   * another key only a person may do that, unless the key knows one of its members.
   */
  async #isSameProgram(signal: AbortSignal): Promise<boolean> {
    const { caller, config, store } = this.#deps
    const program = config.apis.program
    const { epoch } = await store.restores.get()
    const keyHash = (caller.keyInUse("program") === "next" ? program?.nextKeyHash : program?.keyHash) ?? ""
    // The built-in sandbox has another port at each start.
    const address = config.environment === "sandbox" ? "" : (program?.baseUrl ?? "")
    const wanted = { environment: config.environment, address, epoch, keyHash }
    const found = await this.copy.stamp()
    if (isEqual(found, wanted)) return true
    if (found !== undefined && !isEqual({ ...found, keyHash }, wanted)) await this.copy.clear()
    else if (found !== undefined && (await this.copy.members.count()) > 0 && !(await this.#knowsSome(signal)))
      return false
    await this.copy.setStamp(wanted)
    return found === undefined
  }

  /** Whether a first page may be of the program that the copy is of. */
  async #isKnown(members: readonly Member[], signal: AbortSignal): Promise<boolean> {
    const live = await this.copy.members.count()
    if (live <= mayMiss.records) return true
    const known = await this.copy.members.get(members.map(({ id }) => id))
    return known.length > 0 || this.#knowsSome(signal)
  }

  /** Reads five members of the copy; when the service has none of them, sync is held. */
  async #knowsSome(signal: AbortSignal): Promise<boolean> {
    const { members } = this.copy
    const ids = await members.idsBefore(Number.MAX_SAFE_INTEGER)
    const step = Math.max(1, Math.floor(ids.length / triedMembers))
    const tried = ids.filter((_, at) => at % step === 0).slice(0, triedMembers)
    for (const id of tried) {
      const end = await this.#fetch(memberPlan(id), signal).catch((error: unknown) => {
        if (error instanceof AppError && error.code === "not_found") return undefined
        throw error
      })
      if (end !== undefined) return true
    }
    this.#sweep = undefined
    await this.#hold(await members.progress(), "key", tried.length, ids.length)
    return false
  }

  async #hold(progress: SyncProgress, reason: Hold["reason"], missing: number, live: number): Promise<void> {
    const at = await this.copy.now()
    await this.copy.members.setProgress({ ...progress, held: { reason, at, missing, live } })
    this.#deps.log.warn(
      { reason, missing, live },
      "The local copy of the members waits for a person: nothing was dropped.",
    )
    this.#notifier.changed()
  }

  async #fetchPage(page: number, signal: AbortSignal) {
    const plan = planById(listOperation, {}, { page, per_page: limits.perPage.max })
    const { data, meta, requestedAt } = await this.#fetch(plan, signal)
    const rows = Array.isArray(data) ? data.length : 0
    return { members: membersIn(listOperation, data), rows, total: meta?.total, requestedAt }
  }

  #fetch(plan: ReadPlan, signal: AbortSignal): Promise<CachedResponse> {
    return fetchResponse(this.#deps, plan, { person, lane: "sync", signal })
  }

  async #put(members: readonly Member[], asOf: number): Promise<void> {
    const changed = await this.copy.members.put(members.map((record) => ({ record, asOf })))
    if (changed > 0) this.#notifier.changed()
  }

  /** A time of this process's clock that never jumps, on the copy's clock: never later than it was. */
  async #copyTime(monotonic: number): Promise<number> {
    const now = await this.copy.now()
    return Math.floor(now - (this.#deps.clock.monotonic() - monotonic))
  }

  #want(id: string): void {
    const { clock } = this.#deps
    this.#memberEventAt = clock.monotonic()
    if (!this.#isRunning || this.#isRecent(this.#written.get(id))) return
    this.#written.delete(id)
    this.#wanted.add(id)
    this.#wake()
  }

  #wake(): void {
    this.#isWoken = true
    this.#sleep?.abort()
  }

  #isRecent(at = -Infinity): boolean {
    return this.#deps.clock.monotonic() - at < justWrittenMs
  }

  async #rest(ms: number, signal: AbortSignal): Promise<void> {
    this.#sleep = new AbortController()
    const over = AbortSignal.any([this.#sleep.signal, signal])
    await this.#deps.clock.sleep(ms, over).catch(() => undefined)
    this.#sleep = undefined
  }

  #failed(error: unknown, signal: AbortSignal): number {
    if (signal.aborted) return 0
    if (error instanceof AppError) return isPermitTimeout(error) ? 1000 : restMs
    this.#deps.log.warn({ err: error }, "a step of the local copy failed")
    return restMs
  }

  /** What a request brought along; while a person has to decide nothing is changed. */
  #quietly(work: () => Promise<unknown>): void {
    const act = async () => {
      if ((await this.copy.members.progress()).held === null) await work()
    }
    const writing = act()
      .catch((error: unknown) => this.#deps.log.warn({ err: error }, "a record did not reach the local copy"))
      .finally(() => this.#writing.delete(writing))
    this.#writing.add(writing)
  }
}

const listOperation = "GET /members"

/** The members in a response; those without a readable id are left out. */
function membersIn(operation: string, data: unknown): Member[] {
  const rows = operation === listOperation ? data : operation === memberOperation ? [data] : []
  const members = memberListReader.tolerant.safeParse(rows).data ?? []
  return members.filter(
    (member) => rawValue(member, "id") === undefined && !member.id.startsWith("(unreadable "),
  )
}

function isEqual(one: CopyStamp | undefined, other: CopyStamp): boolean {
  return (["environment", "address", "epoch", "keyHash"] as const).every(
    (name) => one?.[name] === other[name],
  )
}
