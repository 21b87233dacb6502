import { randomUUID } from "node:crypto"
import { setTimeout as wait } from "node:timers/promises"
import * as z from "zod"
import { createSandbox } from "../../sandbox/app.ts"
import { demoKey } from "../../sandbox/config.ts"
import { serveSandbox } from "../../sandbox/serve.ts"
import { admin, startAppProcess, upstreamEnv } from "../support/app-process.ts"
import { signIn, connect, type Person } from "./person.ts"
import type { Figure } from "./report.ts"

const rows = 10_000
const watchers = 10
/** Rate limit, requests a minute: a few hundred rows a second, so that every step of the job is a change. */
const limit = 12_000
/** Length of each measurement, in ms: the job alone, watched, and alone again. */
const lookMs = 10_000
/** Interval at which a page rereads its visible rows during a job, in ms. */
const rowsMs = 2000
const token = "a-token-of-the-bench-alone"

/**
 * Server cost of ten browsers on the page of a job of 10,000 rows, as a share of one core: CPU time with and without
 * them, while the job runs.
 */
export async function measureWatched(): Promise<Figure[]> {
  const sandbox = createSandbox({ rateLimit: 0 })
  const served = await serveSandbox(sandbox, { host: "127.0.0.1", port: 0 })
  const app = await startAppProcess({ ...upstreamEnv(served.url, demoKey, limit), METRICS_TOKEN: token })
  const person = await signIn(app.url, admin)
  const scraper = connect(app.url, { authorization: `Bearer ${token}` })
  const job = await startJob(
    app.url,
    person,
    Array.from({ length: 1000 }, (_, at) => sandbox.store.members.idAt(at)),
  )
  await wait(3000)
  const before = await share(scraper)
  const stopping = new AbortController()
  const received = Array.from({ length: watchers }, () => ({ events: 0, bytes: 0, reads: 0 }))
  const watching = received.map((one) => watch(app.url, person, job, one, stopping.signal))
  await wait(1000)
  const counted = received.map(({ events }) => events)
  const watched = await share(scraper)
  const seconds = lookMs / 1000
  const most = Math.max(...received.map(({ events }, at) => (events - (counted[at] ?? 0)) / seconds))
  stopping.abort()
  await Promise.all(watching)
  await wait(1000)
  const after = await share(scraper)
  const state = z.object({ data: z.looseObject({ state: z.string() }) })
  const { data } = state.parse(JSON.parse((await person.get(`/api/jobs/${job}`)).body))
  if (data.state !== "running") throw new Error(`The job was ${data.state} before it was looked at.`)
  await Promise.all([person.close(), scraper.close()])
  await app.stop()
  await served.close()
  const alone = (before + after) / 2
  return [
    { name: "the job alone", value: alone, unit: "% of a core" },
    { name: `the job, watched by ${watchers} browsers`, value: watched, unit: "% of a core" },
    { name: "the watching", value: Math.max(0, watched - alone), unit: "% of a core", atMost: 10 },
    { name: "events a browser hears of the job in a second", value: most, unit: "", atMost: 2.2 },
    { name: "bytes a browser hears", value: (received[0]?.bytes ?? 0) / seconds, unit: "bytes a second" },
    { name: "reads of rows by one browser", value: received[0]?.reads ?? 0, unit: "" },
  ]
}

async function startJob(url: string, person: Person, members: readonly string[]): Promise<string> {
  const awards = Array.from({ length: rows }, (_, at) => ({
    member_id: members[at % members.length],
    points: 1 + Math.floor(at / members.length),
    reason: "Watched",
  }))
  const response = await fetch(`${url}/api/jobs`, {
    method: "POST",
    headers: {
      ...person.own,
      "Content-Type": "application/json",
      "X-Laurel": "1",
      "Idempotency-Key": randomUUID(),
    },
    body: JSON.stringify({ kind: "award", rows: awards, options: { mode: "single" } }),
  })
  return z.object({ data: z.object({ id: z.string() }) }).parse(await response.json()).data.id
}

/** CPU time of the server as a share of one core, in %, over one measurement. */
async function share(scraper: Person): Promise<number> {
  const seconds = async () => {
    const { body } = await scraper.get("/metrics")
    return Number(/^laurel_process_cpu_seconds_total ([\d.]+)/m.exec(body)?.[1])
  }
  const [from, at] = [await seconds(), performance.now()]
  await wait(lookMs)
  return (((await seconds()) - from) * 100_000) / (performance.now() - at)
}

/** Acts like an open job page: follows the events, and rereads the visible rows at an interval. */
async function watch(
  url: string,
  person: Person,
  job: string,
  received: { events: number; bytes: number; reads: number },
  signal: AbortSignal,
): Promise<void> {
  let readAt = 0
  try {
    const stream = await fetch(`${url}/api/events`, { headers: { ...person.own }, signal })
    for await (const chunk of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      received.bytes += chunk.length
      const steps = chunk.split(`"id":"${job}","jobs"`).length - 1
      received.events += steps
      if (steps === 0 || performance.now() - readAt < rowsMs) continue
      readAt = performance.now()
      received.reads += 1
      await person.get(`/api/jobs/${job}/rows?page=1&per_page=25`)
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
