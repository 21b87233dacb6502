import { limits } from "../../contract/limits.ts"
import {
  type Member,
  memberListReader,
  type MemberNames,
  memberReader,
} from "../../contract/program/member.ts"
import { sees } from "../../contract/redaction.ts"
import type { Role } from "../../contract/roles.ts"
import type { Budget } from "../budget/budget.ts"
import { type CachedResponse, createTimedCache } from "../cache/cache.ts"
import { AppError } from "../errors.ts"
import type { Reads } from "../gateway/reads.ts"
import { fetchResponse, type FetchDeps, planById, type ReadPlan } from "../gateway/upstream-read.ts"
import { encodeId } from "../match.ts"
import type { EventBus, Log, NameStore, StoredName } from "../ports.ts"
import { createNotifier } from "../runtime.ts"

export type Names = ReturnType<typeof createNames>

interface NamesDeps extends FetchDeps {
  readonly budget: Budget
  readonly events: EventBus
  readonly log: Log
  readonly reads: Pick<Reads, "cached">
  readonly store: NameStore
}

/** Largest part of a minute's requests for names; each request of a person reduces it by two. */
const mostPart = 1 / 3
const perOther = 2
/** While less than this part of a minute is left for jobs, names wait; else one read of theirs a minute always fits. */
const freePart = 1 / 2
const minuteMs = 61_000
/** A name not requested again within this time is not read any more, ms. */
const wantedMs = 120_000
/** What was read of the member list is valid so long, ms. */
const sweepMs = 600_000
const restMs = 5000
/** Shortest interval of the event `names`, ms: every visible list reads again. */
const tellEveryMs = 300

const person = { id: "names", name: "Names of members" } as const

/**
 * Names of members, read one by one or by pages, whichever is less. A quiet minute's spare budget is used immediately, as
 * one more person's requests: a cold list has its names within a second (docs/reads.md, Names of members).
 */
export function createNames(deps: NamesDeps) {
  const { clock } = deps
  const cache = createNameCache(deps)
  const stopped = new AbortController()
  const wanted = new Map<string, number>()
  const sent: number[] = []
  const list = { pages: new Set<number>(), total: undefined as number | undefined, since: -Infinity }
  const notifier = createNotifier(clock, tellEveryMs, stopped.signal, () =>
    deps.events.publish({ topic: "names", id: "all" }),
  )
  let working = false
  /** The last reads failed: one is enough to find out whether the service is back. */
  let failing = false

  /** The next reads, `most` of them at most. */
  function nextReads(most: number): (() => Promise<void>)[] {
    if (clock.monotonic() - list.since > sweepMs) {
      list.pages.clear()
      list.total = undefined
      list.since = clock.monotonic()
    }
    const ids = [...wanted.keys()]
    if (list.total === undefined && ids.length > 1) {
      // A single name is a single request; the first page shows how long the list is. Home reads the same one.
      const first = deps.reads.cached(pagePlan(1))
      if (first === undefined) return [() => readPage(1)]
      cachePage(1, first)
    }
    const last = Math.ceil((list.total ?? 0) / limits.perPage.max)
    const pages = Array.from({ length: last }, (_, at) => at + 1).filter((page) => !list.pages.has(page))
    const reads =
      pages.length > 0 && pages.length <= ids.length
        ? pages.map((page) => () => readPage(page))
        : ids.map((id) => () => readOne(id))
    return reads.slice(0, most)
  }

  const read = (plan: ReturnType<typeof memberPlan>) =>
    fetchResponse(deps, plan, { person, signal: stopped.signal })

  function cachePage(page: number, { data, meta }: Pick<CachedResponse, "data" | "meta">): void {
    list.total = meta?.total ?? 0
    list.pages.add(page)
    for (const member of memberListReader.tolerant.parse(data)) cache.put(member)
  }

  const readPage = async (page: number) => cachePage(page, await read(pagePlan(page)))

  async function readOne(id: string): Promise<void> {
    try {
      cache.put(memberReader.tolerant.parse((await read(memberPlan(id))).data))
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "not_found") throw error
      await cache.markMissing(id)
    }
  }

  /** How many requests names may take now. */
  async function roomInBudget(): Promise<number> {
    const state = (await deps.budget.states())().find(({ api }) => api === "program")
    if (state === undefined) return 0
    const now = clock.monotonic()
    while (sent[0] !== undefined && sent[0] <= now - minuteMs) sent.shift()
    if (state.waiting > 0 || state.left_for_jobs < state.limit * freePart) return 0
    const others = Math.max(0, state.limit - state.left - sent.length)
    return Math.max(1, Math.floor(state.limit * mostPart) - perOther * others) - sent.length
  }

  function dropSettled(): void {
    const before = wanted.size
    const now = clock.monotonic()
    for (const [id, at] of wanted) {
      if (cache.isSettled(id) || at < now - wantedMs) wanted.delete(id)
    }
    if (wanted.size < before) notifier.changed()
  }

  async function step(): Promise<void> {
    const room = await roomInBudget()
    if (room <= 0) {
      await clock.sleep(restMs, stopped.signal)
      dropSettled()
      return
    }
    const ends = await Promise.allSettled(
      nextReads(failing ? 1 : room).map(async (next) => {
        sent.push(clock.monotonic())
        await next()
        dropSettled()
      }),
    )
    const failed = ends.find((end) => end.status === "rejected")
    failing = failed !== undefined
    if (failed !== undefined) throw failed.reason
  }

  async function readWanted(): Promise<void> {
    while (wanted.size > 0 && !stopped.signal.aborted) {
      try {
        await step()
      } catch (error) {
        if (stopped.signal.aborted) break
        if (!(error instanceof AppError)) deps.log.warn({ err: error }, "names could not be read")
        await clock.sleep(restMs, stopped.signal).catch(() => undefined)
        dropSettled()
      }
    }
    working = false
  }

  function want(ids: readonly string[]): void {
    for (const id of ids) wanted.set(id, clock.monotonic())
    if (working || wanted.size === 0 || stopped.signal.aborted) return
    working = true
    void readWanted()
  }

  const known = (id: string, role: Role): string | undefined => {
    const found = cache.get(id)
    if (found === undefined || found === "missing") return undefined
    return found.name || ((sees("member", role, "email") ? found.email : null) ?? undefined)
  }
  return {
    /** A name that is known now, of which nothing is read. */
    known,
    /** Names known now; the event `names` reports more. Without a name the e-mail is used, if the role sees it. */
    find(ids: readonly string[], role: Role): MemberNames {
      const names: MemberNames = { names: [], missing: [], coming: [] }
      const outdated: string[] = []
      for (const id of new Set(ids)) {
        const found = encodeId(id) === undefined ? "missing" : cache.get(id)
        if (found === undefined) names.coming.push(id)
        else if (found === "missing") names.missing.push(id)
        else {
          if (!cache.isSettled(id)) outdated.push(id)
          names.names.push({ id, name: known(id, role) ?? id })
        }
      }
      want([...names.coming, ...outdated])
      return names
    },
    changed: (id: string) => cache.changed(id),
    /** Removes a deleted member's name. */
    forget: (id: string) => cache.markMissing(id),
    load: () => cache.load(),
    /** Hands names read since over to the store. */
    save: () => cache.save(),
    stop: () => stopped.abort(new Error("Laurel stops")),
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

const pagePlan = (page: number) => planById("GET /members", {}, { page, per_page: limits.perPage.max })

export function memberPlan(id: string): ReadPlan {
  return planById("GET /members/{member_id}", { member_id: id })
}
