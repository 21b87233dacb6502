import "../support/patience.ts"
import { expect, it } from "vitest"
import { faultMix } from "./fault-mix.ts"
import { awardRows } from "./made-up-rows.ts"
import { nothingLost } from "./nothing-lost.ts"
import { runScenario, shortMs } from "./scenario.ts"

const rows = 1000
const withinMs = 150_000

it("carries 1,000 awards out in bulk through faults and kills", { timeout: withinMs }, async () => {
  const end = await runScenario({
    name: "bulk, one desk",
    seed: 11,
    job: (sandbox, random) => ({
      kind: "award",
      rows: awardRows(sandbox, rows, random, { byEmail: 0.02, referenced: 0.02 }),
      options: { mode: "bulk", bulk_size: 20 },
    }),
    faults: faultMix(0.1, shortMs),
    kills: { most: 4, every: 12 },
    withinMs,
  })
  expect(nothingLost(end)).toEqual([])
  expect(end.kills).toBeGreaterThanOrEqual(3)
})
