import type { Page } from "@playwright/test"
import * as z from "zod"
import type { MoneyApp } from "./money-app.ts"

const rewards = z.object({
  data: z.array(z.object({ id: z.string(), points_cost: z.int(), stock: z.nullable(z.int()) })),
})
const made = z.object({ data: z.object({ order_id: z.string() }) })

const address = { name: "Robin", line1: "1 Reef St", city: "Gympie", postal_code: "4570", country: "AU" }

/**
 * Redeems `count` physical rewards without Laurel, for one member.
 * @returns ids of the orders, all of them pending
 */
export async function redeemParcels({ service }: MoneyApp, count: number): Promise<readonly string[]> {
  const offered = rewards.parse(
    await service.request("GET", "/v1/rewards?type=physical&status=active&per_page=100"),
  ).data
  const [member] = await service.memberIds(1)
  if (member === undefined) throw new Error("There is no member.")
  const ids: string[] = []
  for (const { id, points_cost: cost, stock } of offered.toSorted(
    (one, other) => one.points_cost - other.points_cost,
  )) {
    const pieces = Math.min(count - ids.length, stock ?? count)
    if (pieces === 0) continue
    await service.request("POST", "/v1/points/award", {
      member_id: member,
      points: cost * pieces,
      reason: "For parcels",
    })
    for (let at = 0; at < pieces; at += 1) {
      const order = await service.request("POST", "/v1/rewards/redeem", {
        member_id: member,
        reward_id: id,
        shipping_address: address,
      })
      ids.push(made.parse(order).data.order_id)
    }
  }
  if (ids.length < count) throw new Error(`There is stock for ${ids.length} parcels.`)
  return ids
}

/** Ids of the orders in the ship desk's queue, in order. */
export async function queuedOrders(page: Page): Promise<string[]> {
  const queue = page.getByRole("complementary", { name: "To ship" })
  const lines = await queue.getByRole("listitem").allTextContents()
  return lines.flatMap((line) => /ord_\d+/.exec(line)?.[0] ?? [])
}
