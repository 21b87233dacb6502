import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { admin, type AppProcess, startAppProcess, upstreamEnv } from "../support/app-process.ts"
import { freePort, startChild } from "../support/child.ts"
import { signIn, connect, type Person } from "./person.ts"
import { quantile, type Figure } from "./report.ts"

/** Response time of the service, in ms: the status page of a real one shows several times that. */
const serviceTime = 20

interface Run {
  /** Response time of the service, in ms. */
  readonly delay: number
  /** Consecutive turns of one route, and rounds over all routes. */
  readonly inARow: number
  readonly rounds: number
  /** Whether every response differs from the previous one. */
  readonly changing: boolean
}

/** Warm-up turns of each route: a server that has just started is not representative. */
const warmUp = 1500

/**
 * Cost of the hop through Laurel compared to http-proxy-middleware with a keep-alive agent, measured alternately in
 * one run. First with a service of 20 ms and single turns in random order, as clicks come: the bounds apply to this,
 * for the median of three starts, since a process keeps the luck of its start. Then without bounds: twenty turns in a
 * row, which keeps a route warm; a service of 0 ms, which leaves only the hop; and a service whose responses all
 * differ, so that Laurel can reuse nothing.
 */
export async function measureLatency(): Promise<Figure[]> {
  const usual = await middleStart({ delay: serviceTime, rounds: 200, inARow: 1, changing: false })
  const warm = await medians({ delay: serviceTime, rounds: 20, inARow: 20, changing: false })
  const bare = await medians({ delay: 0, rounds: 20, inARow: 200, changing: false })
  const changing = await medians({ delay: 0, rounds: 20, inARow: 200, changing: true })
  return [
    { name: "service of 20 ms: direct", value: usual.direct, unit: "ms" },
    { name: "service of 20 ms: through the proxy", value: usual.proxy, unit: "ms" },
    { name: "service of 20 ms: Laurel, passed through", value: usual.through, unit: "ms" },
    { name: "service of 20 ms: Laurel, cached", value: usual.cached, unit: "ms" },
    {
      name: "a cached read / the same read through the proxy",
      value: usual.cached / usual.proxy,
      unit: "",
      atMost: 0.2,
    },
    { name: "added by a pass-through", value: added(usual, "through"), unit: "ms", atMost: 2 },
    { name: "the same / added by the proxy", value: share(usual), unit: "" },
    { name: "added by a pass-through, twenty turns in a row", value: added(warm, "through"), unit: "ms" },
    { name: "service of 0 ms: direct", value: bare.direct, unit: "ms" },
    { name: "service of 0 ms: added by the proxy", value: added(bare, "proxy"), unit: "ms" },
    { name: "service of 0 ms: added by a cached read", value: added(bare, "cached"), unit: "ms" },
    { name: "service of 0 ms: added by a pass-through", value: added(bare, "through"), unit: "ms" },
    { name: "service of 0 ms: the same / added by the proxy", value: share(bare), unit: "" },
    { name: "every answer differs: added by a pass-through", value: added(changing, "through"), unit: "ms" },
    { name: "every answer differs: the same / added by the proxy", value: share(changing), unit: "" },
  ]
}

/** The median of three starts, by the time that a pass-through adds. */
async function middleStart(run: Run): Promise<Medians> {
  const starts = [await medians(run), await medians(run), await medians(run)]
  const [, middle] = starts.toSorted((one, other) => added(one, "through") - added(other, "through"))
  if (middle === undefined) throw new Error("Three starts have a middle one.")
  return middle
}

function added(of: Medians, way: keyof Medians): number {
  return of[way] - of.direct
}

/** Time added by a pass-through relative to the proxy. */
function share(of: Medians): number {
  return added(of, "through") / added(of, "proxy")
}

type Medians = Readonly<Record<"direct" | "proxy" | "cached" | "through", number>>

/**
 * Median times of the four routes, in ms, measured alternately so that the machine's fluctuations affect all of them.
 */
async function medians({ delay, rounds, inARow, changing }: Run): Promise<Medians> {
  const upstreamPort = await freePort()
  const upstreamUrl = `http://127.0.0.1:${upstreamPort}`
  const upstreamEnvironment = { PORT: String(upstreamPort), ...(changing && { CHANGING: "1" }) }
  const upstream = await startChild("tests/bench/upstream.ts", upstreamEnvironment, /ready/)
  const proxyPort = await freePort()
  const proxy = await startChild(
    "tests/bench/proxy.ts",
    { PORT: String(proxyPort), TARGET: upstreamUrl },
    /ready/,
  )
  const app = await startAppProcess(upstreamEnv(upstreamUrl, "bench-key", 100_000))
  const person = await signIn(app.url, admin)
  // The same request on every route: a browser sends its cookie to any of them.
  const direct = connect(upstreamUrl, person.own)
  const proxied = connect(`http://127.0.0.1:${proxyPort}`, person.own)

  const list = "/api/program/members?page=1&per_page=25"
  const fresh = { "cache-control": "no-cache" }
  const ways = {
    direct: () => checked(direct, "/v1/members?page=1&per_page=25", fresh),
    proxy: () => checked(proxied, "/v1/members?page=1&per_page=25", fresh),
    cached: () => checked(person, list),
    through: () => checked(person, list, fresh),
  }
  const times: Record<keyof Medians, number[]> = { direct: [], proxy: [], cached: [], through: [] }
  const names = ["direct", "proxy", "cached", "through"] as const
  for (const name of names) {
    for (let turn = 0; turn < warmUp; turn += 1) await ways[name]()
  }
  await checked(direct, `/delay?${delay}`)
  clearPermits(app)
  const measure = async (name: keyof Medians, turns: number) => {
    for (let turn = 0; turn < turns; turn += 1) {
      const started = performance.now()
      await ways[name]()
      times[name].push(performance.now() - started)
    }
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const name of shuffled(["direct", "proxy", "through"] as const)) await measure(name, inARow)
    if (round % 60 === 59) clearPermits(app)
  }
  // Measured separately: before a pass-through it would warm up Laurel.
  await measure("cached", rounds * inARow)
  await Promise.all([person.close(), direct.close(), proxied.close()])
  await app.stop()
  await proxy.stop()
  await upstream.stop()
  const half = (name: keyof Medians) => quantile(times[name], 0.5)
  return { direct: half("direct"), proxy: half("proxy"), cached: half("cached"), through: half("through") }
}

/** Clears the permits, since a real window never holds thousands of them. */
function clearPermits({ data }: AppProcess): void {
  const permits = new DatabaseSync(join(data, "laurel-budget.db"), { timeout: 5000 })
  permits.exec("delete from budget_grant")
  permits.close()
}

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ item }) => item)
}

async function checked(person: Person, path: string, headers: Record<string, string> = {}): Promise<void> {
  const answer = await person.get(path, headers)
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.body}`)
}
