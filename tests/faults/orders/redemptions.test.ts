import { beforeEach, describe, expect, it } from "vitest"
import { digestAtOnce, worldTimes } from "../in-process.ts"
import { createRandom } from "../random.ts"
import { redeemFaults } from "../fault-mix.ts"
import { countRedemptions, redeemRows, sentTwice } from "./redeem-rows.ts"
import { createSandboxWorld } from "./sandbox-world.ts"

beforeEach(digestAtOnce)

describe("100 redemptions with faults and kills: D=P=W=0, nothing resent without a person", () => {
  it.each([
    [1, 0.1],
    [3, 0.4],
  ])("seed %i, %d of all calls fail", async (seed, share) => {
    const random = createRandom(seed)
    const world = createSandboxWorld({ members: 300 })
    const rows = redeemRows(world.sandbox, 100, 4)
    for (const fault of redeemFaults(share, worldTimes)) world.sandbox.faults.add(fault)
    const { id } = await world.survive({ kind: "redeem", rows }, 3, 60, random)
    const { notes, confirmed, failed, open } = countRedemptions(world.sandbox, await world.rowsOf(id))
    expect(notes).toEqual([])
    expect(sentTwice(world.sandbox)).toEqual([])
    expect([failed, confirmed + open]).toEqual([0, 100])
    // Most lost responses are resolved by their time; the rest is left to a person.
    expect(open).toBeLessThan(100 * share)
    process.stdout.write(`redeem, ${share}: ${confirmed} confirmed, ${open} open\n`)
  })
})
