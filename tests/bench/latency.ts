import { admin, startDeskProcess, upstreamEnv } from "../support/desk-process.ts"
import { freePort, startChild } from "../support/child.ts"
import { signIn, stranger, type Person } from "./person.ts"
import { quantile, type Figure } from "./report.ts"

const blocks = 20
const perBlock = 200

/**
 * What the hop through Laurel adds to an answer, against http-proxy-middleware with a keep-alive agent, measured in
 * turns in one run. The service answers at once, so the whole difference is the hop's own work.
 */
export async function measureLatency(): Promise<Figure[]> {
  const upstreamPort = await freePort()
  const upstreamUrl = `http://127.0.0.1:${upstreamPort}`
  const upstream = await startChild("tests/bench/upstream.ts", { PORT: String(upstreamPort) }, /ready/)
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
  const ways: readonly { name: string; ask: () => Promise<unknown> }[] = [
    { name: "direct", ask: () => direct.get("/v1/members?page=1&per_page=25") },
    { name: "proxy", ask: () => proxied.get("/v1/members?page=1&per_page=25") },
    { name: "cached", ask: () => checked(person, list, {}) },
    { name: "through", ask: () => checked(person, list, { "cache-control": "no-cache" }) },
  ]
  const times = new Map<string, number[]>(ways.map((way) => [way.name, []]))
  for (let block = 0; block < blocks; block += 1) {
    for (const way of ways) {
      const taken = times.get(way.name) ?? []
      for (let turn = 0; turn < perBlock; turn += 1) {
        const started = performance.now()
        await way.ask()
        // The first block warms every way up.
        if (block > 0) taken.push(performance.now() - started)
      }
    }
  }
  await Promise.all([person.close(), direct.close(), proxied.close()])
  await desk.stop()
  await proxy.stop()
  await upstream.stop()

  const median = (name: string) => quantile(times.get(name) ?? [], 0.5)
  const added = (name: string) => median(name) - median("direct")
  return [
    { name: "direct, median", value: median("direct"), unit: "ms" },
    { name: "http-proxy-middleware, median", value: median("proxy"), unit: "ms" },
    { name: "Laurel, cached, median", value: median("cached"), unit: "ms" },
    { name: "Laurel, passed through, median", value: median("through"), unit: "ms" },
    {
      name: "added by a cached read / added by the proxy",
      value: added("cached") / added("proxy"),
      unit: "",
      atMost: 0.2,
    },
    {
      name: "added by a pass-through / added by the proxy",
      value: added("through") / added("proxy"),
      unit: "",
      atMost: 1,
    },
  ]
}

async function checked(person: Person, path: string, headers: Record<string, string>): Promise<void> {
  const answer = await person.get(path, headers)
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.body}`)
}
