import type { CreateJobBody } from "../../contract/job.ts"
import type { Sandbox } from "../../sandbox/app.ts"
import type { MemberRecord, OrderRecord } from "../../sandbox/store/records.ts"
import type { Fleet, ShortTimes } from "./fleet.ts"
import {
  awardRows,
  copyMembers,
  deductRows,
  memberUpdateRows,
  missedMembers,
  newMemberRows,
} from "./made-up-rows.ts"
import { faultMix, memberFaults, orderFaults, redeemFaults } from "./fault-mix.ts"
import { countRedemptions, redeemRows, sentTwice } from "./orders/redeem-rows.ts"
import { missedOrders, trackingRows } from "./orders/tracking-rows.ts"
import type { Random } from "./random.ts"
import { type Scenario, type ScenarioEnd, shortTimes } from "./scenario.ts"
import { perRow } from "./tally.ts"
import { until } from "./until.ts"

/** Options of the long runs. */
export interface RunOptions {
  readonly rows: number
  readonly kills: number
  readonly seeds: readonly number[]
  /** Of the cluster. */
  readonly minutes: number
  readonly people: number
  /** Requests a minute of its key. */
  readonly limit: number
}

/** How large a run is. */
interface Size {
  readonly rows: number
  readonly kills: number
  /** Share of calls that meet a fault. */
  readonly share: number
  /** Greatest share of rows left to a person. */
  readonly unresolved: number
  readonly times: ShortTimes
  readonly withinMs: number
}

/** A run over real processes. */
interface Run {
  readonly rule: string
  /** Two apps on PostgreSQL instead of one on a file. */
  readonly twoApps?: true
  /** In `npm test`, where it takes seconds; undefined: only in `npm run faults`. */
  readonly quick?: Pick<Size, "rows" | "kills" | "share" | "unresolved"> & { readonly seed: number }
  /** In `npm run faults`: shares of its rows and kills; undefined: only in `npm test`. */
  readonly long?: Pick<Size, "rows" | "kills" | "share" | "unresolved">
  readonly scenario: (
    size: Size,
  ) => Pick<Scenario, "job" | "faults" | "kills" | "meanwhile" | "sandbox" | "count">
  /** Further goals: a sentence for each missed one. */
  readonly missed?: (end: ScenarioEnd) => readonly string[]
}

const minute = 60_000
/**
 * Engine timings for runs of minutes, in seconds. Shorter ones would fail on a busy machine: a row not looked up
 * within ten settle times goes to a person.
 */
const longTimes: ShortTimes = { settle: 2, recheck: 1, lease: 5, call: 1.5 }

const msOf = ({ times }: Size) => ({ settleMs: times.settle * 1000, callMs: times.call * 1000 })

/** Spreads kills over the requests of a job. */
const killsOver = ({ rows, kills }: Size, requestsPerRow: number) => ({
  most: kills,
  every: Math.max(1, Math.floor((requestsPerRow * rows) / Math.max(1, kills))),
})

/** Some rows name their member by e-mail, some have a reference. */
const mixed = { byEmail: 0.05, referenced: 0.02 }

const awards =
  ({ rows }: Size, options: CreateJobBody["options"], shares: Parameters<typeof awardRows>[3] = {}) =>
  (sandbox: Sandbox, random: Random): CreateJobBody => ({
    kind: "award",
    rows: awardRows(sandbox, rows, random, shares),
    options,
  })

const costsAtMost =
  (most: number) =>
  ({ tally, rows }: ScenarioEnd): string[] => {
    const each = perRow(tally, rows)
    return each <= most ? [] : [`${each.toFixed(4)} requests a row are more than ${most}`]
  }

const inBulk: Run["scenario"] = (size) => ({
  job: awards(size, { mode: "bulk", bulk_size: 20 }, mixed),
  faults: faultMix(size.share, msOf(size)),
  kills: killsOver(size, 0.05),
})

/** Freezes each app in turn until its lease has ended. */
async function freezeEach(fleet: Fleet, withinMs: number): Promise<void> {
  for (const [at, app] of fleet.apps.entries()) {
    const reached = () => (fleet.sandbox.requests.count >= 30 + 50 * at ? true : undefined)
    await until("some requests", withinMs, reached)
    app.freeze()
    const thawAt = performance.now() + 1500 * shortTimes.lease
    await until("the end of its lease", withinMs, () => (performance.now() > thawAt ? true : undefined))
    app.thaw()
  }
}

