import { parseArgs } from "node:util"
import { startPostgres } from "../support/postgres.ts"
import { simulateSizes } from "./cluster/capacity.ts"
import { longBookNights } from "./book-nights.ts"
import { measureWithSync } from "./cluster/with-sync.ts"
import { runCluster } from "./cluster/cluster.ts"
import { measureFirstFill } from "./first-fill.ts"
import { runGiftcards } from "./giftcards-run.ts"
import { killEverywhere, killFates } from "./kill-everywhere.ts"
import { measureLanes } from "./lanes.ts"
import { longSequences } from "./long-sequences.ts"
import { digestAtOnce } from "./in-process.ts"
import { runMutations } from "./mutation.ts"
import { runReturns } from "./orders/return-runs.ts"
import { runPackage } from "./package.ts"
import { longRestores } from "./restore/long-restores.ts"
import { runScenario } from "./scenario.ts"
import { longRun, type RunOptions, runs } from "./scenarios.ts"

interface Report {
  readonly lines: readonly string[]
  /** A sentence for each missed goal. */
  readonly missed: readonly string[]
}

/** Runs once per seed; `databaseUrl` is an empty database for those with two apps. */
const perSeed: Record<
  string,
  {
    readonly twoApps?: true
    readonly run: (seed: number, options: RunOptions, databaseUrl: string | undefined) => Promise<Report>
  }
> = {
  sequences: { run: longSequences },
  giftcards: { twoApps: true, run: longGiftcards },
  returns: { run: longReturns },
  books: { run: longBookNights },
}
for (const [name, run] of Object.entries(runs)) {
  if (run.long === undefined) continue
  perSeed[name] = {
    ...(run.twoApps === true && { twoApps: true }),
    async run(seed, options, databaseUrl) {
      const { scenario, missed } = longRun(run, seed, options, databaseUrl)
      const end = await runScenario(scenario)
      return { lines: end.lines, missed: missed(end) }
    },
  }
}

const once: Record<string, (options: RunOptions, mutate: string | undefined) => Promise<Report>> = {
  "kills-everywhere": async () => {
    const lines: string[] = []
    const all: string[] = []
    for (const [fate, fateOf] of Object.entries(killFates)) {
      const { steps, missed } = await killEverywhere(fateOf)
      lines.push(`killed at each of ${steps} steps, ${fate}: ${missed.length} mistakes`)
      all.push(...missed)
    }
    return { lines, missed: all }
  },
  restores: (options) => longRestores(options.seeds[0] ?? 1, options),
  lanes: measureLanes,
  package: runPackage,
  cluster: runCluster,
  "first-fill": measureFirstFill,
  "with-sync": measureWithSync,
  capacity: simulateSizes,
  mutation: (_, mutate) => runMutations(mutate),
}

/** A tenth of the rows and half of the kills of the other runs, two apps, 100 links revealed afterwards. */
async function longGiftcards(
  seed: number,
  { rows, kills }: RunOptions,
  databaseUrl: string | undefined,
): Promise<Report> {
  const wanted = Math.ceil(kills / 2)
  const end = await runGiftcards({
    seed,
    rows: Math.ceil(rows / 10),
    share: 0.3,
    kills: wanted,
    instances: 2,
    ...(databaseUrl !== undefined && { databaseUrl }),
    reveals: 100,
    withinMs: 600_000,
  })
  const early = end.kills < wanted ? [`${end.kills} kills, not ${wanted}`] : []
  return { lines: end.lines, missed: [...end.missed, ...early] }
}

/** 2,000 cancelled orders, a quarter of them for each way in which a service may return points. */
async function longReturns(seed: number, { kills }: RunOptions): Promise<Report> {
  digestAtOnce()
  const { doubled, missing, ...run } = await runReturns(seed, 500, 0.1, Math.ceil(kills / 4))
  const counts = `${doubled.length} doubled, ${missing.length} missing`
  const lines = [`${run.orders} returns, ${run.awards} awards, ${run.kills} kills: ${counts}`]
  return { lines, missed: [...doubled, ...missing] }
}

const names = [...Object.keys(perSeed), ...Object.keys(once)]
/** Long, and the simulation has no goals: they run only when named. */
const standard = names.filter((name) => name !== "mutation" && name !== "capacity")

const usage = `npm run faults -- [scenarios] [--rows 10000] [--kills 20] [--seeds 1,2,3,4,5] [--minutes 10] [--people 50] [--limit 60]
Scenarios: ${standard.join(", ")}; all of them when none is named.
npm run faults -- capacity: how many people a key and a number of instances carry, simulated.
npm run faults -- mutation [--mutate core/jobs/call-outcome.ts]: mutation testing of what decides about rows.`

/** Runs the named scenarios and prints their results; exits with 1 if one failed. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rows: { type: "string", default: "10000" },
      kills: { type: "string", default: "20" },
      seeds: { type: "string", default: "1,2,3,4,5" },
      minutes: { type: "string", default: "10" },
      people: { type: "string", default: "50" },
      limit: { type: "string", default: "60" },
      mutate: { type: "string" },
      help: { type: "boolean", default: false },
    },
  })
  const options: RunOptions = {
    rows: Number(values.rows),
    kills: Number(values.kills),
    seeds: values.seeds.split(",").map(Number),
    minutes: Number(values.minutes),
    people: Number(values.people),
    limit: Number(values.limit),
  }
  const requested = positionals.length > 0 ? positionals : standard
  const numbers = [
    options.rows,
    options.kills,
    options.minutes,
    options.people,
    options.limit,
    ...options.seeds,
  ]
  const isValid =
    requested.every((name) => names.includes(name)) &&
    numbers.every((one) => Number.isInteger(one) && one >= 0)
  if (values.help || !isValid) {
    process.stdout.write(`${usage}\n`)
    process.exitCode = values.help ? 0 : 1
    return
  }
  let [passed, failed] = [0, 0]
  const report = async (run: () => Promise<Report>) => {
    const { lines, missed } = await run().catch((error: unknown) => ({
      lines: [],
      missed: [error instanceof Error ? error.message : String(error)],
    }))
    process.stdout.write(`${[...lines, ...missed.map((one) => `  MISSED: ${one}`)].join("\n")}\n`)
    if (missed.length > 0) failed += 1
    else passed += 1
  }
  const postgres = requested.some((name) => perSeed[name]?.twoApps) ? await startPostgres() : undefined
  try {
    for (const name of requested) {
      const each = perSeed[name]
      const single = once[name]
      if (single !== undefined) await report(() => single(options, values.mutate))
      if (each === undefined) continue
      for (const seed of options.seeds) {
        const databaseUrl = each.twoApps === true ? await postgres?.createDatabase() : undefined
        await report(() => each.run(seed, options, databaseUrl))
      }
    }
  } finally {
    await postgres?.stop()
  }
  process.stdout.write(`${passed} passed, ${failed} failed\n`)
  process.exitCode = failed === 0 ? 0 : 1
}

// `process.exit` also kills the apps.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1))
await main()
