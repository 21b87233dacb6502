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
import { createTimedCache } from "../cache/cache.ts"
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

/** Requests in a minute at most, for a budget of 60; a page of orders besides makes 8. */
const mostInMinute = 7
const minuteMs = 61_000
/** A name that nobody asked for again for so long is not worth a request any more, ms. */
const wantedMs = 120_000
/** What was read of the member list is valid so long, ms. */
const sweepMs = 600_000
const restMs = 5000

const person = { id: "names", name: "Names of members" } as const

/** Names of members, read one by one or by pages, whichever is less, behind people and in a third of the budget. */
export function createNames(deps: NamesDeps) {
  const { clock } = deps
  const cache = createNameCache(deps)
  const stopped = new AbortController()
  const wanted = new Map<string, number>()
  const sent: number[] = []
  const list = { pages: new Set<number>(), total: undefined as number | undefined, since: -Infinity }
  const notifier = createNotifier(clock, 1000, stopped.signal, () =>
    deps.events.publish({ topic: "names", id: "all" }),
  )
  let working = false

  function nextPage(): number | undefined {
    if (clock.monotonic() - list.since > sweepMs) {
      list.pages.clear()
      list.total = undefined
      list.since = clock.monotonic()
    }
    // A single name is a single request; the first page of the list shows how long it is.
    if (list.total === undefined) return wanted.size > 1 ? 1 : undefined
    const last = Math.ceil(list.total / limits.perPage.max)
    const left = last - list.pages.size
    if (left <= 0 || left > wanted.size) return undefined
    for (let page = 1; page <= last; page += 1) if (!list.pages.has(page)) return page
    return undefined
  }

  const read = (plan: ReturnType<typeof memberPlan>) =>
    fetchResponse(deps, plan, { lane: "jobs", person, signal: stopped.signal })

  async function readPage(page: number): Promise<void> {
    const { data, meta } = await read(planById("GET /members", {}, { page, per_page: limits.perPage.max }))
    list.total = meta?.total ?? 0
    list.pages.add(page)
    for (const member of memberListReader.tolerant.parse(data)) cache.put(member)
  }

  async function readOne(id: string): Promise<void> {
    try {
      cache.put(memberReader.tolerant.parse((await read(memberPlan(id))).data))
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "not_found") throw error
      await cache.markMissing(id)
    }
  }

  async function waitForBudget(): Promise<number> {
    const view = (await deps.budget.view()).find(({ api }) => api === "program")
    if (view === undefined) return restMs
    const now = clock.monotonic()
    while (sent[0] !== undefined && sent[0] <= now - minuteMs) sent.shift()
    const most = Math.max(mostInMinute, Math.floor((view.limit * mostInMinute) / 60))
    if (sent.length >= most) return (sent[0] ?? now) + minuteMs - now
    return view.waiting > 0 || view.left_for_jobs < (view.limit * 2) / 3 ? restMs : 0
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
    const wait = await waitForBudget()
    if (wait > 0) {
      await clock.sleep(wait, stopped.signal)
      dropSettled()
      return
    }
    const page = nextPage()
    const id = wanted.keys().next().value
    if (id === undefined) return
    sent.push(clock.monotonic())
    await (page === undefined ? readOne(id) : readPage(page))
    dropSettled()
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
    /** What is known now; the event `names` reports more. Without a name the e-mail stands in, if the role sees it. */
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
    /** The member was deleted: nothing of them stays. */
    forget: (id: string) => cache.markMissing(id),
    load: () => cache.load(),
    /** Hands names read since over to the store. */
    save: () => cache.save(),
    stop: () => stopped.abort(new Error("Laurel stops")),
  }
}

/** `missing`: there is no such member. */
type KnownName = Pick<StoredName, "name" | "email"> | "missing"

/** How long a name is valid, ms; that a member does not exist only as long as a new one might be looked for. */
const nameMs = 3_600_000
const missingMs = 60_000
const mostKept = 20_000
/** A stored name is shown however old it is, and from then on read again behind what is missing, ms. */
const storedValidMs = 7 * 24 * 3_600_000
/** A name that stays the same is stored again after so long, ms. */
const storedAgainMs = 24 * 3_600_000
/** A name that nobody came across for so long is dropped, ms. */
const namesKeptMs = 90 * 24 * 3_600_000

/** What is valid is in memory; what was read once is in the store as well, and stands until it was read anew. */
function createNameCache({ reads, clock, store }: Pick<NamesDeps, "reads" | "clock" | "store">) {
  const valid = createTimedCache<KnownName>(clock, mostKept, nameMs)
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
    /** What is stored stands until the name was read again. */
    changed(id: string): void {
      valid.delete(id)
      const before = stored.get(id)
      if (before !== undefined) stored.set(id, { ...before, at: 0 })
    },
    async load(): Promise<void> {
      await store.forgetBefore(clock.now() - namesKeptMs)
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

export function memberPlan(id: string): ReadPlan {
  return planById("GET /members/{member_id}", { member_id: id })
}
