import * as z from "zod/mini"
import { isEmail } from "../../../contract/email-address.ts"
import { orderReader, type Order } from "../../../contract/program/order.ts"
import type { Transaction } from "../../../contract/program/points.ts"
import { rewardReader, type Reward } from "../../../contract/program/reward.ts"
import { timeOf } from "../../../contract/program/common.ts"
import { redeemRow } from "../../../contract/kinds/redeem.ts"
import { rowOutcome, type RowOutcomeCode } from "../../../contract/row-outcomes.ts"
import { invalid } from "../../errors.ts"
import { planById } from "../../gateway/upstream-read.ts"
import { readBody } from "../../validation.ts"
import {
  type FoundEffect,
  type JobContext,
  type KindRules,
  type Lookup,
  neverSentHere,
  rowRequest,
  type Precheck,
} from "../job-kind.ts"
import type { RowRecord } from "../job-store.ts"
import { isOwnedByAnotherRow } from "../job-record.ts"
import { clockSlackMs, noRecord, readsFor, refusal, refusedRead, requirePathId } from "../service-reads.ts"

/** Scope of the claims on orders: each belongs to one redemption. */
export const orderScope = "program:order"

/**
 * Redemptions for a member (docs/api/program.md, Rewards). The service accepts no reference, so the member's orders are
 * saved before sending, and only one redemption per member is sent at a time: a new order is identified by its time.
 */
export const redeem: KindRules<RedeemNotes> = {
  kind: "redeem",
  newRow(raw) {
    const input = readBody(raw, redeemRow)
    requirePathId("member_id", input.member_id)
    if (isEmail(input.member_id)) {
      const message = "This is an e-mail address. Name the member by id. Nothing was redeemed."
      throw invalid(422, [{ field: "member_id", message }])
    }
    requirePathId("reward_id", input.reward_id)
    return { input, memberId: input.member_id }
  },
  precheck: checkBeforeRedeeming,
  request: (_, { input: { expected_cost: _shown, ...body } }) => rowRequest("POST /rewards/redeem", body),
  readResponse(data, row) {
    const read = orderReader.read(data)
    if (!read.ok) return undefined
    const { order_id, member_id, reward_id, new_balance, points_spent, status } = read.value
    const requested = readBody(row.input, redeemRow)
    if (member_id !== requested.member_id || reward_id !== requested.reward_id) return undefined
    // An order that existed before cannot be this row's.
    if (savedOrders(row)?.orders.includes(order_id) === true) return undefined
    return {
      upstreamId: order_id,
      balanceAfter: new_balance ?? null,
      notes: { points_spent: points_spent ?? null, status: status ?? null },
    }
  },
  claims: {
    effects: orderScope,
    whileSent: ({ memberId }) => (memberId === null ? undefined : { scope: "program:redeem", key: memberId }),
  },
  lookup: (...about) => lookUpRedemption(...about).catch(noRecord),
  absence: "settled",
  maxCalls: 4,
  resends: 0,
  messages: { unsure: "order_unsure", twice: "redeemed_twice" },
  audit: {
    amounts(row) {
      const { reward_id, quantity = 1 } = readBody(row.input, redeemRow)
      return [
        { field: "reward_id", from: null, to: reward_id },
        { field: "quantity", from: null, to: String(quantity) },
        ...(row.upstreamId === null ? [] : [{ field: "order_id", from: null, to: row.upstreamId }]),
      ]
    },
  },
  showsCode: true,
  cache: {
    topics: ["members", "orders"],
    invalidates: (row) => ({ evict: [`member:${row.memberId}`], stale: ["members", "orders", "rewards"] }),
    // The order reaches the local copy, without its code.
    response({ sync }, _, data): undefined {
      sync?.orders.written(data)
    },
  },
}

