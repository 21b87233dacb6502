import { beforeEach, describe, expect, it } from "vitest"
import type { OrderUpdateRow } from "../../../contract/kinds/order-update.ts"
import type { OrderRecord } from "../../../sandbox/store/records.ts"
import { digestAtOnce, worldTimes } from "../in-process.ts"
import { createRandom } from "../random.ts"
import { orderFaults } from "./order-faults.ts"
import { createSandboxWorld } from "./sandbox-world.ts"
import { missedOrders, trackingRows } from "./tracking-rows.ts"
import { dataOf } from "./data-of.ts"
import { job as jobSchema } from "../../../contract/job.ts"

beforeEach(digestAtOnce)

describe("250 order updates with 10 % faults and 5 kills", () => {
  it("change every order to its target exactly once", async () => {
    const random = createRandom(1)
    const world = createSandboxWorld({ members: 300 })
    const before: readonly OrderRecord[] = structuredClone(world.sandbox.store.orders.all)
    const rows: OrderUpdateRow[] = trackingRows(before, 250, random)
    for (const fault of orderFaults(0.1, worldTimes)) world.sandbox.faults.add(fault)
    let app = world.start()
    const made = dataOf(await app.ask("POST /jobs", { body: { kind: "order-update", rows } }), 201, jobSchema)
    let kills = 0
    let nextKill = 60
    const state = await world.until("the end of the job", 3_600_000, async () => {
      if (kills < 5 && world.sandbox.requests.count >= nextKill) {
        app.life.kill()
        kills += 1
        nextKill += random.integer(50, 120)
        app = world.start()
      }
      const job = await world.store.jobs.get(made.id)
      return job?.state === "done" ? job : undefined
    })
    app.life.kill()
    await world.sandbox.settleAll()
    expect(kills).toBe(5)
    expect(state.counts).toMatchObject({ confirmed: 250 })
    expect(missedOrders(world.sandbox, before, rows)).toEqual([])
  })
})
