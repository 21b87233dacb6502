import { beforeEach, describe, expect, it } from "vitest"
import { job as jobSchema } from "../../../contract/job.ts"
import { digestAtOnce, worldTimes } from "../in-process.ts"
import { createRandom } from "../random.ts"
import { dataOf } from "./data-of.ts"
import { redeemFaults } from "./order-faults.ts"
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
    let app = world.start()
    const body = { kind: "redeem", rows }
    const made = dataOf(await app.ask("POST /jobs", { body }), 201, jobSchema)
    let kills = 0
    let nextKill = 75
    await world.until("the end of the job", 3_600_000, async () => {
      if (kills < 3 && world.sandbox.requests.count >= nextKill) {
        app.life.kill()
        kills += 1
        nextKill += random.integer(50, 150)
        app = world.start()
      }
      return (await world.store.jobs.get(made.id))?.state === "done" ? true : undefined
    })
    app.life.kill()
    await world.sandbox.settleAll()
    const { notes, confirmed, failed, open } = countRedemptions(world.sandbox, await world.rowsOf(made.id))
    expect(notes).toEqual([])
    expect(sentTwice(world.sandbox)).toEqual([])
    expect([kills, failed, confirmed + open]).toEqual([3, 0, 100])
    // Most lost responses are resolved by their time; the rest is left to a person.
    expect(open).toBeLessThan(100 * share)
    process.stdout.write(`redeem, ${share}: ${confirmed} confirmed, ${open} open\n`)
  })
})
