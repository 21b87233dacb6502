import { type Member, type MemberNames, memberReader } from "../../contract/program/member.ts"
import { sees } from "../../contract/redaction.ts"
import type { Role } from "../../contract/roles.ts"
import type { Budget } from "../budget/budget.ts"
import { createTimedCache } from "../cache/cache.ts"
import type { LocalCopy } from "../copy/local-copy.ts"
import { AppError } from "../errors.ts"
import type { Reads } from "../gateway/reads.ts"
import { fetchResponse, type FetchDeps, memberPlan } from "../gateway/upstream-read.ts"
import { encodeId } from "../match.ts"
import type { EventBus, Log, NameStore, StoredName } from "../ports.ts"
import { createNotifier } from "../runtime.ts"

interface NamesDeps extends FetchDeps {
  readonly budget: Budget
  readonly events: EventBus
  readonly log: Log
  readonly reads: Pick<Reads, "cached">
  readonly store: NameStore
  readonly sync: Pick<LocalCopy, "copy" | "read"> | undefined
}

/** Largest part of a minute's requests for names; each request of a person reduces it by two. */
const mostPart = 1 / 3
const perOther = 2
/** While less than this part of a minute is left for jobs, names wait; else one read of theirs a minute always fits. */
const freePart = 1 / 2
const minuteMs = 61_000
/** A name not requested again within this time is not read any more, ms. */
const wantedMs = 120_000
const restMs = 5000
/** Shortest interval of the event `names`, ms: every visible list reads again. */
const notifyEveryMs = 300

const person = { id: "names", name: "Names of members" } as const

/**
 * Names of members, from the local copy. Those that it lacks are read one by one: a quiet minute's spare budget is used
 * immediately, as one more person's requests (docs/reads.md, Names of members).
 */
export class Names {
  private readonly deps: NamesDeps
  private readonly cache: NameCache
  private readonly notifier: ReturnType<typeof createNotifier>
  private readonly stopped = new AbortController()
  /** The members to read, and when each was last requested. */
  private readonly wanted = new Map<string, number>()
  /** When each request of the last minute was sent. */
  private readonly sent: number[] = []
  private isReading = false
  /** The last reads failed: one is enough to find out whether the service is back. */
  private isFailing = false

  constructor(deps: NamesDeps) {
    this.deps = deps
    this.cache = createNameCache(deps)
    this.notifier = createNotifier(deps.clock, notifyEveryMs, this.stopped.signal, () =>
      deps.events.publish({ topic: "names", id: "all" }),
    )
  }

  /** A name that is known now; nothing is read. */
  known(id: string, role: Role): string | undefined {
    const found = this.cache.get(id)
    if (found === undefined || found === "missing") return undefined
    return found.name || ((sees("member", role, "email") ? found.email : null) ?? undefined)
  }

  /** Names known now; the event `names` reports more. Without a name the e-mail is used, if the role sees it. */
  async find(ids: readonly string[], role: Role): Promise<MemberNames> {
    await this.readCopy(ids.filter((id) => encodeId(id) !== undefined && !this.cache.isSettled(id)))
    const names: MemberNames = { names: [], missing: [], coming: [] }
    const outdated: string[] = []
    for (const id of new Set(ids)) {
      const found = encodeId(id) === undefined ? "missing" : this.cache.get(id)
      if (found === undefined) names.coming.push(id)
      else if (found === "missing") names.missing.push(id)
      else {
        if (!this.cache.isSettled(id)) outdated.push(id)
        names.names.push({ id, name: this.known(id, role) ?? id })
      }
    }
    this.want([...names.coming, ...outdated])
    return names
  }

  changed(id: string): void {
    this.cache.changed(id)
  }

  /** Removes a deleted member's name. */
  forget(id: string): Promise<void> {
    return this.cache.markMissing(id)
  }

  load(): Promise<void> {
    return this.cache.load()
  }

  /** Stores the names read since the last call. */
  save(): Promise<void> {
    return this.cache.save()
  }

  stop(): void {
    this.stopped.abort(new Error("Laurel stops"))
  }

  private async readCopy(ids: readonly string[]): Promise<void> {
    const { log, sync } = this.deps
    if (sync === undefined || ids.length === 0) return
    try {
      for (const member of await sync.copy.members.get(ids)) this.cache.put(member)
    } catch (error) {
      log.warn({ err: error }, "names could not be read from the local copy")
    }
  }

  private want(ids: readonly string[]): void {
    for (const id of ids) this.wanted.set(id, this.deps.clock.monotonic())
    if (this.isReading || this.wanted.size === 0 || this.stopped.signal.aborted) return
    this.isReading = true
    void this.readWanted()
  }

  private async readWanted(): Promise<void> {
    const { clock, log } = this.deps
    while (this.wanted.size > 0 && !this.stopped.signal.aborted) {
      try {
        await this.step()
      } catch (error) {
        if (this.stopped.signal.aborted) break
        if (!(error instanceof AppError)) log.warn({ err: error }, "names could not be read")
        await clock.sleep(restMs, this.stopped.signal).catch(() => undefined)
        this.dropSettled()
      }
    }
    this.isReading = false
  }

