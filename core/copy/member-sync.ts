import type { HoldDecision, SyncStatus } from "../../contract/copy.ts"
import { limits } from "../../contract/limits.ts"
import { type Member, memberListReader, memberReader } from "../../contract/program/member.ts"
import type { Environment } from "../../contract/session.ts"
import { AppError } from "../errors.ts"
import { memberOperation, memberPlan } from "../gateway/upstream-read.ts"
import { keepDepartures } from "../books/departures.ts"
import type { Store } from "../ports.ts"
import type { Settings } from "../settings/settings.ts"
import type { CopyStamp, CopyStore, Hold, SyncProgress } from "./copy-store.ts"
import { heldRestMs, ListSweep } from "./list-sweep.ts"
import { mayMiss } from "./sweep.ts"
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
  readonly store: Pick<Store, "books" | "restores">
  readonly settings: Pick<Settings, "get">
}

/** A pass at least so often, and page 1 between passes, ms. */
const passEveryMs = 600_000
const pollEveryMs = 60_000
/** Known members that are read before another key's list is believed. */
const triedMembers = 5
/** A write's own event follows its response within this time, ms. */
const justWrittenMs = 5000

/** Keeps the copy of the members current (docs/local-copy.md, The pass). */
export class MemberSync implements KindSync {
  readonly #copy: CopyStore
  readonly #deps: MemberSyncDeps
  readonly #loop: SyncLoop
  readonly #sweep: ListSweep<Member>
  readonly #unsubscribe: () => void
  /** Members to read alone: a write of ours whose response had no record. */
  readonly #wanted = new Set<string>()
  /** When a response to a write put a member, monotonic ms. */
  readonly #written = new Map<string, number>()
  #memberEventAt = -Infinity

  constructor(deps: MemberSyncDeps, loop: SyncLoop) {
    this.#copy = deps.copy
    this.#deps = deps
    this.#loop = loop
    this.#sweep = new ListSweep(deps, loop, {
      name: "members",
      copy: { ...deps.copy.members, drop: (ids, asOf) => this.#drop(ids, asOf) },
      list: "GET /members",
      one: memberOperation,
      planOf: memberPlan,
      reader: memberListReader,
      isKnown: (members, signal) => this.#isKnown(members, signal),
    })
    this.#unsubscribe = deps.events.subscribe(({ topic, id }) => {
      if (topic === "member") this.#want(id)
      // Many rows have one event for all of them.
      else if (topic === "members" && id === "all" && !this.#isRecent(this.#memberEventAt)) this.passNow()
    })
  }

  read(...response: Parameters<ListSweep<Member>["read"]>): void {
    this.#sweep.read(...response)
  }

  /** The response to a write of ours. It is younger than any read that was sent before it came. */
  written(data: unknown): void {
    const member = memberReader.tolerant.safeParse(data).data
    if (member === undefined) return
    this.#memberEventAt = this.#loop.clock.monotonic()
    this.#written.set(member.id, this.#memberEventAt)
    this.#loop.quietly(async () => this.#sweep.put([member], (await this.#copy.now()) + 1))
  }

  /** The service deleted a member at our request. */
  deleted(id: string): void {
    this.#loop.quietly(async () => this.#drop([id], (await this.#copy.now()) + 1))
  }

  /** The books keep what a deleted member had. */
  async #drop(ids: readonly string[], asOf: number): Promise<void> {
    await keepDepartures(this.#deps, ids, asOf)
    await this.#copy.members.drop(ids, asOf)
  }

  passNow(): void {
    this.#sweep.passNow()
  }

  get isSweeping(): boolean {
    return this.#sweep.isSweeping
  }

  status(): Promise<SyncStatus> {
    return this.#sweep.status()
  }

  decide(decision: HoldDecision): Promise<Hold | undefined> {
    return this.#sweep.decide(decision)
  }

  stop(): void {
    this.#unsubscribe()
  }

  restart(): void {
    this.#sweep.abandon()
    this.#wanted.clear()
  }

  async step(signal: AbortSignal): Promise<number> {
    const progress = await this.#copy.members.progress()
    if (progress.held !== null) return heldRestMs
    const [wanted] = this.#wanted
    if (wanted !== undefined) return this.#readWanted(wanted, progress, signal)
    if (!this.#sweep.isUnderWay) {
      const now = await this.#copy.now()
      const passInMs =
        this.#sweep.isDue || !progress.complete ? 0 : (progress.sweptFrom ?? -Infinity) + passEveryMs - now
      const pollInMs = this.#sweep.polledAt + pollEveryMs - this.#loop.clock.monotonic()
      if (passInMs > 0 && pollInMs > 0) return Math.min(passInMs, pollInMs)
      if (!(await this.#isSameProgram(signal))) return 0
      if (passInMs > 0) {
        // Another total starts the next pass.
        if (await this.#sweep.poll(progress, signal)) this.#sweep.isDue = true
        return 0
      }
      this.#sweep.start(now)
    }
    await this.#sweep.step(progress, signal)
    return 0
  }

  async #readWanted(id: string, { total }: SyncProgress, signal: AbortSignal): Promise<number> {
    if (this.#wanted.size > Math.max(1, (total ?? 0) / limits.perPage.max)) {
      // All pages are fewer requests.
      this.#wanted.clear()
      this.#sweep.isDue = true
      return 0
    }
    await this.#sweep.readAlone(id, signal)
    this.#wanted.delete(id)
    return 0
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
    this.#sweep.abandon()
    await this.#sweep.hold("key", tried.length, ids.length)
    return false
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

function isEqual(one: CopyStamp | undefined, other: CopyStamp): boolean {
  return (["environment", "address", "epoch", "keyHash"] as const).every(
    (name) => one?.[name] === other[name],
  )
}
