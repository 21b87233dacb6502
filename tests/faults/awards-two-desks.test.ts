import "../support/patience.ts"
import { afterAll, beforeAll, expect, it } from "vitest"
import { startPostgres, type TestPostgres } from "../support/postgres.ts"
import { faultMix } from "./fault-mix.ts"
import { awardRows } from "./made-up-rows.ts"
import { nothingLost } from "./nothing-lost.ts"
import { runScenario, shortMs, shortTimes } from "./scenario.ts"
import { until } from "./until.ts"

let postgres: TestPostgres
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.stop())

const withinMs = 150_000

it("carries 1,000 awards out singly with two desks through faults and kills", { timeout: withinMs }, async () => {
  const end = await runScenario({
    name: "singly, two desks on PostgreSQL",
    seed: 12,
    job: (sandbox, random) => ({
      kind: "award",
      rows: awardRows(sandbox, 1000, random, { byEmail: 0.02, referenced: 0.02 }),
      options: { mode: "single" },
    }),
    instances: 2,
    databaseUrl: await postgres.createDatabase(),
    faults: faultMix(0.1, shortMs),
    kills: { most: 4, every: 200 },
    withinMs,
  })
  expect(nothingLost(end)).toEqual([])
  expect(end.kills).toBe(4)
})

it("sends nothing from a desk that was frozen past its lease", { timeout: withinMs }, async () => {
  const end = await runScenario({
    name: "one of two desks frozen past its lease",
    seed: 13,
    job: (sandbox, random) => ({
      kind: "award",
      rows: awardRows(sandbox, 300, random),
      options: { mode: "single" },
    }),
    instances: 2,
    databaseUrl: await postgres.createDatabase(),
    faults: [{ kind: "slow", ms: 200, match: { method: "POST" } }],
    meanwhile: async (fleet) => {
      const reached = (count: number) => () => (fleet.sandbox.requests.count >= count ? true : undefined)
      for (const [at, desk] of fleet.desks.entries()) {
        await until("some requests", 30_000, reached(50 + 100 * at))
        desk.freeze()
        const thawAt = performance.now() + 2000 * shortTimes.lease
        await until("the end of its lease, twice", withinMs, () => (performance.now() > thawAt ? true : undefined))
        desk.thaw()
      }
      return new Set()
    },
    withinMs,
  })
  expect(nothingLost(end)).toEqual([])
})
