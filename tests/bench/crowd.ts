import { setTimeout as wait } from "node:timers/promises"
import { createSandbox } from "../../sandbox/app.ts"
import { demoKey } from "../../sandbox/config.ts"
import { serveSandbox } from "../../sandbox/serve.ts"
import { admin, startAppProcess, upstreamEnv } from "../support/app-process.ts"
import { invite, signIn, type Person } from "./person.ts"
import { quantile, type Figure } from "./report.ts"

const people = 30
const lasting = 120_000
const limit = 60

interface Tally {
  reads: number
  older: number
  countdowns: number
  unanswered: string[]
  waits: number[]
}

/**
 * Thirty users browse the same sharedViews views for two minutes with a key of 60 requests a minute, two to six seconds per
 * view. The service has its own rate limit and refuses what exceeds it.
 */
export async function measureCrowd(): Promise<Figure[]> {
  const sandbox = createSandbox({ rateLimit: limit, giftcardRateLimit: limit })
  const served = await serveSandbox(sandbox, { host: "127.0.0.1", port: 0 })
  const app = await startAppProcess(upstreamEnv(served.url, demoKey, limit))
  const administrator = await signIn(app.url, admin)
  const crowd: Person[] = []
  for (let index = 0; index < people; index += 1) {
    crowd.push(
      await invite(app.url, administrator, `Person ${String.fromCodePoint(65 + (index % 26))}${index}`),
    )
  }
  const views = await sharedViews(administrator)
  const tally: Tally = { reads: 0, older: 0, countdowns: 0, unanswered: [], waits: [] }
  const until = performance.now() + lasting
  await Promise.all(crowd.map((person, index) => browse(person, views, index, until, tally)))
  await Promise.all([administrator, ...crowd].map((person) => person.close()))
  await app.stop()
  await served.close()
  const sent = sandbox.requests.entries.map(({ at }) => at)
  const refused = sandbox.requests.entries.filter(({ status }) => status === 429).length
  return [
    { name: "reads by 30 people in two minutes", value: tally.reads, unit: "" },
    { name: "requests to the service", value: sent.length, unit: "" },
    { name: "most requests in any sliding minute", value: busiestMinute(sent), unit: "", atMost: limit },
    { name: "refused by the service (429)", value: refused, unit: "", atMost: 0 },
    { name: "reads nobody answered", value: tally.unanswered.length, unit: "", atMost: 0 },
    { name: "answered with an older copy", value: tally.older, unit: "" },
    { name: "answered 503 with Retry-After, then well", value: tally.countdowns, unit: "" },
    { name: "half of the reads answered within", value: quantile(tally.waits, 0.5), unit: "ms" },
    { name: "95 of 100 reads answered within", value: quantile(tally.waits, 0.95), unit: "ms" },
  ]
}

/** Forty shared views: list pages, filters, members with balance and ledger. */
async function sharedViews(person: Person): Promise<string[]> {
  const list = await person.get("/api/program/members?page=1&per_page=25")
  const ids = [...list.body.matchAll(/"id":"(mem_[^"]+)"/g)].map((match) => match[1] ?? "").slice(0, 10)
  const pages = Array.from({ length: 8 }, (_, page) => `/api/program/members?page=${page + 1}&per_page=25`)
  const filters = ["active", "inactive", "pending"].map((status) => `/api/program/members?status=${status}`)
  const rest = ["/api/program/rewards", "/api/program/orders", "/api/program/leaderboards"]
  const searches = ["silva", "climate", "air", "nguyen", "cool", "smith"].map(
    (word) => `/api/program/members?search=${word}`,
  )
  const records = ids.flatMap((id) => [
    `/api/program/members/${id}/balance`,
    `/api/program/members/${id}/transactions`,
  ])
  return [...pages, ...filters, ...rest, ...searches, ...records].slice(0, 40)
}

async function browse(
  person: Person,
  views: string[],
  seat: number,
  until: number,
  tally: Tally,
): Promise<void> {
  for (let step = 0; performance.now() < until; step += 1) {
    const view = views[(seat * 7 + step * 11) % views.length] ?? ""
    await readView(person, view, tally)
    await wait(2000 + ((seat * 131 + step * 977) % 4000))
  }
}

/** One read. Retries a 503 after its countdown as the page does; any other error is a failure. */
async function readView(person: Person, view: string, tally: Tally): Promise<void> {
  const started = performance.now()
  tally.reads += 1
  for (let turn = 0; turn < 4; turn += 1) {
    const answer = await person
      .get(view)
      .catch((error: unknown) => ({ status: 0, headers: {}, body: String(error) }))
    if (answer.status === 200) {
      if ("x-laurel-stale" in answer.headers) tally.older += 1
      tally.waits.push(performance.now() - started)
      return
    }
    const again = "retry-after" in answer.headers ? Number(answer.headers["retry-after"]) : Number.NaN
    if (answer.status !== 503 || !Number.isFinite(again)) {
      tally.unanswered.push(`${view}: ${answer.status} ${answer.body.slice(0, 200)}`)
      return
    }
    tally.countdowns += 1
    await wait(again * 1000)
  }
  tally.unanswered.push(`${view}: still counting down`)
}

function busiestMinute(times: readonly number[]): number {
  let most = 0
  let from = 0
  for (const [index, at] of times.entries()) {
    while ((times[from] ?? at) <= at - 60_000) from += 1
    most = Math.max(most, index - from + 1)
  }
  return most
}
