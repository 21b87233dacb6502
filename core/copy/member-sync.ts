import type { HoldDecision, SyncStatus } from "../../contract/copy.ts"
import { limits } from "../../contract/limits.ts"
import { type Member, memberListReader, memberReader } from "../../contract/program/member.ts"
import { rawValue } from "../../contract/reading.ts"
import type { Environment } from "../../contract/users.ts"
import type { CachedResponse } from "../cache/cache.ts"
import { AppError } from "../errors.ts"
import { memberOperation, memberPlan, planById } from "../gateway/upstream-read.ts"
import { encodeId } from "../match.ts"
import type { Store } from "../ports.ts"
import { isoTimeOrNull } from "../runtime.ts"
import type { CopyStamp, CopyStore, Hold, SyncProgress } from "./copy-store.ts"
import { addPage, finishSweep, judgeMissing, mayMiss, startSweep, type Sweep } from "./sweep.ts"
import type { KindSync, LoopDeps, SyncLoop } from "./sync-loop.ts"

export interface MemberSyncDeps extends LoopDeps {
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
  readonly store: Pick<Store, "restores">
}

/** A pass at least so often, and page 1 between passes, ms. */
const passEveryMs = 600_000
const pollEveryMs = 60_000
/** While a person has to decide, ms. */
const heldRestMs = 10_000
/** A deleted member's id is remembered so long, ms. */
const tombstoneMs = 30 * 24 * 3_600_000
/** Known members that are read before another key's list is believed. */
const triedMembers = 5
/** A write's own event follows its response within this time, ms. */
const justWrittenMs = 5000

/** What a sweep did not see and is read one by one; `putOff`: one of them could not be read. */
type Missing = { readonly sweep: Sweep; readonly ids: string[]; putOff: boolean }

/** Keeps the copy of the members current (docs/local-copy.md, The pass). */
export class MemberSync implements KindSync {
  readonly #copy: CopyStore
  readonly #deps: MemberSyncDeps
  readonly #loop: SyncLoop
  readonly #unsubscribe: () => void
  #sweep: Sweep | undefined
  #missing: Missing | undefined
  /** Members to read alone: a write of ours whose response had no record. */
  readonly #wanted = new Set<string>()
  /** When a response to a write put a member, monotonic ms. */
  readonly #written = new Map<string, number>()
  /** Members changed, and no event names them. */
  #passDue = false
  #polledAt = -Infinity
  #memberEventAt = -Infinity

