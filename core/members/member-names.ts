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
import type { Clock, EventBus, Log } from "../ports.ts"
import { createNotifier } from "../runtime.ts"

export type Names = ReturnType<typeof createNames>

interface NamesDeps extends FetchDeps {
  readonly budget: Budget
  readonly events: EventBus
  readonly log: Log
  readonly reads: Pick<Reads, "cached">
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

/** Names of members, read one by one or by pages, whichever is less, behind people and while half of the budget is left. */
export function createNames(deps: NamesDeps) {
  const { clock } = deps
  const cache = createNameCache(deps.reads, clock)
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
      cache.markMissing(id)
    }
  }

  async function waitForBudget(): Promise<number> {
    const view = (await deps.budget.view()).find(({ api }) => api === "program")
    if (view === undefined) return restMs
    const now = clock.monotonic()
    while (sent[0] !== undefined && sent[0] <= now - minuteMs) sent.shift()
    const most = Math.max(mostInMinute, Math.floor((view.limit * mostInMinute) / 60))
    if (sent.length >= most) return (sent[0] ?? now) + minuteMs - now
    return view.waiting > 0 || view.left_for_jobs < view.limit / 3 ? restMs : 0
  }

  function dropSettled(): void {
    const before = wanted.size
    const now = clock.monotonic()
    for (const [id, at] of wanted) {
      if (cache.get(id) !== undefined || at < now - wantedMs) wanted.delete(id)
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

  return {
    /** What is known now; the event `names` reports more. Without a name the e-mail stands in, if the role sees it. */
    find(ids: readonly string[], role: Role): MemberNames {
      const names: MemberNames = { names: [], missing: [], coming: [] }
      for (const id of new Set(ids)) {
        const known = encodeId(id) === undefined ? "missing" : cache.get(id)
        if (known === undefined) names.coming.push(id)
        else if (known === "missing") names.missing.push(id)
        else {
          const email = sees("member", role, "email") ? known.email : null
          names.names.push({ id, name: known.name || (email ?? id) })
        }
      }
      want(names.coming)
      return names
    },
    changed: (id: string) => cache.delete(id),
    stop: () => stopped.abort(new Error("Laurel stops")),
  }
}

/** `missing`: there is no such member. */
type KnownName = { readonly name: string; readonly email: string | null } | "missing"

/** How long a name is kept, ms; that a member does not exist only as long as a new one might be looked for. */
const nameMs = 3_600_000
const missingMs = 60_000
const mostKept = 20_000

function createNameCache(reads: NamesDeps["reads"], clock: Clock) {
  const names = createTimedCache<KnownName>(clock, mostKept, nameMs)
  return {
    get(id: string): KnownName | undefined {
      const cached = reads.cached(memberPlan(id))
      const member = cached === undefined ? undefined : memberReader.tolerant.safeParse(cached.data).data
      return member === undefined ? names.get(id) : nameOf(member)
    },
    put: (member: Member) => void names.set(member.id, nameOf(member)),
    markMissing: (id: string) => void names.set(id, "missing", { ttl: missingMs }),
    delete: (id: string) => void names.delete(id),
  }
}

function nameOf({ first_name, last_name, email }: Member): KnownName {
  return { name: [first_name, last_name].filter(Boolean).join(" "), email: email ?? null }
}

export function memberPlan(id: string): ReadPlan {
  return planById("GET /members/{member_id}", { member_id: id })
}
