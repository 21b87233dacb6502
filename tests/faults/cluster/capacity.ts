import type { AppEvent } from "../../../contract/events.ts"
import { limits } from "../../../contract/limits.ts"
import type { EventBus, Store } from "../../../core/ports.ts"
import { createSandbox } from "../../../sandbox/app.ts"
import { fillDemoCopy } from "../../../src/demo/demo-store.ts"
import { createSandboxUpstream } from "../../../src/demo/sandbox-upstream.ts"
import { quantile } from "../../bench/report.ts"
import { createFakeClock } from "../../support/fake-clock.ts"
import { createMemoryCopy } from "../../support/memory-copy.ts"
import { createMemoryStore } from "../../support/memory-store.ts"
import { digestAtOnce, type Process, startProcess, strictEvents } from "../in-process.ts"
import { awardRows } from "../made-up-rows.ts"
import type { Life } from "../mortal.ts"
import { createRandom } from "../random.ts"
import { subjectsOf } from "./pages.ts"
import { type Seat, startCrowd } from "./people.ts"
import { measureTurns } from "./samples.ts"
import { mostInAMinute } from "./waits.ts"

/** A size to simulate; `limit` is requests a minute of the key. */
interface Size {
  readonly instances: number
  readonly people: number
  readonly limit: number
  /** A local copy that fills meanwhile, or is complete with all ledgers; without: `SYNC=off`. */
  readonly copy?: "filling" | "complete"
}

/** What else is simulated. */
interface Conditions {
  readonly seed: number
  /** Rows of a job that begins before the people. */
  readonly rows: number
  /** Not measured, so that caches fill. */
  readonly warmMs: number
  readonly measuredMs: number
  /** Each page asks only for what it needs of the service with and without a copy. */
  readonly recordsOnly?: true
}

const sizes: readonly Size[] = [
  { instances: 1, people: 50, limit: 60, copy: "complete" },
  { instances: 3, people: 50, limit: 60, copy: "complete" },
  { instances: 3, people: 100, limit: 60, copy: "complete" },
  { instances: 3, people: 100, limit: 120, copy: "complete" },
  { instances: 1, people: 20, limit: 60 },
  { instances: 1, people: 50, limit: 60 },
  { instances: 3, people: 50, limit: 60 },
  { instances: 3, people: 50, limit: 120 },
  { instances: 3, people: 50, limit: 150 },
  { instances: 100, people: 1000, limit: 600 },
  { instances: 100, people: 1000, limit: 3000 },
]

/** Caches fill before the measured time, ms; many people need less of it. */
const timesOf = (people: number) =>
  people > 100 ? { warmMs: 60_000, measuredMs: 60_000 } : { warmMs: 120_000, measuredMs: 180_000 }
/** Sleepers wake together at multiples of this, ms: hours of many instances cost few wakes. */
const stepMs = 10
const callMs = 12_000

/** Simulates clusters on one clock: the real core of each instance, without a network and with a store in memory. */
export async function simulateSizes(): Promise<{ lines: readonly string[]; missed: readonly string[] }> {
  const lines = []
  for (const limit of [60, 600, 3000]) lines.push(await measureTurns(limit))
  digestAtOnce()
  for (const size of sizes) {
    const rows = Math.min(limits.jobRowsAdded, size.limit * 4)
    const { line } = await simulate(size, { seed: 1, rows, ...timesOf(size.people) })
    lines.push(line)
  }
  return { lines, missed: [] }
}