/** Requests sent more than once; a 429 has no effect. */
function deductedTwice({ requests }: ScenarioEnd): string[] {
  const sent = requests.filter(({ path, status }) => path === "/v1/points/deduct" && status !== 429)
  const bodies = sent.map(({ body }) => body)
  return [...new Set(bodies.filter((body, at) => bodies.indexOf(body) !== at))].map(
    (body) => `sent again: ${body}`,
  )
}

/** The runs by name. */
export const runs: Readonly<Record<string, Run>> = {
  "bulk-calm": {
    rule: "awards in bulk cost few requests",
    long: { rows: 1, kills: 0, share: 0, unresolved: 0 },
    scenario: (size) => ({ job: awards(size, { mode: "bulk" }) }),
    missed: costsAtMost(0.02),
  },
  "bulk-faults": {
    rule: "awards in bulk cost few requests under faults",
    long: { rows: 1, kills: 0, share: 0.1, unresolved: 0.01 },
    scenario: (size) => ({
      job: awards(size, { mode: "bulk" }),
      faults: faultMix(size.share, msOf(size)),
    }),
    missed: costsAtMost(0.25),
  },
  "bulk-kills": {
    rule: "awards in bulk go out once from two servers through faults and kills",
    twoApps: true,
    long: { rows: 1, kills: 1, share: 0.1, unresolved: 0.01 },
    scenario: inBulk,
  },
  "one-app": {
    rule: "awards in bulk go out once through faults and kills",
    quick: { seed: 11, rows: 400, kills: 3, share: 0.1, unresolved: 0.05 },
    long: { rows: 1, kills: 1, share: 0.1, unresolved: 0.01 },
    scenario: inBulk,
  },
  "single-kills": {
    rule: "single awards go out once from two servers through faults and kills",
    twoApps: true,
    quick: { seed: 12, rows: 150, kills: 2, share: 0.1, unresolved: 0.07 },
    long: { rows: 1, kills: 1, share: 0.1, unresolved: 0.01 },
    scenario: (size) => ({
      job: awards(size, { mode: "single" }, mixed),
      faults: faultMix(size.share, msOf(size)),
      kills: killsOver(size, 0.6),
    }),
  },
  frozen: {
    rule: "an app frozen past its lease sends nothing that the other one sends",
    twoApps: true,
    quick: { seed: 13, rows: 150, kills: 0, share: 0, unresolved: 1 },
    scenario: (size) => ({
      job: awards(size, { mode: "single" }),
      faults: [{ kind: "slow", ms: 200, match: { method: "POST" } }],
      meanwhile: freezeEach,
    }),
  },
  deductions: {
    rule: "a deduction is never resent automatically: one without effect is left to a person",
    quick: { seed: 21, rows: 80, kills: 1, share: 0.2, unresolved: 0.3 },
    long: { rows: 0.1, kills: 0.5, share: 0.1, unresolved: 0.1 },
    scenario: (size) => ({
      job: (sandbox, random) => ({ kind: "deduct", rows: deductRows(sandbox, size.rows, random) }),
      // At least one has no effect, whatever the random faults.
      faults: [
        { kind: "drop-before", match: { method: "POST", path: "/v1/points/deduct", nth: 7 } },
        ...faultMix(size.share, msOf(size)),
      ],
      kills: killsOver(size, 0.5),
    }),
    missed: (end) => [
      ...deductedTwice(end),
      ...(end.unresolved >= 1 ? [] : ["none was left to a person"]),
      ...(end.unresolved === end.job.attention ? [] : [`${end.job.attention} need attention`]),
    ],
  },
  "new-members": {
    rule: "each new member is created once even if the service accepts duplicate e-mails",
    quick: { seed: 22, rows: 50, kills: 1, share: 0.2, unresolved: 0.3 },
    long: { rows: 0.1, kills: 0.5, share: 0.1, unresolved: 0.1 },
    scenario: (size) => ({
      job: (sandbox, random) => ({ kind: "member-create", rows: newMemberRows(sandbox, size.rows, random) }),
      sandbox: { settings: { duplicateEmail: "allow" } },
      faults: faultMix(size.share, msOf(size)),
      kills: killsOver(size, 0.5),
    }),
  },
  orders: {
    rule: "order updates change every order to its target exactly once through faults and kills",
    twoApps: true,
    long: { rows: 0.1, kills: 0.25, share: 0.1, unresolved: 0 },
    scenario: (size) => {
      let before: readonly OrderRecord[] = []
      let updates: ReturnType<typeof trackingRows> = []
      return {
        job: (sandbox, random) => {
          before = structuredClone(sandbox.store.orders.all)
          updates = trackingRows(before, size.rows, random)
          return { kind: "order-update", rows: updates }
        },
        sandbox: { members: 10 * size.rows },
        faults: orderFaults(size.share, msOf(size)),
        kills: killsOver(size, 1),
        count: (sandbox, _, job) => ({
          mistakes: missedOrders(sandbox, before, updates),
          unresolved: updates.length - job.counts.confirmed,
        }),
      }
    },
  },
  members: {
    rule: "changes of members reach every member through faults and kills, and change nothing else",
    twoApps: true,
    long: { rows: 0.1, kills: 0.25, share: 0.1, unresolved: 0 },
    scenario: (size) => {
      let before: readonly MemberRecord[] = []
      let updates: ReturnType<typeof memberUpdateRows> = []
      return {
        job: (sandbox, random) => {
          before = copyMembers(sandbox)
          updates = memberUpdateRows(sandbox, size.rows, random)
          return { kind: "member-update", rows: updates }
        },
        sandbox: { members: 10 * size.rows },
        faults: memberFaults(size.share, msOf(size)),
        kills: killsOver(size, 1),
        count: (sandbox, _, job) => ({
          mistakes: missedMembers(sandbox, before, updates),
          unresolved: updates.length - job.counts.confirmed,
        }),
      }
    },
  },
  redemptions: {
    rule: "redemptions go out once through faults and kills, and are never resent automatically",
    twoApps: true,
    long: { rows: 0.02, kills: 0.25, share: 0.2, unresolved: 0.2 },
    scenario: (size) => ({
      job: (sandbox) => ({ kind: "redeem", rows: redeemRows(sandbox, size.rows, 4) }),
      faults: redeemFaults(size.share, msOf(size)),
      kills: killsOver(size, 1),
      count: (sandbox, rows) => {
        const counted = rows.map(({ upstream_id: upstreamId, ...row }) => ({
          ...row,
          upstreamId,
          decision: null,
        }))
        const { notes, open } = countRedemptions(sandbox, counted)
        return {
          mistakes: [...notes, ...sentTwice(sandbox).map((body) => `sent again: ${body}`)],
          unresolved: open,
        }
      },
    }),
  },
}

