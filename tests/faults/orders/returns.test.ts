import { beforeEach, describe, expect, it } from "vitest"
import { digestAtOnce } from "../in-process.ts"
import { runReturns } from "./return-runs.ts"

beforeEach(digestAtOnce)

describe("40 returns of points with faults and kills", () => {
  it.each([
    [1, 0.1],
    [2, 0.3],
  ])(
    "seed %i, %d of all calls fail: no points doubled or missing",
    { timeout: 300_000 },
    async (seed, share) => {
      const { doubled, missing, ...run } = await runReturns(seed, 10, share, 2)
      expect({ doubled, missing }).toEqual({ doubled: [], missing: [] })
      process.stdout.write(
        `returns, ${share}: ${run.orders} orders, ${run.awards} awards, ${run.kills} kills, 0 doubled, 0 missing\n`,
      )
    },
  )
})
