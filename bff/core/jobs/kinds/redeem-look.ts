import { rowOutcomeWords } from "../../../../contract/errors/row-outcomes.ts"
import { redeemBody } from "../../../../contract/program/reward.ts"
import type { Order } from "../../../../contract/program/order.ts"
import { readBody } from "../../body.ts"
import { DeskFailure } from "../../failure.ts"
import { askerOf, type JobContext } from "../job-context.ts"
import type { Found, Look } from "../job-kind.ts"
import type { JobRecord, RowRecord } from "../job-store.ts"
import { timesOf } from "../record.ts"
import { readLedger } from "./ledger.ts"
import { memberOrders } from "./member-orders.ts"
import { notedBefore } from "./redeem-ready.ts"

/** Clocks are told to the second. */
const slackMs = 2000

/**
 * Looks for the order a redemption made: one that was not there before, of the same reward and points, made between
 * sending and the end of settling, with its own redemption in the ledger. Without that it is no more than a candidate.
 */
export async function lookForRedemption(
  context: JobContext,
  job: JobRecord,
  row: RowRecord,
  from: number | undefined,
): Promise<Look> {
  const { member_id, reward_id } = readBody(row.input, redeemBody)
  const asker = askerOf(job)
  const { orders: before, cost } = notedBefore(row)
  try {
    const known = new Set(before)
    const orders = (await memberOrders(context, asker, member_id)).filter(
      ({ order_id }) => !known.has(order_id),
    )
    const { rows, complete } = await readLedger(context, asker, member_id, from)
    const redemptions = rows.filter(
      ({ type, points }) => type === "redeem" && points === -(cost ?? Number.NaN),
    ).length
    const fitting = orders.filter((order) => fits(context, row, order, reward_id, cost))
    // An order without its own redemption is not ours yet; more redemptions than orders leave one unexplained.
    const told = fitting.length > 0 && redemptions >= fitting.length
    const found = orders.map((order) => foundIn(order, told && fitting.includes(order)))
    return {
      kind: "read",
      found,
      complete: complete && (told || (fitting.length === 0 && redemptions === 0)),
    }
  } catch (error) {
    if (error instanceof DeskFailure && error.code === "not_found") return { kind: "no_record" }
    throw error
  }
}

function fits(
  context: JobContext,
  row: RowRecord,
  order: Order,
  rewardId: string,
  cost: number | undefined,
): boolean {
  if (order.reward_id !== rewardId || order.points_spent !== cost) return false
  const created = Date.parse(order.created_at ?? "")
  // Without a time it is new since the orders were noted, and no more can be said.
  if (Number.isNaN(created) || row.sentAt === null) return true
  const since = context.time.onService("program", row.sentAt)
  const until = context.time.onService(
    "program",
    (row.endedAt ?? context.time.now()) + timesOf(context).settleMs,
  )
  return (
    since === undefined || until === undefined || (created >= since - slackMs && created <= until + slackMs)
  )
}

function foundIn(order: Order, marked: boolean): Found {
  const created = Date.parse(order.created_at ?? "")
  return {
    upstreamId: order.order_id,
    createdAt: Number.isNaN(created) ? undefined : created,
    points: order.points_spent === undefined || order.points_spent === null ? null : -order.points_spent,
    text: order.reward_name ?? null,
    reference: null,
    marked,
    ...(marked && { outcome: { code: "matched_by_time", message: rowOutcomeWords.matched_by_time } }),
  }
}