  private async step(): Promise<void> {
    const room = await this.roomInBudget()
    if (room <= 0) {
      await this.deps.clock.sleep(restMs, this.stopped.signal)
      this.dropSettled()
      return
    }
    const next = [...this.wanted.keys()].slice(0, this.isFailing ? 1 : room)
    const ends = await Promise.allSettled(
      next.map(async (id) => {
        this.sent.push(this.deps.clock.monotonic())
        await this.readOne(id)
        this.dropSettled()
      }),
    )
    const failed = ends.find((end) => end.status === "rejected")
    this.isFailing = failed !== undefined
    if (failed !== undefined) throw failed.reason
  }

  /** How many requests names may take now. */
  private async roomInBudget(): Promise<number> {
    const state = (await this.deps.budget.states())().find(({ api }) => api === "program")
    if (state === undefined) return 0
    const { sent } = this
    const now = this.deps.clock.monotonic()
    while (sent[0] !== undefined && sent[0] <= now - minuteMs) sent.shift()
    if (state.waiting > 0 || state.left_for_jobs < state.limit * freePart) return 0
    const others = Math.max(0, state.limit - state.left - sent.length)
    return Math.max(1, Math.floor(state.limit * mostPart) - perOther * others) - sent.length
  }

  private async readOne(id: string): Promise<void> {
    const plan = memberPlan(id)
    try {
      const response = await fetchResponse(this.deps, plan, { person, signal: this.stopped.signal })
      this.deps.sync?.read(plan, response)
      this.cache.put(memberReader.tolerant.parse(response.data))
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "not_found") throw error
      await this.cache.markMissing(id)
    }
  }

  private dropSettled(): void {
    const before = this.wanted.size
    const now = this.deps.clock.monotonic()
    for (const [id, at] of this.wanted) {
      if (this.cache.isSettled(id) || at < now - wantedMs) this.wanted.delete(id)
    }
    if (this.wanted.size < before) this.notifier.changed()
  }
}

/** `missing`: there is no such member. */
type KnownName = Pick<StoredName, "name" | "email"> | "missing"

/** How long a name is valid, ms; a missing member is checked again sooner, since a new one may be looked for. */
const nameMs = 3_600_000
const missingMs = 60_000
const maxNames = 20_000
/** A stored name is shown however old it is, and from then on read again behind what is missing, ms. */
const storedValidMs = 7 * 24 * 3_600_000
/** A name that stays the same is stored again after so long, ms. */
const storedAgainMs = 24 * 3_600_000
/** A name not requested for this long is dropped, ms. */
const nameRetentionMs = 90 * 24 * 3_600_000

type NameCache = ReturnType<typeof createNameCache>

/** Valid names are in memory; stored ones are used until they are read again. */
function createNameCache({ reads, clock, store }: Pick<NamesDeps, "reads" | "clock" | "store">) {
  const valid = createTimedCache<KnownName>(clock, maxNames, nameMs)
  const stored = new Map<string, StoredName>()
  const unsaved = new Map<string, StoredName>()

  function keep(id: string, known: Exclude<KnownName, "missing">): void {
    const { name, email } = known
    const before = stored.get(id)
    const next = { id, name, email: name === "" ? email : null, at: clock.now() }
    const same = before !== undefined && before.name === next.name && before.email === next.email
    if (same && before.at > next.at - storedAgainMs) return
    stored.set(id, next)
    unsaved.set(id, next)
  }

  function readNow(id: string): KnownName | undefined {
    const cached = reads.cached(memberPlan(id))
    const member = cached === undefined ? undefined : memberReader.tolerant.safeParse(cached.data).data
    if (member === undefined) return valid.get(id)
    const known = nameOf(member)
    keep(id, known)
    return known
  }

  return {
    get: (id: string): KnownName | undefined => readNow(id) ?? stored.get(id),
    /** Whether there is nothing to read: it is valid, or was stored not long ago. */
    isSettled: (id: string): boolean =>
      readNow(id) !== undefined || (stored.get(id)?.at ?? 0) > clock.now() - storedValidMs,
    put(member: Member): void {
      valid.set(member.id, nameOf(member))
      keep(member.id, nameOf(member))
    },
    async markMissing(id: string): Promise<void> {
      valid.set(id, "missing", { ttl: missingMs })
      stored.delete(id)
      unsaved.delete(id)
      await store.forget(id)
    },
    /** Keeps using the stored name until the next read. */
    changed(id: string): void {
      valid.delete(id)
      const before = stored.get(id)
      if (before !== undefined) stored.set(id, { ...before, at: 0 })
    },
    async load(): Promise<void> {
      await store.forgetBefore(clock.now() - nameRetentionMs)
      for (const name of await store.all()) if (!stored.has(name.id)) stored.set(name.id, name)
    },
    async save(): Promise<void> {
      const names = [...unsaved.values()]
      if (names.length === 0) return
      await store.put(names)
      for (const name of names) if (unsaved.get(name.id) === name) unsaved.delete(name.id)
    },
  }
}

function nameOf({ first_name, last_name, email }: Member): Exclude<KnownName, "missing"> {
  return { name: [first_name, last_name].filter(Boolean).join(" "), email: email ?? null }
}
