import type { AppEvent } from "../../../contract/status.ts"
import type { EventBus, Store } from "../../../core/ports.ts"
import { createSandbox } from "../../../sandbox/app.ts"
import { createSandboxUpstream } from "../../../src/demo/sandbox-upstream.ts"
import { quantile } from "../../bench/report.ts"
import { createFakeClock } from "../../support/fake-clock.ts"
import { createMemoryStore } from "../../support/memory-store.ts"
import { digestAtOnce, type Process, startProcess, strictEvents } from "../in-process.ts"
import { awardRows } from "../made-up-rows.ts"
import type { Life } from "../mortal.ts"
import { createRandom } from "../random.ts"
import { openedRecords, pickPage } from "./pages.ts"
import { pauseMs } from "./people.ts"

/** A size to simulate; `limit` is requests a minute of the key. */
interface Size {
  readonly instances: number
  readonly people: number
  readonly limit: number
}

const sizes: readonly Size[] = [
  { instances: 1, people: 50, limit: 60 },
  { instances: 3, people: 50, limit: 60 },
  { instances: 3, people: 50, limit: 120 },
  { instances: 10, people: 100, limit: 300 },
  { instances: 10, people: 1000, limit: 600 },
  { instances: 100, people: 1000, limit: 60 },
  { instances: 100, people: 1000, limit: 600 },
  { instances: 100, people: 1000, limit: 3000 },
]

/** Caches fill before the measured time, ms. */
const [warmMs, measuredMs] = [60_000, 120_000]
/** Sleepers wake together at multiples of this, ms: hours of many instances cost few wakes. */
const stepMs = 10
const callMs = 12_000

/** Simulates clusters on one clock: the real core of each instance, without a network and with a store in memory. */
export async function simulateSizes(): Promise<{ lines: readonly string[]; missed: readonly string[] }> {
  digestAtOnce()
  const lines = []
  for (const size of sizes) lines.push(await simulate(size))
  return { lines, missed: [] }
}

async function simulate({ instances, people, limit }: Size): Promise<string> {
  const clock = createFakeClock()
  const random = createRandom(1)
  const sandbox = createSandbox({
    members: 10_000,
    now: () => clock.now(),
    wait: (ms, signal) => clock.sleep(ms, signal),
    rateLimit: 0,
  })
  const counts = { locked: 0, other: 0, published: 0, delivered: 0 }
  const store = counted(createMemoryStore(clock), counts)
  const ground = { clock, store, upstream: createSandboxUpstream(sandbox, clock, callMs) }
  const lives = new Map<string, Life>()
  const buses = linkedBuses(instances, counts)
  const times = { settleMs: 120_000, recheckMs: 60_000, leaseMs: 30_000, callMs }
  const processes = buses.map((events) => startProcess(ground, lives, { events, times, rateLimit: limit }))
  const [first] = processes
  if (first === undefined) throw new Error("A cluster has at least one instance.")

  const rows = awardRows(sandbox, 1000, random)
  const made = first.ask("POST /jobs", { body: { kind: "award", rows, options: { mode: "single" } } })
  await clock.advance(1000, stepMs)
  const opened = openedRecords(
    sandbox,
    /"id":"(J-\d+)"/.exec(JSON.stringify((await made).body))?.[1] ?? "",
    random,
  )

  const waits: number[] = []
  const met = { stale: 0, later: 0 }
  let [turn, isMeasured] = [0, false]
  const read = async (name: string, path: string): Promise<void> => {
    const from = clock.monotonic()
    for (;;) {
      turn += 1
      const process = processes[turn % instances] ?? first
      const { status, headers } = await process.ask(`GET ${path}`, { role: "manager", name })
      if (status !== 503) {
        if (isMeasured) waits.push(clock.monotonic() - from)
        if (isMeasured && headers["X-Laurel-Stale"] === "1") met.stale += 1
        return
      }
      if (isMeasured) met.later += 1
      await clock.sleep(Number(headers["Retry-After"] ?? 2) * 1000)
    }
  }
  const live = async (name: string): Promise<void> => {
    await clock.sleep(random.integer(0, pauseMs.most))
    for (;;) {
      for (const together of pickPage(random).requests(opened))
        await Promise.all(together.map((path) => read(name, path)))
      await clock.sleep(random.integer(pauseMs.least, pauseMs.most))
    }
  }
  for (let at = 0; at < people; at += 1) {
    watch(processes[at % instances] ?? first, `person ${at}`)
    void live(`person ${at}`)
  }
  await clock.advance(warmMs, stepMs)
  const before = { ...counts, sent: sandbox.requests.count }
  isMeasured = true
  await clock.advance(measuredMs, stepMs)
  isMeasured = false
  const perSecond = (now: number, then: number) => ((now - then) / (measuredMs / 1000)).toFixed(1)
  const jobs = sandbox.requests.entries.filter(
    ({ seq, method }) => seq > before.sent && method === "POST",
  ).length
  const line = [
    `${instances} instances, ${people} people, ${limit} a minute:`,
    `${((sandbox.requests.count - before.sent) / (measuredMs / 60_000)).toFixed(0)} requests a minute to the service (${(jobs / (measuredMs / 60_000)).toFixed(0)} of the job);`,
    `reads p50 ${seconds(quantile(waits, 0.5))}, p95 ${seconds(quantile(waits, 0.95))}, longest ${seconds(Math.max(0, ...waits))},`,
    `${share(met.stale, waits.length)} with older data, ${share(met.later, waits.length)} asked to come later;`,
    `budget ${perSecond(counts.locked, before.locked)} and other store calls ${perSecond(counts.other, before.other)} a second;`,
    `events ${perSecond(counts.published, before.published)} published and ${perSecond(counts.delivered, before.delivered)} delivered a second`,
  ].join(" ")
  const stopped = Promise.all(processes.map(({ app }) => app.stop()))
  await clock.advance(60_000, 1000)
  await stopped
  return line
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
const share = (some: number, all: number) => `${((100 * some) / Math.max(1, all)).toFixed(1)} %`

/** Counts calls: those of the budget lock one row of everybody in PostgreSQL, so they come one after the other. */
function counted(store: Store, counts: { locked: number; other: number }): Store {
  const count = <T extends object>(part: T, name: "locked" | "other"): T =>
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
  const { budget, usage, drift, audit, notes, snapshots, names, settings, jobs, instances, restores, cards } =
    store
  const others = { usage, drift, audit, notes, snapshots, names, settings, jobs, instances, restores, cards }
  const wrapped = Object.fromEntries(
    Object.entries(others).map(([name, part]) => [name, count(part, "other")]),
  )
  return { ...store, ...wrapped, budget: count(budget, "locked") }
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

/** Opens the person's event stream. */
function watch({ app }: Process, name: string): void {
  const user = { id: `usr_${name}`, name, email: `${name}@laurel.test`, role: "manager" } as const
  app.live.listen((read) => void read(user).catch(() => undefined))
}
