import { limits } from "../../contract/limits.ts"
import { memberListReader, memberReader } from "../../contract/program/member.ts"
import { createNotifier } from "../runtime.ts"
import type { Budget } from "../budget/budget.ts"
import { DeskFailure } from "../errors.ts"
import { fetchResponse, type FetchDeps, planById } from "../gateway/upstream-read.ts"
import type { EventBus, Log } from "../ports.ts"
import { memberPlan } from "./member-write.ts"
import type { NameBook } from "./name-book.ts"

/** What finding names stands on. */
export interface NameFinderDeps extends FetchDeps {
  readonly budget: Budget
  readonly events: EventBus
  readonly log: Log
  readonly book: NameBook
}

/** Finds names that are not known, from requests that nobody else needs. */
export interface NameFinder {
  want(ids: readonly string[]): void
  stop(): void
}

/** So many requests in a minute at most, for a budget of 60; a page of orders besides makes 8. */
const mostInMinute = 7
const minuteMs = 61_000
/** A name that nobody asked for again for so long is not worth a request any more, ms. */
const wantedMs = 120_000
/** What was read of the member list holds so long, ms. */
const sweepMs = 600_000
const restMs = 5000

const person = { id: "names", name: "Names of members" } as const

/**
 * Makes the finder. It reads single members or pages of them, whichever is less to read, always behind people, and only
 * while half of the budget is free.
 */
export function createNameFinder(deps: NameFinderDeps): NameFinder {
  const { clock, book } = deps
  const stopped = new AbortController()
  const wanted = new Map<string, number>()
  const sent: number[] = []
  const list = { pages: new Set<number>(), total: undefined as number | undefined, since: -Infinity }
  const teller = createNotifier(clock, 1000, stopped.signal, () =>
    deps.events.publish({ topic: "names", id: "all" }),
  )
  let working = false

  function nextPage(): number | undefined {
    if (clock.monotonic() - list.since > sweepMs) {
      list.pages.clear()
      list.total = undefined
      list.since = clock.monotonic()
    }
    // A single name is a single request; how long the list is tells its first page.
    if (list.total === undefined) return wanted.size > 1 ? 1 : undefined
    const last = Math.ceil(list.total / limits.perPage.max)
    const left = last - list.pages.size
    if (left <= 0 || left > wanted.size) return undefined
    for (let page = 1; page <= last; page += 1) if (!list.pages.has(page)) return page
    return undefined
  }

  async function readPage(page: number): Promise<void> {
    const plan = planById("GET /members", {}, { page, per_page: limits.perPage.max })
    const response = await fetchResponse(deps, plan, { lane: "jobs", person, signal: stopped.signal })
    list.total = response.meta?.total ?? 0
    list.pages.add(page)
    for (const member of memberListReader.tolerant.parse(response.data)) book.enter(member)
  }

  async function readOne(id: string): Promise<void> {
    try {
      const response = await fetchResponse(deps, memberPlan(id), {
        lane: "jobs",
        person,
        signal: stopped.signal,
      })
      book.enter(memberReader.tolerant.parse(response.data))
    } catch (error) {
      if (!(error instanceof DeskFailure) || error.code !== "not_found") throw error
      book.strike(id)
    }
  }

  /** ms until a request may go; 0: now. */
  async function mayGoIn(): Promise<number> {
    const view = (await deps.budget.view()).find(({ api }) => api === "program")
    if (view === undefined) return restMs
    const now = clock.monotonic()
    while (sent[0] !== undefined && sent[0] <= now - minuteMs) sent.shift()
    const most = Math.max(mostInMinute, Math.floor((view.limit * mostInMinute) / 60))
    if (sent.length >= most) return (sent[0] ?? now) + minuteMs - now
    return view.waiting > 0 || view.left_for_jobs < view.limit / 2 ? restMs : 0
  }

  function settle(): void {
    const before = wanted.size
    const now = clock.monotonic()
    for (const [id, at] of wanted) if (book.of(id) !== undefined || at < now - wantedMs) wanted.delete(id)
    if (wanted.size < before) teller.changed()
  }

  async function step(): Promise<void> {
    const wait = await mayGoIn()
    if (wait > 0) {
      await clock.sleep(wait, stopped.signal)
      settle()
      return
    }
    const page = nextPage()
    const id = wanted.keys().next().value
    if (id === undefined) return
    sent.push(clock.monotonic())
    await (page === undefined ? readOne(id) : readPage(page))
    settle()
  }

  async function work(): Promise<void> {
    while (wanted.size > 0 && !stopped.signal.aborted) {
      try {
        await step()
      } catch (error) {
        if (stopped.signal.aborted) break
        if (!(error instanceof DeskFailure)) deps.log.warn({ err: error }, "names could not be read")
        await clock.sleep(restMs, stopped.signal).catch(() => undefined)
        settle()
      }
    }
    working = false
  }

  return {
    want(ids) {
      for (const id of ids) wanted.set(id, clock.monotonic())
      if (working || wanted.size === 0 || stopped.signal.aborted) return
      working = true
      void work()
    },
    stop: () => stopped.abort(new Error("the desk stops")),
  }
}
