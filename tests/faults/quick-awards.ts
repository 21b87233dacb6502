import { faultMix } from "./fault-mix.ts"
import { awardRows } from "./made-up-rows.ts"
import type { QuickRun } from "./quick-run.ts"
import { shortMs, shortTimes } from "./scenario.ts"
import { until } from "./until.ts"

const mixed = { byEmail: 0.02, referenced: 0.02 }

const inBulk: QuickRun = {
  rule: "400 awards in bulk go out once through faults and kills",
  scenario: {
    seed: 11,
    job: (sandbox, random) => ({
      kind: "award",
      rows: awardRows(sandbox, 400, random, mixed),
      options: { mode: "bulk", bulk_size: 20 },
    }),
    faults: faultMix(0.1, shortMs),
    kills: { most: 3, every: 6 },
  },
  unresolved: { most: 20 },
  missed: ({ kills }) => (kills >= 2 ? [] : [`only ${kills} kills`]),
}

const single: QuickRun = {
  rule: "160 single awards go out once from two servers through faults and kills",
  twoApps: true,
  scenario: {
    seed: 12,
    job: (sandbox, random) => ({
      kind: "award",
      rows: awardRows(sandbox, 160, random, mixed),
      options: { mode: "single" },
    }),
    faults: faultMix(0.1, shortMs),
    kills: { most: 3, every: 30 },
  },
  unresolved: { most: 10 },
  missed: ({ kills }) => (kills >= 2 ? [] : [`only ${kills} kills`]),
}

const frozen: QuickRun = {
  rule: "an app frozen past its lease sends nothing that the other one sends",
  twoApps: true,
  scenario: {
    seed: 13,
    job: (sandbox, random) => ({
      kind: "award",
      rows: awardRows(sandbox, 150, random),
      options: { mode: "single" },
    }),
    faults: [{ kind: "slow", ms: 200, match: { method: "POST" } }],
    meanwhile: async (fleet, withinMs) => {
      const reached = (count: number) => () => (fleet.sandbox.requests.count >= count ? true : undefined)
      for (const [at, app] of fleet.apps.entries()) {
        await until("some requests", withinMs, reached(30 + 50 * at))
        app.freeze()
        const thawAt = performance.now() + 1500 * shortTimes.lease
        await until("the end of its lease", withinMs, () => (performance.now() > thawAt ? true : undefined))
        app.thaw()
      }
    },
  },
}

/** Awards under faults, kills and frozen processes. */
export const quickAwards: readonly QuickRun[] = [inBulk, single, frozen]
