import { Hono, type Context } from "hono"
import { envelope, invalid, notFound, readBody, validate } from "../http.ts"
import type { SandboxSettings } from "../config.ts"
import type { OrderRecord } from "../store/records.ts"
import { type Call, callAt, type CallEnv } from "../world.ts"
import { orderChange, queryDate, queryPage, queryText, queryWord } from "./requests.ts"
import { book } from "./points.ts"
import { orderView } from "./record-views.ts"

const statuses = ["pending", "processing", "shipped", "completed", "cancelled"]

/** Moves the "restricted" setting permits; staying where it is always is. */
const moves: Record<string, readonly string[]> = {
  pending: ["processing", "cancelled"],
  processing: ["shipped", "cancelled"],
  shipped: ["completed"],
  completed: [],
  cancelled: [],
}

/** The orders (docs/api/program.md, Orders). */
export function orderRoutes(): Hono<CallEnv> {
  const app = new Hono<CallEnv>()
  app.get("/", (c) => list(c))
  app.get("/:id", (c) =>
    envelope(c, orderView(c.env.world.settings, orderOf(c.env, c.req.param("id")), "single")),
  )
  app.patch("/:id", (c) => change(c, orderOf(c.env, c.req.param("id"))))
  return app
}

function orderOf(call: Call, id: string): OrderRecord {
  const order = call.world.store.orders.get(id)
  if (order === undefined) throw notFound("Order")
  return order
}

function list(c: Context<CallEnv>): Response {
  const { settings, store } = c.env.world
  const { per_page, offset } = queryPage(c)
  const filter = {
    status: queryWord(c, "status", statuses),
    memberId: queryText(c, "member_id"),
    from: queryDate(c, "from", false),
    to: queryDate(c, "to", true),
  }
  return envelope(
    c,
    store.orders.page(filter, offset, per_page).map((order) => orderView(settings, order, "list")),
  )
}

async function change(c: Context<CallEnv>, before: OrderRecord): Promise<Response> {
  const call = c.env
  const { settings, store } = call.world
  const body = validate(orderChange, await readBody(c))
  const status = body.status ?? before.status
  if (!mayMove(settings, before.status, status)) {
    throw invalid(`Order cannot move from ${before.status} to ${status}`)
  }
  const order: OrderRecord = {
    ...before,
    status,
    tracking: shipped(settings, "tracking_number", before.tracking, body.tracking_number),
    carrier: shipped(settings, "carrier", before.carrier, body.carrier),
    shipped: before.shipped ?? (status === "shipped" ? call.clock : null),
    delivered: before.delivered ?? (status === "completed" ? call.clock : null),
  }
  store.orders.put(order)
  store.record(
    { kind: "order-update", id: order.id, before: watched(before), after: watched(order) },
    call.now,
  )
  if (status === "cancelled" && before.status !== "cancelled") refund(call, order)
  return envelope(c, orderView(settings, order, "single"))
}

function mayMove(settings: SandboxSettings, from: string, to: string): boolean {
  return settings.orderTransitions === "free" || from === to || (moves[from] ?? []).includes(to)
}

/** The value a parcel field takes; an empty one is cleared, kept or refused, as the settings say. */
function shipped(
  settings: SandboxSettings,
  field: string,
  before: string | null,
  sent: string | null | undefined,
) {
  if (sent === undefined) return before
  if (sent !== null && sent !== "") return sent
  if (settings.clearTracking === "refuse") throw invalid(`${field} must not be empty`)
  return settings.clearTracking === "ignore" ? before : null
}

function watched(order: OrderRecord): Record<string, string | null> {
  return { status: order.status, tracking_number: order.tracking, carrier: order.carrier }
}

/** Returns the points of a cancelled order, as the settings say. */
function refund(call: Call, order: OrderRecord): void {
  const { world } = call
  const { cancelRefunds, cancelRefundMs, cancelRefundReference } = world.settings
  const points = cancelRefunds === "half" ? Math.floor(order.points / 2) : order.points
  if (cancelRefunds === "never" || points === 0) return
  world.later(call.now + cancelRefundMs, (at) => {
    const member = world.store.members.get(order.memberId)
    if (member === undefined) return
    const reason = "Order cancelled, points returned"
    const reference = cancelRefundReference ? order.id : null
    const then = { ...callAt(world, at), lagMs: call.lagMs }
    const row = book(then, member, { type: "adjust", points, reason, reference })
    const effect = { kind: "refund", id: row.id, memberId: member.id, points, reason } as const
    world.store.record({ ...effect, orderId: order.id }, at)
  })
}