/** The member's order ids and the cost in points (null: unknown), saved before the first send. */
const orderSnapshot = z.object({ orders: z.array(z.string()), cost: z.nullable(z.number()) })
type OrderSnapshot = z.output<typeof orderSnapshot>
/** The balance before the first send, and what the response says about the order. */
type RedeemNotes = OrderSnapshot & { balance: number; points_spent: number | null; status: string | null }

function savedOrders({ notes }: Pick<RowRecord, "notes">): OrderSnapshot | undefined {
  return orderSnapshot.safeParse(notes).data
}

/**
 * Checks the documented refusals and saves the member's orders. Inactive members or rewards and missing stock are left
 * to the service (docs/api/program.md, Rewards).
 */
async function checkBeforeRedeeming(context: JobContext, row: RowRecord): Promise<Precheck<RedeemNotes>> {
  const {
    member_id,
    reward_id,
    quantity = 1,
    shipping_address,
    expected_cost,
  } = readBody(row.input, redeemRow)
  const service = readsFor(context)
  let missing: RowOutcomeCode = "reward_not_found"
  try {
    const before = row.hadUnknownAttempt ? savedOrders(row) : undefined
    if (before !== undefined) {
      // Any new order may come from the earlier unknown attempt.
      const orders = await service.orders(member_id)
      const search = { ...(await redeemSearch(context, row, before, orders)), window: undefined }
      if (redeemTraces(search, orders, []).possible.length > 0)
        return { kind: "conflict", outcome: rowOutcome("order_appeared") }
    }
    const { data } = await service.read(planById("GET /rewards/{reward_id}", { reward_id }))
    const reward = rewardReader.tolerant.parse(data)
    if (reward.type === "physical" && shipping_address === undefined)
      return refusal(row, rowOutcome("address_needed"))
    const cost = costOf(reward, quantity)
    if (expected_cost !== undefined && cost !== null && cost !== expected_cost)
      return refusal(row, rowOutcome("price_changed"))
    missing = "not_found_there"
    const { balance } = await service.balance(member_id)
    if (cost !== null && balance < cost) return refusal(row, rowOutcome("not_enough_points"))
    // Keep the orders saved before the first send.
    if (before !== undefined) return { kind: "go" }
    const orders = await service.orders(member_id)
    return { kind: "go", notes: { orders: orders.map(({ order_id }) => order_id), cost, balance } }
  } catch (error) {
    return refusal(row, refusedRead(error, missing))
  }
}

function costOf({ points_cost }: Reward, quantity: number): number | null {
  return typeof points_cost === "number" ? points_cost * quantity : null
}

/**
 * Looks for a new order of the same reward and points, created between the send and the end of settling, with its own
 * redemption in the ledger. With other candidates nothing is proven.
 */
async function lookUpRedemption(context: JobContext, row: RowRecord, from?: number): Promise<Lookup> {
  const { member_id, reward_id, quantity = 1 } = readBody(row.input, redeemRow)
  const service = readsFor(context)
  const saved = savedOrders(row)
  if (saved === undefined && neverSentHere(row) === undefined)
    return { kind: "read", found: [], complete: true }
  const orders = await service.orders(member_id)
  const before = saved ?? (await ordersBeforeRestore())
  if (before === undefined) return { kind: "read", found: [], complete: false }
  const { rows, complete } = await service.ledger(member_id, from)
  const search = await redeemSearch(context, row, before, orders)
  // At a recheck after a resend, any further matching order may come from the first attempt.
  const isRecheck = row.state === "confirmed"
  const traces = redeemTraces(isRecheck ? { ...search, window: undefined } : search, orders, rows)
  const { possible, fitting } = traces
  const isConsistent = traces.isConsistent || isRecheck
  const found = possible.map((order) => foundIn(order, isConsistent && fitting.includes(order), search.cost))
  return { kind: "read", found, complete: complete && isConsistent && possible.length === fitting.length }

  /** For a row never sent here: orders older than the last complete store. Undefined while the clock is unknown. */
  async function ordersBeforeRestore(): Promise<OrderSnapshot | undefined> {
    const plan = planById("GET /rewards/{reward_id}", { reward_id })
    const { data } = context.reads.cached(plan) ?? (await service.read(plan))
    const window = windowOf(context, row)
    if (window === undefined) return undefined
    const before = orders.filter(({ created_at }) => Date.parse(created_at ?? "") < window.since)
    const cost = costOf(rewardReader.tolerant.parse(data), quantity)
    return { orders: before.map(({ order_id }) => order_id), cost }
  }
}

