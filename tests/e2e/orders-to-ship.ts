import * as z from "zod"
import { demoKey } from "../../sandbox/config.ts"
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
  const request = async (path: string, body?: unknown): Promise<unknown> => {
    const answer = await fetch(`${service.url}/v1${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${demoKey}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    return answer.json()
  }
  const offered = rewards.parse(await request("/rewards?type=physical&status=active&per_page=100")).data
  const [member] = await service.memberIds(1)
  if (member === undefined) throw new Error("There is no member.")
  const ids: string[] = []
  for (const { id, points_cost: cost, stock } of offered.toSorted(
    (one, other) => one.points_cost - other.points_cost,
  )) {
    const pieces = Math.min(count - ids.length, stock ?? count)
    if (pieces === 0) continue
    await request("/points/award", { member_id: member, points: cost * pieces, reason: "For parcels" })
    for (let at = 0; at < pieces; at += 1) {
      const order = await request("/rewards/redeem", {
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
