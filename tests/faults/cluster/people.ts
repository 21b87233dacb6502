import { setTimeout as sleep } from "node:timers/promises"
import { job } from "../../../contract/job.ts"
import { codeOf, dataOf, type Person, type RequestOptions, type TestResponse } from "../../support/person.ts"
import type { Random } from "../random.ts"
import { type OpenedRecords, pickPage } from "./pages.ts"

/** A request of a page until it had its data, or failed for good. */
export interface PageRequest {
  readonly page: string
  /** Whether the service may have to be called; else Laurel has the data itself. */
  readonly ofService: boolean
  readonly ms: number
  /** How much of it the page waited before it was sent again. */
  readonly retriedMs: number
  /** Answered with older data, because no request was free within a second. */
  readonly stale: boolean
  /** What the person was shown instead of data. */
  readonly failure: string | undefined
}

/** What simulated people met. */
export interface Crowd {
  readonly requests: readonly PageRequest[]
  /** Ids of the jobs of single awards. */
  readonly awards: readonly string[]
  /** Event streams that ended and were opened again. */
  readonly reconnects: number
  stop(): Promise<void>
}

/** Between two pages of a person. */
const pauseMs = { least: 20_000, most: 40_000 }
/** One visit in this many is an award. */
const visitsPerAward = 25
/** As in src/api/request.ts. */
const writePatienceMs = 60_000
const storePatienceMs = 10_000

/** Lets people open pages until they are stopped. They begin spread over one pause. */
export function startCrowd(
  url: string,
  people: readonly Person[],
  opened: OpenedRecords,
  random: Random,
): Crowd {
  const over = new AbortController()
  const requests: PageRequest[] = []
  const awards: string[] = []
  const crowd = { reconnects: 0 }
  const rest = (ms: number) => sleep(ms, undefined, { signal: over.signal }).catch(() => undefined)

  async function ask(person: Person, page: string, path: string, how: RequestOptions = {}) {
    const from = performance.now()
    let [retries, retriedMs] = [0, 0]
    for (;;) {
      const met = await meet(person, path, how)
      const elapsed = performance.now() - from
      const again = retryAfterMs(met, how, retries, elapsed)
      if (again === undefined) {
        const failure = met instanceof Error ? String(met) : met.status >= 400 ? problemOf(met) : undefined
        const stale = !(met instanceof Error) && met.headers.get("X-Laurel-Stale") === "1"
        requests.push({
          page,
          ofService: path.startsWith("/program/"),
          ms: elapsed,
          retriedMs,
          stale,
          failure: failure && `${how.method ?? "GET"} ${path}: ${failure}`,
        })
        return met instanceof Error || failure !== undefined ? undefined : met
      }
      retries += 1
      retriedMs = performance.now() - from + again
      await sleep(again)
    }
  }

  async function visit(person: Person): Promise<void> {
    const page = pickPage(random)
    for (const together of page.requests(opened))
      await Promise.all(together.map((path) => ask(person, page.name, path)))
  }

  async function award(person: Person): Promise<void> {
    const rows = [{ member_id: opened.memberId(), points: random.integer(1, 100), reason: "Thank you" }]
    const made = await ask(person, "award one", "/jobs", {
      method: "POST",
      body: { kind: "award", rows },
      headers: { "Idempotency-Key": crypto.randomUUID() },
    })
    if (made !== undefined) awards.push(dataOf(made, job).id)
  }

  async function live(person: Person): Promise<void> {
    await rest(random.integer(0, pauseMs.most))
    while (!over.signal.aborted) {
      if (random.integer(1, visitsPerAward) === 1) await award(person)
      else await visit(person)
      await rest(random.integer(pauseMs.least, pauseMs.most))
    }
  }

  async function listen(person: Person): Promise<void> {
    while (!over.signal.aborted) {
      await readEvents(url, person, over.signal).catch(() => undefined)
      // As the stream tells the browser: retry: 2000.
      await rest(2000)
      if (!over.signal.aborted) crowd.reconnects += 1
    }
  }

  const lives = people.flatMap((person) => [live(person), listen(person)])
  return {
    requests,
    awards,
    get reconnects() {
      return crowd.reconnects
    },
    async stop() {
      over.abort()
      await Promise.all(lives)
    },
  }
}

async function readEvents(url: string, { cookie }: Person, signal: AbortSignal): Promise<void> {
  const { body } = await fetch(`${url}/api/events`, { headers: { Cookie: cookie }, signal })
  for await (const _part of body ?? []);
}

async function meet(person: Person, path: string, how: RequestOptions): Promise<TestResponse | Error> {
  try {
    return await person.ask(path, how)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** As the page does it (src/api/request.ts); undefined: it shows the answer, or the error. */
function retryAfterMs(
  met: TestResponse | Error,
  { method = "GET" }: RequestOptions,
  retries: number,
  elapsed: number,
): number | undefined {
  const reads = method === "GET"
  // A body that is not JSON is a SyntaxError: shown, and not sent again.
  if (met instanceof TypeError) return reads && retries < 2 ? 1000 : undefined
  if (met instanceof Error || met.status < 400) return undefined
  const code = codeOf(met)
  const seconds = met.headers.get("Retry-After")
  if (code === "store_unavailable")
    return seconds !== null && elapsed < storePatienceMs ? Number(seconds) * 1000 : undefined
  if (code === "budget_spent" || code === "upstream_limited")
    return reads || elapsed < writePatienceMs ? Number(seconds ?? 2) * 1000 : undefined
  return reads && [502, 504].includes(met.status) && code !== undefined && retries < 1 ? 1000 : undefined
}

function problemOf(met: TestResponse): string {
  return `${met.status} ${codeOf(met) ?? JSON.stringify(met.body)}`
}
