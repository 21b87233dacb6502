import { Hono, type Context } from "hono"
import type * as z from "zod/mini"
import { envelope, invalid, notFound, pageEnvelope, readBody, Refusal, validate } from "../http.ts"
import { codeFrom } from "../seed/random.ts"
import type { OrderRecord, RewardRecord } from "../store/records.ts"
import type { Call, CallEnv } from "../world.ts"
import { queryInt, queryPage, queryText, queryWord, redemption } from "./requests.ts"
import { book } from "./points.ts"
import { memberOf } from "./members.ts"
import { orderView } from "./record-views.ts"

/** The catalogue and redemptions (docs/api/program.md, Rewards). */
export function rewardRoutes(): Hono<CallEnv> {
  const app = new Hono<CallEnv>()
  app.get("/", (c) => list(c))
  app.post("/redeem", (c) => redeem(c))
  app.get("/:id", (c) => envelope(c, rewardOf(c.env, c.req.param("id"))))
  return app
}

function rewardOf(call: Call, id: string): RewardRecord {
  const reward = call.world.store.rewards.get(id)
  if (reward === undefined) throw notFound("Reward")
  return reward
}

function list(c: Context<CallEnv>): Response {
  const page = queryPage(c)
  const category = queryText(c, "category")?.toLowerCase()
  const status = queryWord(c, "status", ["active", "inactive"])
  const type = queryWord(c, "type", ["digital", "physical"])
  const least = queryInt(c, "min_points", 0, 0, 999_999_999)
  const most = queryInt(c, "max_points", 999_999_999, 0, 999_999_999)
  const rows = [...c.env.world.store.rewards.values()].filter(
    (reward) =>
      (category === undefined || reward.category.toLowerCase() === category) &&
      (status === undefined || reward.status === status) &&
      (type === undefined || reward.type === type) &&
      reward.points_cost >= least &&
      reward.points_cost <= most,
  )
  return pageEnvelope(c, rows.slice(page.offset, page.end), page, rows.length)
}

type Redemption = z.output<typeof redemption>

async function redeem(c: Context<CallEnv>): Promise<Response> {
  const call = c.env
  const { store, settings } = call.world
  const body = validate(redemption, await readBody(c))
  const member = memberOf(call, body.member_id)
  const reward = rewardOf(call, body.reward_id)
  const points = reward.points_cost * body.quantity
  refuse(reward, body)
  if (member.balance < points) throw new Refusal(400, settings.insufficientPointsCode, "Insufficient points")

  const order = newOrder(call, reward, body, points)
  store.orders.put(order)
  if (reward.stock !== null) store.setReward({ ...reward, stock: reward.stock - body.quantity })
  const taken = { type: "redeem", points: -points, reason: reward.name, reference: order.id } as const
  const row = book(call, member, taken)
  const ids = { id: order.id, memberId: member.id, rewardId: reward.id, transactionId: row.id }
  store.record({ kind: "redeem", ...ids, quantity: body.quantity, points: -points }, call.now)
  return envelope(c, { ...orderView(settings, order, "redeem"), new_balance: row.balanceAfter })
}

function refuse(reward: RewardRecord, body: Redemption): void {
  if (reward.status !== "active") throw invalid("Reward is not active")
  if (reward.stock !== null && reward.stock < body.quantity) throw invalid("Reward is out of stock")
  if (reward.type === "physical" && body.shipping_address === undefined) {
    throw invalid("shipping_address is required for physical rewards")
  }
}

function newOrder(call: Call, reward: RewardRecord, body: Redemption, points: number): OrderRecord {
  const { store } = call.world
  const id = store.nextOrderId()
  const digital = reward.type === "digital"
  const number = Number(id.replace("ord_", ""))
  const code = [0, 1, 2]
    .map((part) => codeFrom(4, store.base.number, 71, number, part).toUpperCase())
    .join("-")
  return {
    id,
    memberId: body.member_id,
    rewardId: reward.id,
    rewardName: reward.name,
    type: reward.type,
    quantity: body.quantity,
    points,
    status: digital ? "completed" : "pending",
    code: digital ? code : null,
    tracking: null,
    carrier: null,
    address: digital ? null : addressOf(body.shipping_address),
    created: call.clock,
    shipped: null,
    delivered: digital ? call.clock : null,
  }
}

function addressOf(address: Redemption["shipping_address"]): Record<string, string> | null {
  if (address === undefined) return null
  const { line2, state, ...rest } = address
  return { ...rest, ...(line2 !== undefined && { line2 }), ...(state !== undefined && { state }) }
}
