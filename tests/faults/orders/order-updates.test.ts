import { beforeEach, describe, expect, it } from "vitest"
import type { OrderUpdateRow } from "../../../contract/kinds/order-update.ts"
import type { OrderRecord } from "../../../sandbox/store/records.ts"
import { digestAtOnce, worldTimes } from "../in-process.ts"
import { createRandom } from "../random.ts"
import { orderFaults } from "../fault-mix.ts"
import { createSandboxWorld } from "./sandbox-world.ts"
import { missedOrders, trackingRows } from "./tracking-rows.ts"

beforeEach(digestAtOnce)

describe("250 order updates with 10 % faults and 5 kills", () => {
  it("change every order to its target exactly once", async () => {
    const random = createRandom(1)
    const world = createSandboxWorld({ members: 300 })
    const before: readonly OrderRecord[] = structuredClone(world.sandbox.store.orders.all)
    const rows: OrderUpdateRow[] = trackingRows(before, 250, random)
    for (const fault of orderFaults(0.1, worldTimes)) world.sandbox.faults.add(fault)
    const state = await world.survive({ kind: "order-update", rows }, 5, 50, random)
    expect(state.counts).toMatchObject({ confirmed: 250 })
    expect(missedOrders(world.sandbox, before, rows)).toEqual([])
  })
})
