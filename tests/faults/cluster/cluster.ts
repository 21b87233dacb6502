import { setTimeout as sleep } from "node:timers/promises"
import { appStatus } from "../../../contract/status.ts"
import { realClock } from "../../../core/runtime.ts"
import { quantile } from "../../bench/report.ts"
import { admin } from "../../support/app-process.ts"
import { newUser } from "../../support/new-user.ts"
import { signInAs } from "../../support/person.ts"
import { startPostgres } from "../../support/postgres.ts"
import { countsLine, fiveCounts } from "../five-counts.ts"
import { type Fleet, type FleetApp, startFleet } from "../fleet.ts"
import { expectData, readCounted, submitJob, untilDone } from "../job-client.ts"
import { awardRows } from "../made-up-rows.ts"
import { createRandom } from "../random.ts"
import { until } from "../until.ts"
import { startBalancer } from "./balancer.ts"
import { inspected } from "./heap.ts"
import { subjectsOf } from "./pages.ts"
import { type PageRequest, type Seat, startCrowd } from "./people.ts"
import { metricsToken, startSamples } from "./samples.ts"
import { awaited, failuresOf, mostInAMinute, pageLines, seconds, spread, timesOf } from "./waits.ts"

/** How long, for how many people, how large the job is, and how many requests a minute the key allows. */
interface ClusterOptions {
  readonly minutes: number
  readonly people: number
  readonly rows: number
  readonly limit: number
}

/** In seconds; shorter than in production, so that what a kill left open is decided before the run ends. */
const times = { settle: 20, recheck: 10, lease: 30, call: 12 }
/** Without people and jobs, to see what an idle cluster costs, ms; requests of the filling are no longer counted. */
const idleMs = 62_000
/** The key while the copy is filled, requests a minute, and the timeout, ms: ledgers need hours at 60. */
const fillLimit = 100_000
const longestFillMs = 1_200_000
/** When the troubles begin, as shares of the run. */
const troubles = { database: 0.3, rolling: 0.4, kill: 0.6 }
const mostP95 = 1000
const minuteMs = 60_000

/**
 * Three instances on one PostgreSQL behind a balancer: people do the everyday jobs (pages.ts) while a job runs on a small
 * key; in the middle the database restarts, the instances are replaced one by one, and one is killed.
 */
export async function runCluster({ minutes, people, rows, limit }: ClusterOptions) {
  const random = createRandom(1)
  const postgres = await startPostgres()
  const ends: (() => Promise<void>)[] = [() => postgres.stop()]
  let fleet: Fleet | undefined
  try {
    const databaseUrl = await postgres.createDatabase()
    fleet = await startFleet({
      instances: 3,
      databaseUrl,
      times,
      rateLimit: fillLimit,
      sandbox: { members: Math.max(1200, rows) },
      env: { TRUST_PROXY: "1", METRICS_TOKEN: metricsToken, SYNC: "on", ...inspected },
    })
    const started = fleet
    ends.push(() => started.close())
    const { sandbox, apps, ask } = fleet
    const balancer = await startBalancer(apps.map(({ url }) => url))
    ends.push(() => balancer.stop())
    const seats = await signedIn(balancer.url, people)
    const filledMs = await filled(fleet)
    const key = { PROGRAM_RATE_LIMIT: String(limit), GIFTCARD_RATE_LIMIT: String(limit) }
    for (const app of apps) await replace(app, key)
    Object.assign(sandbox.settings, { rateLimit: limit, giftcardRateLimit: limit })
    const { count: filling } = sandbox.requests
    const samples = startSamples(databaseUrl, apps)
    ends.push(samples.stop)
    await samples.mark("start")
    await sleep(idleMs)
    await samples.mark("idle")

    const made = await submitJob(ask, { kind: "award", rows: awardRows(sandbox, rows, random) })
    const from = performance.now()
    const crowd = startCrowd(seats, subjectsOf(sandbox, made.id, random), random, realClock)
    const restart = () => postgres.restart(databaseUrl)
    const met = await inTheMiddle(apps, key, restart, minutes * minuteMs)
    await crowd.stop()
    await samples.mark("busy")
    const memory = samples.memory()
    const { counts } = await untilDone(ask, made.id, 30 * minuteMs)
    const jobMs = performance.now() - from

    const jobs = [await readCounted(ask, made.id)]
    const awardTimes: number[] = []
    for (const id of crowd.awards) {
      const { created_at, finished_at } = await untilDone(ask, id, 10 * minuteMs)
      awardTimes.push(Date.parse(finished_at ?? "") - Date.parse(created_at))
      jobs.push(await readCounted(ask, id))
    }
    await sandbox.settleAll()
    const five = fiveCounts(sandbox.store.ledger, jobs)
    const requests = sandbox.requests.entries.filter(({ api, seq }) => api === "program" && seq > filling)
    const refused = requests.filter(({ status }) => status === 429).length
    return {
      lines: [
        `cluster: 3 instances on one PostgreSQL behind ${balancer.name}, ${people} people, ${rows} rows, ${minutes} minutes, ${limit} requests a minute`,
        `  the local copy was filled before they began, with ${fillLimit} requests a minute in ${(filledMs / minuteMs).toFixed(1)} minutes`,
        ...pageLines(crowd.requests, crowd.remembered),
        `  ${crowd.awards.length} awards by people, done after ${spread(awardTimes)}`,
        `  the job: ${counts.confirmed} of ${rows} confirmed after ${(jobMs / minuteMs).toFixed(1)} minutes; ${countsLine(five)}`,
        `  the service: ${requests.length} requests, at most ${mostInAMinute(requests)} in any minute, ${refused} over the limit`,
        `  ${met.join("; ")}; ${crowd.reconnects} event streams were opened again`,
        ...samples.lines(),
        ...memory.map(({ line }) => `  memory of ${line}`),
      ],
      missed: [
        ...failuresOf(crowd.requests),
        ...slowOf(crowd.requests),
        ...(countsLine(five) === "L=0 D=0 P=0 W=0 U=0" ? [] : five.notes.slice(0, 20)),
        ...(refused === 0 ? [] : [`${refused} requests were over the limit of ${limit} a minute`]),
        ...memory.flatMap(({ missed }) => missed ?? []),
      ],
    }
  } catch (error) {
    const logs = fleet?.apps.map((app) => app.output().split("\n").slice(-15).join("\n")) ?? []
    throw new Error(`cluster: ${String(error)}\n${logs.join("\n")}`, { cause: error })
  } finally {
    for (const end of ends.toReversed()) await end()
  }
}

