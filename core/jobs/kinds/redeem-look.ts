import { rowOutcomeWords } from "../../../contract/row-outcomes.ts"
import type { Order } from "../../../contract/program/order.ts"
import { redeemBody, rewardReader } from "../../../contract/program/reward.ts"
import { readBody } from "../../validation.ts"
import { DeskFailure } from "../../errors.ts"
import { planById } from "../../gateway/upstream-read.ts"
import { type JobContext, requesterOf } from "../job-context.ts"
import { type FoundEffect, type Lookup, neverSentHere } from "../job-kind.ts"
import { readNow } from "../job-reads.ts"
import type { JobRecord, RowRecord } from "../job-store.ts"
import { readLedger } from "./ledger.ts"
import { memberOrders } from "./member-orders.ts"
import { notedBefore } from "./redeem-noted.ts"
import { notedForRestore, redeemSearch } from "./redeem-search.ts"
import { redeemTraces } from "./redeem-traces.ts"

/**
 * Looks for the order a redemption made: one that was not there before, of the same reward and points, made between
 * sending and the end of settling, with its own redemption in the ledger. Everything else is no more than a candidate,
 * and as long as there is one, it is not proven that nothing was done.
 */
export async function lookForRedemption(
  context: JobContext,
  job: JobRecord,
  row: RowRecord,
  from: number | undefined,
): Promise<Lookup> {
  const { member_id } = readBody(row.input, redeemBody)
  const asker = requesterOf(job)
  const noted = notedBefore(row)
  const isHeld = noted === undefined && neverSentHere(row) !== undefined
  if (noted === undefined && !isHeld) return { kind: "read", found: [], complete: true }
  try {
    const orders = await memberOrders(context, asker, member_id)
    const before = noted ?? notedForRestore(context, row, orders, await costOf(context, job, row))
    if (before === undefined) return { kind: "read", found: [], complete: false }
    const { rows, complete } = await readLedger(context, asker, member_id, from)
    const search = await redeemSearch(context, row, before, orders)
    // Long after a second sending every further order of the kind may be the first one's.
    const isRecheck = row.state === "confirmed"
    const traces = redeemTraces(isRecheck ? { ...search, window: undefined } : search, orders, rows)
    const { possible, fitting } = traces
    const told = traces.told || isRecheck
    const found = possible.map((order) => ({
      ...foundIn(order, told && fitting.includes(order)),
      not: isOtherAmount(order, before.cost) ? ("amount" as const) : undefined,
    }))
    return { kind: "read", found, complete: complete && told && possible.length === fitting.length }
  } catch (error) {
    if (error instanceof DeskFailure && error.code === "not_found") return { kind: "no_record" }
    throw error
  }
}

function isOtherAmount({ points_spent }: Order, cost: number | null): boolean {
  return typeof points_spent === "number" && cost !== null && points_spent !== cost
}

/** What the row costs now; null where the reward does not say. */
async function costOf(context: JobContext, job: JobRecord, row: RowRecord): Promise<number | null> {
  const { reward_id, quantity = 1 } = readBody(row.input, redeemBody)
  const plan = planById("GET /rewards/{reward_id}", { reward_id })
  const copy = context.reads.cached(plan) ?? (await readNow(context, requesterOf(job), plan))
  const { points_cost } = rewardReader.tolerant.parse(copy.data)
  return typeof points_cost === "number" ? points_cost * quantity : null
}

function foundIn(order: Order, tagged: boolean): FoundEffect {
  const created = Date.parse(order.created_at ?? "")
  const { points_spent } = order
  return {
    upstreamId: order.order_id,
    createdAt: Number.isNaN(created) ? undefined : created,
    points: typeof points_spent === "number" ? -points_spent : null,
    text: order.reward_name ?? null,
    reference: null,
    tagged,
    ...(tagged && { outcome: { code: "matched_by_time", message: rowOutcomeWords.matched_by_time } }),
  }
}
