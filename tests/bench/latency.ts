import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { admin, type AppProcess, startAppProcess, upstreamEnv } from "../support/app-process.ts"
import { freePort, startChild } from "../support/child.ts"
import { signIn, stranger, type Person } from "./person.ts"
import { quantile, type Figure } from "./report.ts"

/** A service that takes its time, in ms: the status page of a real one shows several times that. */
const serviceTime = 20

interface Run {
  /** What the service takes, in ms. */
  readonly delay: number
  /** Turns of one way in a row, and how often each way has its turn. */
  readonly inARow: number
  readonly rounds: number
  /** Every answer of the service differs from the one before. */
  readonly changing: boolean
}

/** Turns of each way before anything is measured: a server that has just started is not what people meet. */
const warmUp = 1500

/**
 * What the hop through Laurel costs against http-proxy-middleware with a keep-alive agent, measured in turns in one
 * run. First before a service that takes 20 ms, one turn each in an order that is drawn anew, as clicks come: the bounds
 * are about this, and as a process keeps the luck of its start all its life, all are started three times. Then, only
 * told: the same twenty times in a row, which keeps a way warm; before a service that answers at once, where nothing but
 * the hop's own work is left; before one whose every answer differs, so that nothing Laurel made of the one before is
 * of use.
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

/** The middle one of three starts, by what a pass-through adds. */
async function middleStart(run: Run): Promise<Medians> {
  const starts = [await medians(run), await medians(run), await medians(run)]
  const [, middle] = starts.toSorted((one, other) => added(one, "through") - added(other, "through"))
  if (middle === undefined) throw new Error("Three starts have a middle one.")
  return middle
}

function added(of: Medians, way: keyof Medians): number {
  return of[way] - of.direct
}

/** What a pass-through adds, as a share of what the proxy adds. */
function share(of: Medians): number {
  return added(of, "through") / added(of, "proxy")
}

type Medians = Readonly<Record<"direct" | "proxy" | "cached" | "through", number>>

/** Median times of the four ways, in ms, asked in turns so that the machine's moods hit all of them. */
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
  // The same request on every way: a browser sends its cookie through whatever stands in front.
  const direct = stranger(upstreamUrl, person.own)
  const proxied = stranger(`http://127.0.0.1:${proxyPort}`, person.own)

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
  forgetPermits(app)
  const take = async (name: keyof Medians, turns: number) => {
    for (let turn = 0; turn < turns; turn += 1) {
      const started = performance.now()
      await ways[name]()
      times[name].push(performance.now() - started)
    }
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const name of shuffled(["direct", "proxy", "through"] as const)) await take(name, inARow)
    if (round % 60 === 59) forgetPermits(app)
  }
  // By itself: right before a pass-through it would have Laurel warm.
  await take("cached", rounds * inARow)
  await Promise.all([person.close(), direct.close(), proxied.close()])
  await app.stop()
  await proxy.stop()
  await upstream.stop()
  const half = (name: keyof Medians) => quantile(times[name], 0.5)
  return { direct: half("direct"), proxy: half("proxy"), cached: half("cached"), through: half("through") }
}

/** The services allow 60 requests a minute: nobody's window ever holds the thousands of a measurement. */
function forgetPermits({ data }: AppProcess): void {
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
