import { parseArgs } from "node:util"
import { startPostgres } from "../support/postgres.ts"
import { longGiftcards } from "./giftcards-long.ts"
import { killEverywhere, killFates } from "./kill-everywhere.ts"
import { measureLanes } from "./lanes.ts"
import { orderRuns } from "./orders/long-runs.ts"
import { longSequences } from "./long-sequences.ts"
import { runMutations } from "./mutation.ts"
import { longRestores } from "./restore/long-restores.ts"
import { longRuns, type RunOptions } from "./run-scenarios.ts"
import { runScenario } from "./scenario.ts"

/** Runs with their own counting, two apps on one database each. */
const others: typeof orderRuns = { giftcards: longGiftcards, ...orderRuns }
const names = [
  "sequences",
  "kills-everywhere",
  ...Object.keys(longRuns),
  ...Object.keys(others),
  "restores",
  "lanes",
]

const usage = `npm run faults -- [scenarios] [--rows 10000] [--kills 20] [--seeds 1,2,3,4,5]
Scenarios: ${names.join(", ")}; all of them when none is named.
npm run faults -- mutation [--mutate core/jobs/call-outcome.ts]: mutation testing of what decides about rows.`

/** Runs the named scenarios and prints their results; exits with 1 if one failed. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rows: { type: "string", default: "10000" },
      kills: { type: "string", default: "20" },
      seeds: { type: "string", default: "1,2,3,4,5" },
      mutate: { type: "string" },
      help: { type: "boolean", default: false },
    },
  })
  const options: RunOptions = {
    rows: Number(values.rows),
    kills: Number(values.kills),
    seeds: values.seeds.split(",").map(Number),
  }
  const requested = positionals.length > 0 ? positionals : names
  const known = requested.every((name) => name === "mutation" || names.includes(name))
  const sane = [options.rows, options.kills, ...options.seeds].every(
    (one) => Number.isInteger(one) && one >= 0,
  )
  if (values.help || !known || !sane) {
    process.stdout.write(`${usage}\n`)
    process.exitCode = values.help ? 0 : 1
    return
  }
  let failed = 0
  let passed = 0
  const report = (lines: readonly string[], missed: readonly string[]) => {
    process.stdout.write(`${[...lines, ...missed.map((one) => `  MISSED: ${one}`)].join("\n")}\n`)
    if (missed.length > 0) failed += 1
    else passed += 1
  }
  const postgres = requested.some(needsPostgres) ? await startPostgres() : undefined
  try {
    for (const name of requested) {
      const run = longRuns[name]
      if (name === "mutation") {
        const { lines, missed } = await runMutations(values.mutate)
        report(lines, missed)
        continue
      }
      if (name === "kills-everywhere") {
        for (const [fate, fateOf] of Object.entries(killFates)) {
          const { steps, missed } = await killEverywhere(fateOf)
          report([`killed at each of ${steps} steps, ${fate}: ${missed.length} mistakes`], missed)
        }
        continue
      }
      if (name === "lanes") {
        const { lines, missed } = await measureLanes()
        report(lines, missed)
        continue
      }
      if (name === "restores") {
        const { lines, missed } = await longRestores(options.seeds[0] ?? 1, options)
        report(lines, missed)
        continue
      }
      for (const seed of options.seeds) {
        const databaseUrl = needsPostgres(name) ? await postgres?.createDatabase() : undefined
        try {
          const other = name === "sequences" ? longSequences : others[name]
          if (other !== undefined) {
            const { lines, missed } = await other(seed, options, databaseUrl)
            report(lines, missed)
          }
          if (run === undefined) continue
          const end = await runScenario(run.scenario(seed, options, databaseUrl))
          report(end.lines, run.missed(end))
        } catch (error) {
          report([], [error instanceof Error ? error.message : String(error)])
        }
      }
    }
  } finally {
    await postgres?.stop()
  }
  process.stdout.write(`${passed} passed, ${failed} failed\n`)
  process.exitCode = failed === 0 ? 0 : 1
}

function needsPostgres(name: string): boolean {
  return name in others || (longRuns[name]?.postgres ?? false)
}

// `process.exit` also kills the apps.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1))
await main()