/** Variables of a start. */
type Environment = Readonly<Record<string, string>>

async function replace(app: FleetApp, key: Environment): Promise<void> {
  await app.stop()
  await app.start(key)
}

/** Waits until lists and ledgers come from the copy, as on every day but the first; returns the ms. */
async function filled({ ask }: Fleet): Promise<number> {
  const from = performance.now()
  const isComplete = async () => {
    const { copy } = expectData(await ask("/status"), 200, appStatus)
    const { members, orders, rewards, ledgers } = copy
    return [members, orders, rewards, ledgers].every((kind) => kind?.complete === true) || undefined
  }
  await until("a complete local copy", longestFillMs, isComplete, 2000)
  return performance.now() - from
}

/** Makes people who can work at that address. */
async function signedIn(url: string, count: number): Promise<Seat[]> {
  const helen = await signInAs(url, admin.email, admin.password)
  const seats: Seat[] = []
  while (seats.length < count) {
    const { person } = await newUser(url, helen, "manager")
    const listen = async (signal: AbortSignal) => {
      const { body } = await fetch(`${url}/api/events`, { headers: { Cookie: person.cookie }, signal })
      for await (const _part of body ?? []);
    }
    seats.push({ send: (path, how) => person.ask(path, how), listen })
  }
  return seats
}

/** Carries out the troubles and resolves at the end of the run: a line for each. */
async function inTheMiddle(
  apps: readonly FleetApp[],
  key: Environment,
  restartDatabase: () => Promise<void>,
  ms: number,
): Promise<string[]> {
  const from = performance.now()
  const at = (share: number) => sleep(Math.max(0, from + share * ms - performance.now()))
  const timed = async (what: string, act: () => Promise<unknown>) => {
    const began = performance.now()
    await act()
    return `${what} took ${((performance.now() - began) / 1000).toFixed(1)} s`
  }
  await at(troubles.database)
  const lines = [await timed("restarting the database", restartDatabase)]
  await at(troubles.rolling)
  for (const [index, app] of apps.entries()) {
    lines.push(await timed(`replacing instance ${index + 1}`, () => replace(app, key)))
  }
  await at(troubles.kill)
  const [killed] = apps
  await killed?.kill()
  lines.push(await timed("starting instance 1 after a kill", async () => killed?.start(key)))
  await at(1)
  return lines
}

/** Pages of which one answer in twenty came too late. */
function slowOf(made: readonly PageRequest[]): string[] {
  return [...Map.groupBy(awaited(made), ({ page }) => page)].flatMap(([page, some]) => {
    const slow = quantile(timesOf(some), 0.95)
    return slow < mostP95 ? [] : [`${page}: one answer in twenty took more than ${seconds(slow)}`]
  })
}
