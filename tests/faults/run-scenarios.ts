import type { CreateJobBody } from "../../contract/job.ts"
import type { Sandbox } from "../../sandbox/app.ts"
import { faultMix } from "./fault-mix.ts"
import type { ShortTimes } from "./fleet.ts"
import { awardRows, deductRows, newMemberRows } from "./made-up-rows.ts"
import type { Random } from "./random.ts"
import type { Scenario, ScenarioEnd } from "./scenario.ts"
import { perRow } from "./tally.ts"

/** Options of the long runs. */
export interface RunOptions {
  readonly rows: number
  readonly kills: number
  readonly seeds: readonly number[]
}

/** A long scenario and its goals. */
export interface LongRun {
  readonly scenario: (seed: number, options: RunOptions, databaseUrl: string | undefined) => Scenario
  readonly postgres: boolean
  /** A sentence for each missed goal. */
  readonly missed: (end: ScenarioEnd) => readonly string[]
}

const share = 0.1
const minute = 60_000
/**
 * Engine timings for runs of minutes, in seconds. Shorter ones would fail on a busy machine: a row not looked up
 * within ten settle times goes to a person.
 */
const times: ShortTimes = { settle: 2, recheck: 1, lease: 5, call: 1.5 }
const longMs = { settleMs: times.settle * 1000, callMs: times.call * 1000 }

/** Some rows name their member by e-mail, some have a reference. */
const mixed = { byEmail: 0.1, referenced: 0.02 }

const awards =
  (rows: number, options: CreateJobBody["options"], shares: Parameters<typeof awardRows>[3] = {}) =>
  (sandbox: Sandbox, random: Random): CreateJobBody => ({
    kind: "award",
    rows: awardRows(sandbox, rows, random, shares),
    options,
  })

function nothingLost({ counts: { L, D, P, W }, kills, killsWanted }: ScenarioEnd): string[] {
  return [
    ...(L + D + P + W === 0 ? [] : ["L, D, P and W have to be 0"]),
    ...(kills >= killsWanted ? [] : [`it was over after ${kills} of ${killsWanted} kills`]),
  ]
}

/** Spreads kills over a job of `requests` requests. */
function killsOver(requests: number, most: number) {
  return { most, every: Math.max(1, Math.floor(requests / Math.max(1, most))) }
}

function unresolvedAtMost(part: number) {
  return ({ counts, rows }: ScenarioEnd) => (counts.U <= part * rows ? [] : [`U is ${counts.U}`])
}

function costsAtMost(most: number) {
  return ({ tally, rows }: ScenarioEnd) => {
    const each = perRow(tally, rows)
    return each <= most ? [] : [`${each.toFixed(4)} requests a row are more than ${most}`]
  }
}

function all(...checks: readonly ((end: ScenarioEnd) => readonly string[])[]) {
  return (end: ScenarioEnd) => checks.flatMap((check) => check(end))
}

const bulkCalm: LongRun = {
  postgres: false,
  scenario: (seed, { rows }) => ({
    name: "bulk, no faults",
    seed,
    times,
    job: awards(rows, { mode: "bulk" }),
    sandbox: { members: rows },
    withinMs: 10 * minute,
  }),
  missed: all(nothingLost, unresolvedAtMost(0), costsAtMost(0.02)),
}

const bulkFaults: LongRun = {
  postgres: false,
  scenario: (seed, { rows }) => ({
    name: "bulk, 10 % faults",
    seed,
    times,
    job: awards(rows, { mode: "bulk" }),
    sandbox: { members: rows },
    faults: faultMix(share, longMs),
    withinMs: 15 * minute,
  }),
  missed: all(nothingLost, unresolvedAtMost(0.01), costsAtMost(0.25)),
}

const bulkKills: LongRun = {
  postgres: true,
  scenario: (seed, { rows, kills }, databaseUrl) => ({
    name: "bulk, 10 % faults, kills, two servers on PostgreSQL",
    seed,
    times,
    job: awards(rows, { mode: "bulk", bulk_size: 20 }, mixed),
    instances: 2,
    ...(databaseUrl !== undefined && { databaseUrl }),
    sandbox: { members: rows },
    faults: faultMix(share, longMs),
    kills: killsOver(0.12 * rows, kills),
    withinMs: 25 * minute,
  }),
  missed: all(nothingLost, unresolvedAtMost(0.01)),
}

const singleKills: LongRun = {
  postgres: true,
  scenario: (seed, { rows, kills }, databaseUrl) => ({
    name: "single, 10 % faults, kills, two servers on PostgreSQL",
    seed,
    times,
    job: awards(rows, { mode: "single" }, mixed),
    instances: 2,
    ...(databaseUrl !== undefined && { databaseUrl }),
    sandbox: { members: rows },
    faults: faultMix(share, longMs),
    kills: killsOver(0.7 * rows, kills),
    withinMs: 25 * minute,
  }),
  missed: all(nothingLost, unresolvedAtMost(0.01)),
}

const oneApp: LongRun = {
  postgres: false,
  scenario: (seed, { rows, kills }) => ({
    name: "bulk, 10 % faults, kills, one server on a file",
    seed,
    times,
    job: awards(rows, { mode: "bulk", bulk_size: 20 }),
    sandbox: { members: rows },
    faults: faultMix(share, longMs),
    kills: killsOver(0.12 * rows, kills),
    withinMs: 25 * minute,
  }),
  missed: all(nothingLost, unresolvedAtMost(0.01)),
}

const deductions: LongRun = {
  postgres: false,
  scenario: (seed, { rows, kills }) => ({
    name: "deductions, 10 % faults, kills",
    seed,
    times,
    job: (sandbox, random) => ({ kind: "deduct", rows: deductRows(sandbox, Math.ceil(rows / 10), random) }),
    sandbox: { members: rows },
    faults: faultMix(share, longMs),
    kills: killsOver(0.08 * rows, Math.ceil(kills / 2)),
    withinMs: 15 * minute,
  }),
  // A deduction is never resent automatically: one without effect is left to a person.
  missed: all(nothingLost, unresolvedAtMost(0.1)),
}

const newMembers: LongRun = {
  postgres: false,
  scenario: (seed, { rows, kills }) => ({
    name: "new members, 10 % faults, kills",
    seed,
    times,
    job: (sandbox, random) => ({
      kind: "member-create",
      rows: newMemberRows(sandbox, Math.ceil(rows / 10), random),
    }),
    sandbox: { members: rows },
    faults: faultMix(share, longMs),
    kills: killsOver(0.08 * rows, Math.ceil(kills / 2)),
    withinMs: 15 * minute,
  }),
  missed: all(nothingLost, unresolvedAtMost(0.1)),
}

/** The long runs by name. */
export const longRuns: Readonly<Record<string, LongRun>> = {
  "bulk-calm": bulkCalm,
  "bulk-faults": bulkFaults,
  "bulk-kills": bulkKills,
  "single-kills": singleKills,
  "one-app": oneApp,
  deductions,
  "new-members": newMembers,
}