/** A run with its size. */
interface SizedRun {
  readonly scenario: Scenario
  /** A sentence for each missed goal. */
  readonly missed: (end: ScenarioEnd) => readonly string[]
}

/** A run at the size of `npm test`. */
export function quickRun(run: Run, databaseUrl: string | undefined): SizedRun {
  const { quick } = run
  if (quick === undefined) throw new Error(`${run.rule}: only in npm run faults`)
  return sized(run, quick.seed, { ...quick, times: shortTimes, withinMs: 4 * minute }, databaseUrl)
}

/** A run at the size of `npm run faults`. */
export function longRun(
  run: Run,
  seed: number,
  options: RunOptions,
  databaseUrl: string | undefined,
): SizedRun {
  const { long } = run
  if (long === undefined) throw new Error(`${run.rule}: only in npm test`)
  const rows = Math.ceil(options.rows * long.rows)
  const kills = Math.ceil(options.kills * long.kills)
  return sized(run, seed, { ...long, rows, kills, times: longTimes, withinMs: 25 * minute }, databaseUrl)
}

function sized(run: Run, seed: number, size: Size, databaseUrl: string | undefined): SizedRun {
  const { sandbox, ...scenario } = run.scenario(size)
  // The last kill may come after the end of the job.
  const leastKills = Math.floor(0.9 * size.kills)
  return {
    scenario: {
      name: run.rule,
      seed,
      times: size.times,
      withinMs: size.withinMs,
      ...(databaseUrl !== undefined && { instances: 2, databaseUrl }),
      sandbox: { members: Math.max(1200, size.rows), ...sandbox },
      ...scenario,
    },
    missed: (end) => [
      ...end.mistakes,
      ...(end.unresolved <= size.unresolved * end.rows ? [] : [`${end.unresolved} are left to a person`]),
      ...(end.kills >= leastKills ? [] : [`it was over after ${end.kills} of ${size.kills} kills`]),
      ...(run.missed?.(end) ?? []),
    ],
  }
}
