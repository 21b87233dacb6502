import type { CreateJobBody, Job } from "../../contract/job.ts"
import type { FaultInput } from "../../sandbox/faults.ts"
import type { LoggedRequest, Sandbox } from "../../sandbox/app.ts"
import type { SandboxOptions } from "../../sandbox/config.ts"
import type { JobRow } from "../../contract/job-rows.ts"
import { countedAnswer } from "./counted-job.ts"
import { countsLine, fiveCounts } from "./five-counts.ts"
import { type Fleet, type ShortTimes, startFleet } from "./fleet.ts"
import { readRows, submitJob, untilDone } from "./job-client.ts"
import { type Kills, startKills } from "./kills.ts"
import { createRandom, type Random } from "./random.ts"
import { createTally, type Tally, tallyLine } from "./tally.ts"

/**
 * Engine timings for runs of seconds, in seconds. The call timeout is long by comparison: on a busy machine each call
 * that is cut off becomes a lookup.
 */
export const shortTimes: ShortTimes = { settle: 0.8, recheck: 0.4, lease: 6, call: 2 }

/** A run from the first request to the five counts. */
export interface Scenario {
  readonly name: string
  readonly seed: number
  readonly job: (sandbox: Sandbox, random: Random) => CreateJobBody
  readonly instances?: 1 | 2
  readonly databaseUrl?: string
  readonly times: ShortTimes
  readonly sandbox?: Partial<SandboxOptions>
  readonly faults?: readonly FaultInput[]
  /** Number of hard kills, and average requests between two of them. */
  readonly kills?: { readonly most: number; readonly every: number }
  /** Runs concurrently with the job. */
  readonly meanwhile?: (fleet: Fleet, withinMs: number) => Promise<void>
  /** Replaces the five counts, for kinds that they do not cover. */
  readonly count?: (sandbox: Sandbox, rows: readonly JobRow[], job: Job) => Verdict
  readonly withinMs: number
}

/** A job compared with the service's ledger. */
interface Verdict {
  /** A sentence for each lost, doubled, phantom or wrong effect. */
  readonly mistakes: readonly string[]
  /** Number of rows left to a person. */
  readonly unresolved: number
}

/** Result of a run. */
export interface ScenarioEnd extends Verdict {
  readonly tally: Tally
  /** The latest requests to the service, 20,000 at most. */
  readonly requests: readonly LoggedRequest[]
  readonly rows: number
  readonly job: Job
  readonly kills: number
  readonly lines: readonly string[]
}

/** Runs a scenario and cleans up. Throws if the job does not end in time. */
export async function runScenario(scenario: Scenario): Promise<ScenarioEnd> {
  const random = createRandom(scenario.seed)
  const fleet = await startFleet({
    instances: scenario.instances ?? 1,
    times: scenario.times,
    ...(scenario.databaseUrl !== undefined && { databaseUrl: scenario.databaseUrl }),
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
    const jobRows = await readRows(fleet.ask, job.id)
    const verdict = (scenario.count ?? countFive)(sandbox, jobRows, job)
    drain(0)
    const rows = body.rows.length
    const lines = [
      `${scenario.name}, seed ${scenario.seed}: ${verdict.mistakes.length} mistakes, ${verdict.unresolved} left to a person`,
      `  ${rows} rows in ${(ms / 1000).toFixed(1)} s, ${kills.count} kills (slowest start ${Math.round(kills.slowestStart)} ms), ${JSON.stringify(job.counts)}`,
      `  ${tallyLine(tally.counts, rows)}`,
      ...verdict.mistakes.slice(0, 20).map((mistake) => `  ${mistake}`),
    ]
    return {
      ...verdict,
      tally: tally.counts,
      requests: sandbox.requests.entries,
      rows,
      job,
      kills: kills.count,
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

function countFive(sandbox: Sandbox, rows: readonly JobRow[], job: Job): Verdict {
  const counts = fiveCounts(sandbox.store.ledger, [countedAnswer(job, rows)])
  const isRight = countsLine({ ...counts, U: 0 }) === "L=0 D=0 P=0 W=0 U=0"
  return {
    mistakes: isRight ? [] : [countsLine(counts), ...counts.notes.filter((note) => !note.startsWith("U"))],
    unresolved: counts.U,
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
