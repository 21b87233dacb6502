import { job } from "../../../contract/job.ts"
import type { Clock } from "../../../core/ports.ts"
import { codeOf, dataOf, type RequestOptions, type TestResponse } from "../../support/person.ts"
import type { Random } from "../random.ts"
import { type Browser, createBrowser, type Page, pickTask, type Subject } from "./pages.ts"

/** A request of a page until it had its data, or failed for good. */
export interface PageRequest {
  readonly page: string
  /** Whether the service may have to be called; else Laurel has the data itself. */
  readonly ofService: boolean
  /** The page showed what the browser had, and read it again. */
  readonly behind: boolean
  readonly ms: number
  /** How often it was sent again, after a 503 or without a connection. */
  readonly retries: number
  /** Answered with older data, because no request was free. */
  readonly stale: boolean
  /** What the person was shown instead of data. */
  readonly failure: string | undefined
}

/** What simulated people met. */
export interface Crowd {
  readonly requests: readonly PageRequest[]
  /** What pages had from the browser without a request. */
  readonly remembered: number
  /** Ids of the jobs of single awards. */
  readonly awards: readonly string[]
  /** Event streams that ended and were opened again. */
  readonly reconnects: number
  stop(): Promise<void>
}

/** A simulated person's connection to Laurel. */
export interface Seat {
  /** @throws TypeError without a connection */
  readonly send: (path: string, how: RequestOptions) => Promise<TestResponse>
  /** Reads events until the stream ends. */
  readonly listen: (signal: AbortSignal) => Promise<void>
}

/** Between two pages of a person. */
const pauseMs = { least: 20_000, most: 40_000 }
/** As in src/api/request.ts. */
const writePatienceMs = 60_000
const storePatienceMs = 10_000
const updatingMs = 2000
const asUpdate = { "X-Laurel-Update": "1" }
/** A shorter visit asks for no balance (src/features/members/page/member-facts.tsx). */
const passingMs = 400

