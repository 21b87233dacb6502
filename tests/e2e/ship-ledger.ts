import type { Page } from "@playwright/test"
import * as z from "zod"
import { demoKey } from "../../sandbox/config.ts"
import { effect, type Effect } from "../../sandbox/store/records.ts"
import type { MoneyApp } from "./money-app.ts"

/** An order update in the ledger. */
export type OrderChange = Extract<Effect, { kind: "order-update" }>

const ledger = z.object({ data: z.array(effect) })

/** Order updates in the ledger since the service started, oldest first. */
export async function orderChanges({ service }: MoneyApp): Promise<readonly OrderChange[]> {
  const answer = await fetch(`${service.url}/__sandbox/ledger`)
  return ledger.parse(await answer.json()).data.filter((each) => each.kind === "order-update")
}

const rewards = z.object({ data: z.array(z.object({ id: z.string(), points_cost: z.int() })) })

const orders = z.object({ data: z.array(z.unknown()) })

/** Ensures at least `count` pending orders: members redeem the cheapest physical reward. */
export async function ensurePendingOrders({ service }: MoneyApp, count: number): Promise<void> {
  const pending = await fetch(`${service.url}/v1/orders?status=pending&per_page=100`, {
    headers: { Authorization: `Bearer ${demoKey}` },
  })
  if (orders.parse(await pending.json()).data.length >= count) return
  const answer = await fetch(`${service.url}/v1/rewards?type=physical&status=active&per_page=100`, {
    headers: { Authorization: `Bearer ${demoKey}` },
  })
  const cheapest = rewards
    .parse(await answer.json())
    .data.toSorted((one, other) => one.points_cost - other.points_cost)[0]
  if (cheapest === undefined) throw new Error("The service has nothing that is sent by post.")
  const shipping_address = {
    name: "Ana Silva",
    line1: "18 Ingham Road",
    city: "West End",
    state: "QLD",
    postal_code: "4810",
    country: "AU",
  }
  for (const member_id of await service.memberIds(count)) {
    const points = cheapest.points_cost
    await service.post("/v1/points/award", { member_id, points, reason: "For the ship desk" })
    await service.post("/v1/rewards/redeem", { member_id, reward_id: cheapest.id, shipping_address })
  }
}

/** Ids of the orders in the ship desk's queue, in order. */
export async function queuedOrders(page: Page): Promise<string[]> {
  const queue = page.getByRole("complementary", { name: "To ship" })
  const lines = await queue.getByRole("listitem").allTextContents()
  return lines.flatMap((line) => /ord_\d+/.exec(line)?.[0] ?? [])
}

/** Updates an order without Laurel, as another client. */
export async function changeElsewhere({ service }: MoneyApp, id: string, body: unknown): Promise<void> {
  const answer = await fetch(`${service.url}/v1/orders/${id}`, {
    method: "PATCH",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${demoKey}` },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`PATCH of ${id} answered ${answer.status}`)
}
