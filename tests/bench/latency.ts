import { admin, startDeskProcess, upstreamEnv } from "../support/desk-process.ts"
import { freePort, startChild } from "../support/child.ts"
import { signIn, stranger, type Person } from "./person.ts"
import { quantile, type Figure } from "./report.ts"

/** A service that takes its time, in ms: the status page of a real one shows several times that. */
const serviceTime = 20

/**
 * What the hop through Laurel costs against http-proxy-middleware with a keep-alive agent, measured in turns in one
 * run: once before a service that takes 20 ms, which the bounds are about, and once before one that answers at once,
 * where nothing but the hop's own work is left.
 */
export async function measureLatency(): Promise<Figure[]> {
  const usual = await medians(serviceTime, 12, 20)
  const bare = await medians(0, 20, 200)
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
    {
      name: "added by a pass-through / added by the proxy",
      value: added(usual, "through") / added(usual, "proxy"),
      unit: "",
      atMost: 1,
    },
    { name: "service of 0 ms: direct", value: bare.direct, unit: "ms" },
    { name: "service of 0 ms: added by the proxy", value: added(bare, "proxy"), unit: "ms" },
    { name: "service of 0 ms: added by a cached read", value: added(bare, "cached"), unit: "ms" },
    { name: "service of 0 ms: added by a pass-through", value: added(bare, "through"), unit: "ms" },
  ]
}

function added(of: Medians, way: keyof Medians): number {
  return of[way] - of.direct
}

type Medians = Readonly<Record<"direct" | "proxy" | "cached" | "through", number>>

/** Median times of the four ways, in ms, asked in turns of `perBlock` so that the machine's moods hit all of them. */
async function medians(delay: number, blocks: number, perBlock: number): Promise<Medians> {
  const upstreamPort = await freePort()
  const upstreamUrl = `http://127.0.0.1:${upstreamPort}`
  const upstreamEnvironment = { PORT: String(upstreamPort), DELAY: String(delay) }
  const upstream = await startChild("tests/bench/upstream.ts", upstreamEnvironment, /ready/)
  const proxyPort = await freePort()
  const proxy = await startChild(
    "tests/bench/proxy.ts",
    { PORT: String(proxyPort), TARGET: upstreamUrl },
    /ready/,
  )
  const desk = await startDeskProcess(upstreamEnv(upstreamUrl, "bench-key", 100_000))
  const person = await signIn(desk.url, admin)
  const direct = stranger(upstreamUrl)
  const proxied = stranger(`http://127.0.0.1:${proxyPort}`)

  const list = "/api/program/members?page=1&per_page=25"
  const ways = {
    direct: () => checked(direct, "/v1/members?page=1&per_page=25"),
    proxy: () => checked(proxied, "/v1/members?page=1&per_page=25"),
    cached: () => checked(person, list),
    through: () => checked(person, list, { "cache-control": "no-cache" }),
  }
  const times: Record<keyof Medians, number[]> = { direct: [], proxy: [], cached: [], through: [] }
  const names = ["direct", "proxy", "cached", "through"] as const
  for (let block = 0; block < blocks; block += 1) {
    for (const name of names) {
      for (let turn = 0; turn < perBlock; turn += 1) {
        const started = performance.now()
        await ways[name]()
        // The first block warms every way up.
        if (block > 0) times[name].push(performance.now() - started)
      }
    }
  }
  await Promise.all([person.close(), direct.close(), proxied.close()])
  await desk.stop()
  await proxy.stop()
  await upstream.stop()
  const half = (name: keyof Medians) => quantile(times[name], 0.5)
  return { direct: half("direct"), proxy: half("proxy"), cached: half("cached"), through: half("through") }
}

async function checked(person: Person, path: string, headers: Record<string, string> = {}): Promise<void> {
  const answer = await person.get(path, headers)
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.body}`)
}