  constructor(deps: MemberSyncDeps, loop: SyncLoop) {
    this.#copy = deps.copy
    this.#deps = deps
    this.#loop = loop
    this.#unsubscribe = deps.events.subscribe(({ topic, id }) => {
      if (topic === "member") this.#want(id)
      // Many rows have one event for all of them.
      else if (topic === "members" && id === "all" && !this.#isRecent(this.#memberEventAt)) {
        this.#passDue = true
        this.#loop.wake()
      }
    })
  }

  /** A response to a read: what it holds is put into the copy. */
  read(operation: string, { data, requestedAt }: Pick<CachedResponse, "data" | "requestedAt">): void {
    const members = membersIn(operation, data)
    if (members.length > 0)
      this.#loop.quietly(async () => this.#put(members, await this.#loop.copyTime(requestedAt)))
  }

  /** The response to a write of ours. It is younger than any read that was sent before it came. */
  written(data: unknown): void {
    const member = memberReader.tolerant.safeParse(data).data
    if (member === undefined) return
    this.#memberEventAt = this.#loop.clock.monotonic()
    this.#written.set(member.id, this.#memberEventAt)
    this.#loop.quietly(async () => this.#put([member], (await this.#copy.now()) + 1))
  }

  /** The service deleted a member at our request. */
  deleted(id: string): void {
    this.#loop.quietly(async () => this.#copy.members.drop([id], (await this.#copy.now()) + 1))
  }

  /** A person asks for newer data than the last pass has. */
  passNow(): void {
    this.#passDue = true
    this.#loop.wake()
  }

  /** Whether a pass is under way, or due; known to the instance that runs it only. */
  get isSweeping(): boolean {
    return this.#loop.isRunning && (this.#passDue || this.#sweep !== undefined || this.#missing !== undefined)
  }

  async status(): Promise<SyncStatus> {
    const { members } = this.#copy
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
    const { members } = this.#copy
    const { held, ...progress } = await members.progress()
    if (held === null) return undefined
    const acceptedDeletions = decision === "accept" ? held.missing : 0
    // Members of another program: nothing of the copy is right.
    if (decision === "accept" && held.reason === "key") await this.#copy.clear()
    else await members.setProgress({ ...progress, held: null, sweptFrom: null, acceptedDeletions })
    this.#loop.wake()
    this.#loop.changed("members")
    return held
  }

  stop(): void {
    this.#unsubscribe()
  }

  restart(): void {
    this.#sweep = this.#missing = undefined
    this.#wanted.clear()
  }

  async step(signal: AbortSignal): Promise<number> {
    const progress = await this.#copy.members.progress()
    if (progress.held !== null) return heldRestMs
    const [wanted] = this.#wanted
    if (wanted !== undefined) return this.#readWanted(wanted, progress, signal)
    if (this.#missing !== undefined) return this.#askNext(this.#missing, progress, signal)
    const [now, at] = [await this.#copy.now(), this.#loop.clock.monotonic()]
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
    await this.#put(page.members, await this.#loop.copyTime(page.requestedAt))
    const { rows, total } = page
    const ended = addPage(sweep, { ids: page.members.map(({ id }) => id), rows, total })
    if ((total ?? null) !== progress.total)
      await this.#copy.members.setProgress({ ...progress, total: total ?? null })
    if (ended) await this.#endSweep(sweep)
    return 0
  }

  async #endSweep(sweep: Sweep): Promise<void> {
    const { members } = this.#copy
    this.#sweep = undefined
    this.#polledAt = this.#loop.clock.monotonic()
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
    const { members } = this.#copy
    const [live, at] = [await members.count(), await this.#copy.now()]
    await members.setProgress(finishSweep(progress, sweep, { putOff, live, at }))
    await this.#copy.tidy(at - tombstoneMs)
    this.#loop.changed("members")
  }

  /** Page 1 between passes: another total starts the next pass. */
  async #poll(progress: SyncProgress, signal: AbortSignal): Promise<number> {
    const page = await this.#fetchPage(1, signal)
    this.#polledAt = this.#loop.clock.monotonic()
    if (!(await this.#isKnown(page.members, signal))) return 0
    await this.#put(page.members, await this.#loop.copyTime(page.requestedAt))
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
    const requestedAt = this.#loop.clock.monotonic()
    try {
      const response = await this.#loop.fetch(memberPlan(id), signal)
      await this.#put(
        membersIn(memberOperation, response.data),
        await this.#loop.copyTime(response.requestedAt),
      )
      return "live"
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      if (error.code === "unreadable_answer") return "unreadable"
      if (error.code !== "not_found") throw error
      await this.#copy.members.drop([id], await this.#loop.copyTime(requestedAt))
      this.#loop.changed("members")
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
    const found = await this.#copy.stamp()
    if (isEqual(found, wanted)) return true
    if (found !== undefined && !isEqual({ ...found, keyHash }, wanted)) await this.#copy.clear()
    else if (
      found !== undefined &&
      (await this.#copy.members.count()) > 0 &&
      !(await this.#knowsSome(signal))
    )
      return false
    await this.#copy.setStamp(wanted)
    return found === undefined
  }

  /** Whether a first page may be of the program that the copy is of. */
  async #isKnown(members: readonly Member[], signal: AbortSignal): Promise<boolean> {
    const live = await this.#copy.members.count()
    if (live <= mayMiss.records) return true
    const known = await this.#copy.members.get(members.map(({ id }) => id))
    return known.length > 0 || this.#knowsSome(signal)
  }

  /** Reads five members of the copy; when the service has none of them, sync is held. */
  async #knowsSome(signal: AbortSignal): Promise<boolean> {
    const { members } = this.#copy
    const ids = await members.idsBefore(Number.MAX_SAFE_INTEGER)
    const step = Math.max(1, Math.floor(ids.length / triedMembers))
    const tried = ids.filter((_, at) => at % step === 0).slice(0, triedMembers)
    for (const id of tried) {
      const end = await this.#loop.fetch(memberPlan(id), signal).catch((error: unknown) => {
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
    const at = await this.#copy.now()
    await this.#copy.members.setProgress({ ...progress, held: { reason, at, missing, live } })
    this.#deps.log.warn(
      { reason, missing, live },
      "The local copy of the members waits for a person: nothing was dropped.",
    )
    this.#loop.changed("members")
  }

  async #fetchPage(page: number, signal: AbortSignal) {
    const plan = planById(listOperation, {}, { page, per_page: limits.perPage.max })
    const { data, meta, requestedAt } = await this.#loop.fetch(plan, signal)
    const rows = Array.isArray(data) ? data.length : 0
    return { members: membersIn(listOperation, data), rows, total: meta?.total, requestedAt }
  }

  async #put(members: readonly Member[], asOf: number): Promise<void> {
    const changed = await this.#copy.members.put(members.map((record) => ({ record, asOf })))
    if (changed > 0) this.#loop.changed("members")
  }

  #want(id: string): void {
    this.#memberEventAt = this.#loop.clock.monotonic()
    if (!this.#loop.isRunning || this.#isRecent(this.#written.get(id))) return
    this.#written.delete(id)
    this.#wanted.add(id)
    this.#loop.wake()
  }

  #isRecent(at = -Infinity): boolean {
    return this.#loop.clock.monotonic() - at < justWrittenMs
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
