import type { CreateJobBody, Job } from "../../contract/job.ts"
import type { FaultInput } from "../../sandbox/faults.ts"
import type { LoggedRequest, Sandbox } from "../../sandbox/app.ts"
import type { SandboxOptions } from "../../sandbox/config.ts"
import { countsLine, fiveCounts, type FiveCounts } from "./five-counts.ts"
import { type Fleet, type ShortTimes, startFleet } from "./fleet.ts"
import { readCounted, submitJob, untilDone } from "./job-client.ts"
import { type Kills, startKills } from "./kills.ts"
import { createRandom, type Random } from "./random.ts"
import { createTally, type Tally, tallyLine } from "./tally.ts"

/**
 * Engine timings for runs of seconds, in seconds. The call timeout is long by comparison: on a busy machine each call
 * that is cut off becomes a lookup.
 */
export const shortTimes: ShortTimes = { settle: 0.8, recheck: 0.4, lease: 6, call: 2 }

/** The same in ms, for faults. */
export const shortMs = { settleMs: shortTimes.settle * 1000, callMs: shortTimes.call * 1000 }

/** A run from the first request to the five counts. */
export interface Scenario {
  readonly name: string
  readonly seed: number
  readonly job: (sandbox: Sandbox, random: Random) => CreateJobBody
  readonly instances?: 1 | 2
  readonly databaseUrl?: string
  readonly times?: ShortTimes
  readonly rateLimit?: number
  readonly sandbox?: Partial<SandboxOptions>
  readonly faults?: readonly FaultInput[]
  /** Number of hard kills, and average requests between two of them. */
  readonly kills?: { readonly most: number; readonly every: number }
  /** Runs concurrently with the job. */
  readonly meanwhile?: (fleet: Fleet, withinMs: number) => Promise<void>
  readonly withinMs: number
}

/** Result of a run. */
export interface ScenarioEnd {
  readonly counts: FiveCounts
  readonly tally: Tally
  /** The latest requests to the service, 20,000 at most. */
  readonly requests: readonly LoggedRequest[]
  readonly rows: number
  readonly job: Job
  readonly kills: number
  /** Requested kills: a job that ends before the last one proves less. */
  readonly killsWanted: number
  /** ms from the job's creation to its end. */
  readonly ms: number
  readonly lines: readonly string[]
}

/** Runs a scenario and cleans up. Throws if the job does not end in time. */
export async function runScenario(scenario: Scenario): Promise<ScenarioEnd> {
  const random = createRandom(scenario.seed)
  const fleet = await startFleet({
    instances: scenario.instances ?? 1,
    times: scenario.times ?? shortTimes,
    ...(scenario.databaseUrl !== undefined && { databaseUrl: scenario.databaseUrl }),
    ...(scenario.rateLimit !== undefined && { rateLimit: scenario.rateLimit }),
    sandbox: { seed: scenario.seed, ...scenario.sandbox },
  })
  const { sandbox } = fleet
  const tally = createTally()
  const drain = drainInto(sandbox, (entry) => tally.add(entry))
  const timer = setInterval(() => drain(inFlight), 250)
  let kills: Kills | undefined
  try {
    const body = scenario.job(sandbox, random)
    for (const fault of scenario.faults ?? []) sandbox.faults.add(fault)
    const from = performance.now()
    const made = await submitJob(fleet.ask, body)
    kills = startKills(fleet, scenario.kills?.most ?? 0, scenario.kills?.every ?? 1, random)
    const [job] = await Promise.all([
      untilDone(fleet.ask, made.id, scenario.withinMs),
      scenario.meanwhile?.(fleet, scenario.withinMs),
    ])
    const ms = performance.now() - from
    await kills.stop()
    // Run late commits before counting.
    await sandbox.settleAll()
    const counted = await readCounted(fleet.ask, job.id)
    const counts = fiveCounts(sandbox.store.ledger, [counted])
    drain(0)
    const rows = body.rows.length
    const lines = [
      `${scenario.name}, seed ${scenario.seed}: ${countsLine(counts)}`,
      `  ${rows} rows in ${(ms / 1000).toFixed(1)} s, ${kills.count} kills (slowest start ${Math.round(kills.slowestStart)} ms), ${JSON.stringify(job.counts)}`,
      `  ${tallyLine(tally.counts, rows)}`,
      ...counts.notes.slice(0, 20).map((note) => `  ${note}`),
    ]
    return {
      counts,
      tally: tally.counts,
      requests: sandbox.requests.entries,
      rows,
      job,
      kills: kills.count,
      killsWanted: scenario.kills?.most ?? 0,
      ms,
      lines,
    }
  } catch (error) {
    const logs = fleet.apps.map((app) => app.output().split("\n").slice(-15).join("\n"))
    throw new Error(`${scenario.name}, seed ${scenario.seed}: ${String(error)}\n${logs.join("\n")}`, {
      cause: error,
    })
  } finally {
    clearInterval(timer)
    // Its error was reported above; this only prevents another start.
    await kills?.stop().catch(() => undefined)
    await fleet.close()
  }
}

/** The latest requests may be in flight, without status and fault. */
const inFlight = 200

/** Passes each logged request to `add` once, except the latest `leave`. */
function drainInto(sandbox: Sandbox, add: (entry: LoggedRequest) => void) {
  let done = 0
  return (leave: number) => {
    const { entries, count } = sandbox.requests
    const fresh = entries.filter(({ seq }) => seq > done && seq <= count - leave)
    fresh.forEach(add)
    done = Math.max(done, count - leave)
  }
}