/** Simulates people at work; `waits`: what they waited for the service, ms. */
export async function simulate(
  { instances, people, limit, copy: state }: Size,
  { seed, rows: rowCount, warmMs, measuredMs, recordsOnly }: Conditions,
): Promise<{ line: string; waits: readonly number[]; most: number }> {
  const clock = createFakeClock()
  const random = createRandom(seed)
  const copy = state && (await createMemoryCopy(clock))
  const sandbox = createSandbox({
    members: 10_000,
    now: () => clock.now(),
    wait: (ms, signal) => clock.sleep(ms, signal),
    rateLimit: 0,
  })
  if (copy && state === "complete") await fillDemoCopy(copy, sandbox)
  const counts = { turns: 0, other: 0, published: 0, delivered: 0 }
  const ground = {
    clock,
    store: counted(createMemoryStore(clock), counts),
    upstream: createSandboxUpstream(sandbox, clock, callMs),
  }
  const lives = new Map<string, Life>()
  const times = { settleMs: 120_000, recheckMs: 60_000, leaseMs: 30_000, callMs }
  const processes = linkedBuses(instances, counts).map((events) =>
    startProcess(ground, lives, { events, times, rateLimit: limit, ...(copy && { copy }) }),
  )
  const [first] = processes
  if (first === undefined) throw new Error("A cluster has at least one instance.")

  const rows = awardRows(sandbox, rowCount, random)
  const made = first.ask("POST /jobs", { body: { kind: "award", rows, options: { mode: "single" } } })
  await clock.advance(1000, stepMs)
  const jobId = /"id":"(J-\d+)"/.exec(JSON.stringify((await made).body))?.[1] ?? ""

  let turn = 0
  const seats = Array.from({ length: people }, (_, at): Seat => {
    const name = `person ${at}`
    return {
      async send(path, { method = "GET", body, headers }) {
        turn += 1
        const own = Object.entries(headers ?? {}).map(([header, value]) => [header.toLowerCase(), value])
        const by = { role: "manager", name, body, headers: Object.fromEntries(own) } as const
        const answer = await (processes[turn % instances] ?? first).ask(`${method} ${path}`, by)
        return { ...answer, headers: new Headers(answer.headers) }
      },
      listen: (signal) => listen(processes[at % instances] ?? first, name, signal),
    }
  })
  const crowd = startCrowd(
    recordsOnly === true ? seats.map(withRecordsOnly) : seats,
    subjectsOf(sandbox, jobId, random),
    random,
    clock,
  )
  await clock.advance(warmMs, stepMs)
  const before = { ...counts, sent: sandbox.requests.count, made: crowd.requests.length }
  await clock.advance(measuredMs, stepMs)

  const shown = crowd.requests.slice(before.made).filter(({ ofService, behind }) => ofService && !behind)
  const waits = shown.map(({ ms }) => ms)
  const sent = sandbox.requests.entries.filter(({ seq }) => seq > before.sent)
  const jobs = sent.filter(({ method }) => method === "POST").length
  const aMinute = (count: number) => (count / (measuredMs / 60_000)).toFixed(0)
  const perSecond = (name: keyof typeof counts) =>
    ((counts[name] - before[name]) / (measuredMs / 1000)).toFixed(1)
  const line = [
    `${instances} instances, ${people} people, ${limit} a minute, ${state === undefined ? "no copy" : `a ${state} copy`}:`,
    `${aMinute(sent.length)} requests a minute to the service (${aMinute(jobs)} of them awards);`,
    `answers waited for: p50 ${seconds(quantile(waits, 0.5))}, p95 ${seconds(quantile(waits, 0.95))}, longest ${seconds(Math.max(0, ...waits))},`,
    `${share(shown, ({ stale }) => stale)} older data, ${share(shown, ({ retries }) => retries > 0)} asked again after a 503;`,
    `a second: ${perSecond("turns")} turns at the count of requests, ${perSecond("other")} other store calls,`,
    `${perSecond("published")} events published, ${perSecond("delivered")} delivered`,
  ].join(" ")
  for (const { life } of processes) life.kill()
  return { line, waits, most: mostInAMinute(sent) }
}

/** Needs of the service what each page needs with and without a copy. */
function withRecordsOnly({ send, listen }: Seat): Seat {
  const nothing = { status: 200, headers: new Headers(), body: {} }
  return {
    send: async (path, how) =>
      path.startsWith("/program/") || how.method === "POST" ? send(path, how) : nothing,
    listen,
  }
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
const share = <T>(all: readonly T[], is: (one: T) => boolean) =>
  `${((100 * all.filter(is).length) / Math.max(1, all.length)).toFixed(1)} %`

/** Counts calls: those of the budget come one after the other for all instances, since each locks the count. */
function counted(store: Store, counts: { turns: number; other: number }): Store {
  const count = <T extends object>(part: T, name: "turns" | "other"): T =>
    new Proxy(part, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key)
        if (typeof value !== "function") return value
        return (...args: unknown[]): unknown => {
          counts[name] += 1
          return Reflect.apply(value, target, args)
        }
      },
    })
  const parts = Object.entries(store).map(([name, part]: [string, unknown]) => [
    name,
    typeof part === "object" && part !== null ? count(part, name === "budget" ? "turns" : "other") : part,
  ])
  return { ...store, ...Object.fromEntries(parts) }
}

/** One bus for each instance, linked as LISTEN and NOTIFY link them: everybody hears everything. */
function linkedBuses(instances: number, counts: { published: number; delivered: number }): EventBus[] {
  const locals = Array.from({ length: instances }, () => strictEvents())
  return locals.map((local) => ({
    subscribe: (listener) => local.subscribe(listener),
    publish(event: AppEvent) {
      counts.published += 1
      local.publish(event)
      for (const other of locals) {
        if (other === local) continue
        counts.delivered += 1
        other.publish({ ...event })
      }
    },
  }))
}

/** A person's event stream. */
function listen({ app }: Process, name: string, signal: AbortSignal): Promise<void> {
  const user = { id: `usr_${name}`, name, email: `${name}@laurel.test`, role: "manager" } as const
  const end = app.live.listen((read) => void read(user).catch(() => undefined))
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => {
      end()
      resolve()
    })
  })
}