/** Lets people do everyday jobs until they are stopped. They begin spread over one pause. */
export function startCrowd(
  seats: readonly Seat[],
  subject: () => Subject,
  random: Random,
  clock: Pick<Clock, "monotonic" | "sleep">,
): Crowd {
  const over = new AbortController()
  const requests: PageRequest[] = []
  const awards: string[] = []
  const crowd = { reconnects: 0, remembered: 0 }
  const rest = (ms: number) => clock.sleep(ms, over.signal).catch(() => undefined)

  const updates = new Set<Promise<void>>()

  async function ask(
    { seat, page }: Visit,
    path: string,
    { behind = false, ...how }: RequestOptions & { readonly behind?: boolean } = {},
  ): Promise<TestResponse | undefined> {
    const from = clock.monotonic()
    let retries = 0
    let failures = 0
    for (;;) {
      const met = await meet(seat, path, how)
      const elapsed = clock.monotonic() - from
      const again = retryAfterMs(met, how, failures, elapsed)
      if (again === undefined) {
        const failure = met instanceof Error ? String(met) : met.status >= 400 ? problemOf(met) : undefined
        requests.push({
          page: page.name,
          ofService: path.startsWith("/program/") || isWithoutCopy(met),
          behind,
          ms: elapsed,
          retries,
          stale: !(met instanceof Error) && isStale(met),
          failure: failure && `${how.method ?? "GET"} ${path}: ${failure}`,
        })
        return met instanceof Error || failure !== undefined ? undefined : met
      }
      retries += 1
      // The page counts its waits for the budget apart.
      if (met instanceof Error || met.status !== 503) failures += 1
      await clock.sleep(again)
    }
  }

  /** As the page does it: what the browser has is shown, and read again behind unless it is fresh. */
  async function open(at: Visit, path: string): Promise<void> {
    const known = /^\/(?:program\/|transactions\?)/.test(path) ? at.browser.has(path) : undefined
    if (known === "fresh") crowd.remembered += 1
    else if (known === "older") update(at, path)
    else {
      const met = await ask(at, path)
      if (met !== undefined) at.browser.keep(path, met.body, !isStale(met))
      if (met !== undefined && isStale(met)) update(at, path, updatingMs)
    }
  }

  /** Reads until the answer is not an older one, or the person is on another page. */
  function update(at: Visit, path: string, afterMs = 0): void {
    const read = async () => {
      for (let waitMs = afterMs; !at.left.aborted; waitMs = updatingMs) {
        if (waitMs > 0) await clock.sleep(waitMs, at.left).catch(() => undefined)
        const met = at.left.aborted ? undefined : await ask(at, path, { behind: true, headers: asUpdate })
        if (met === undefined) return
        at.browser.keep(path, met.body, !isStale(met))
        if (!isStale(met)) return
      }
    }
    const updating = read().finally(() => updates.delete(updating))
    updates.add(updating)
  }

  async function visit(at: Visit, about: Subject): Promise<void> {
    const noCache = { headers: { "Cache-Control": "no-cache" } }
    for (const path of at.page.behind?.(about) ?? [])
      if (at.browser.has(path) !== "fresh") update(at, path, passingMs)
    const fresh = at.page.behindFresh?.(about) ?? []
    const reads = fresh.map((path) => ask(at, path, { ...noCache, behind: true }))
    for (const together of at.page.requests(about)) await Promise.all(together.map((path) => open(at, path)))
    await Promise.all(reads)
  }

  async function award(at: Visit, memberId: string): Promise<string | undefined> {
    const rows = [{ member_id: memberId, points: random.integer(1, 100), reason: "Thank you" }]
    const made = await ask(at, "/jobs", {
      method: "POST",
      body: { kind: "award", rows },
      headers: { "Idempotency-Key": crypto.randomUUID() },
    })
    if (made === undefined) return undefined
    const { id } = dataOf(made, job)
    awards.push(id)
    at.browser.changed(memberId)
    return id
  }

  async function live(seat: Seat): Promise<void> {
    const browser = createBrowser(() => clock.monotonic())
    await rest(random.integer(0, pauseMs.most))
    while (!over.signal.aborted) {
      const task = subject()
      let { jobId } = task
      for (const page of pickTask(random).pages) {
        if (over.signal.aborted) return
        const leaving = new AbortController()
        const at = { seat, browser, page, left: AbortSignal.any([leaving.signal, over.signal]) }
        if (page.awards === true) jobId = (await award(at, task.memberId)) ?? jobId
        else await visit(at, { ...task, jobId })
        await rest(random.integer(pauseMs.least, pauseMs.most))
        leaving.abort()
      }
    }
  }

  async function listen(seat: Seat): Promise<void> {
    while (!over.signal.aborted) {
      await seat.listen(over.signal).catch(() => undefined)
      // As the stream tells the browser: retry: 2000.
      await rest(2000)
      if (!over.signal.aborted) crowd.reconnects += 1
    }
  }

  const lives = seats.flatMap((seat) => [live(seat), listen(seat)])
  return {
    requests,
    awards,
    get remembered() {
      return crowd.remembered
    },
    get reconnects() {
      return crowd.reconnects
    },
    async stop() {
      over.abort()
      await Promise.all([...lives, ...updates])
    },
  }
}

/** A page that a person has open. */
interface Visit {
  readonly seat: Seat
  readonly browser: Browser
  readonly page: Page
  /** Aborts when the person leaves the page. */
  readonly left: AbortSignal
}

const isStale = ({ headers }: TestResponse) => headers.get("X-Laurel-Stale") === "1"

/** A list of the service, because the local copy is not complete. */
const isWithoutCopy = (met: TestResponse | Error) =>
  !(met instanceof Error) && Object(Object(met.body).meta).complete === false

async function meet({ send }: Seat, path: string, how: RequestOptions): Promise<TestResponse | Error> {
  try {
    return await send(path, how)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** As the page does it (src/api/request.ts); undefined: it shows the answer, or the error. */
function retryAfterMs(
  met: TestResponse | Error,
  { method = "GET" }: RequestOptions,
  failures: number,
  elapsed: number,
): number | undefined {
  const reads = method === "GET"
  // A proxy's own page is not JSON.
  if (met instanceof TypeError || met instanceof SyntaxError) return reads && failures < 2 ? 1000 : undefined
  if (met instanceof Error || met.status < 400) return undefined
  const code = codeOf(met)
  const seconds = met.headers.get("Retry-After")
  if (code === "store_unavailable")
    return seconds !== null && elapsed < storePatienceMs ? Number(seconds) * 1000 : undefined
  if (code === "budget_spent" || code === "upstream_limited")
    return reads || elapsed < writePatienceMs ? Number(seconds ?? 2) * 1000 : undefined
  return reads && [502, 504].includes(met.status) && code !== undefined && failures < 1 ? 1000 : undefined
}

function problemOf(met: TestResponse): string {
  return `${met.status} ${codeOf(met) ?? JSON.stringify(met.body)}`
}