function foundIn(order: Order, tagged: boolean, cost: number | null): FoundEffect {
  const points = typeof order.points_spent === "number" ? order.points_spent : null
  return {
    upstreamId: order.order_id,
    createdAt: timeOf(order.created_at),
    points: points === null ? null : -points,
    text: order.reward_name,
    tagged,
    not: points !== null && cost !== null && points !== cost ? "amount" : undefined,
    ...(tagged && { outcome: rowOutcome("matched_by_time") }),
  }
}

/** Search criteria for a redemption without a usable response. */
export interface RedeemSearch extends OrderSnapshot {
  readonly rewardId: string
  readonly others: ReadonlySet<string>
  /** When it may have been booked, ms on the service's clock; undefined: any time. */
  readonly window: { readonly since: number; readonly until: number } | undefined
}

async function redeemSearch(
  context: JobContext,
  row: RowRecord,
  before: OrderSnapshot,
  orders: readonly Order[],
) {
  const ids = orders.map(({ order_id }) => order_id)
  const claims = await context.store.jobs.claims(orderScope, ids)
  const others = ids.filter((id) => isOwnedByAnotherRow(claims.get(id), row))
  const { reward_id } = readBody(row.input, redeemRow)
  return { ...before, rewardId: reward_id, others: new Set(others), window: windowOf(context, row) }
}

function windowOf(context: JobContext, row: RowRecord): RedeemSearch["window"] {
  const first = row.firstSentAt ?? neverSentHere(row)?.since
  if (first === undefined) return undefined
  const { config, time } = context
  const since = time.toServiceTime("program", first)
  const until = time.toServiceTime("program", (row.endedAt ?? time.now()) + config.jobs.settleMs)
  if (since === undefined || until === undefined) return undefined
  return { since: since - clockSlackMs, until: until + clockSlackMs }
}

/**
 * Traces of a redemption in a member's orders and ledger (docs/orders.md, Redemptions). `possible`: new
 * orders that could be its effect. `fitting`: those with its reward, cost and time. `isConsistent`: orders and ledger
 * entries of that cost and time match one to one.
 */
export function redeemTraces(
  { orders: before, cost, rewardId, others, window }: RedeemSearch,
  orders: readonly Order[],
  ledger: readonly Transaction[],
) {
  const known = new Set(before)
  const isInTime = ({ created_at }: Order | Transaction) => {
    const at = timeOf(created_at)
    return window === undefined || at === undefined || (at >= window.since && at <= window.until)
  }
  const possible = orders.filter(
    ({ order_id, reward_id }) =>
      !known.has(order_id) && !others.has(order_id) && (reward_id ?? rewardId) === rewardId,
  )
  const fitting = possible.filter(
    (order) =>
      order.reward_id === rewardId && cost !== null && order.points_spent === cost && isInTime(order),
  )
  const ofSize = orders.filter((order) => (order.points_spent ?? cost) === cost && isInTime(order))
  const redemptions = ledger.filter(
    (entry) => entry.type === "redeem" && Math.abs(entry.points ?? cost ?? 0) === cost && isInTime(entry),
  )
  const unclear = possible.some(
    ({ reward_id, points_spent }) => typeof reward_id !== "string" || typeof points_spent !== "number",
  )
  const isConsistent = cost !== null && !unclear && ofSize.length === redemptions.length
  return { possible, fitting, isConsistent }
}
