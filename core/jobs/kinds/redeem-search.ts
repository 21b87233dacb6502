import { redeemBody } from "../../../contract/program/reward.ts"
import type { Order } from "../../../contract/program/order.ts"
import { readBody } from "../../validation.ts"
import type { JobContext } from "../job-context.ts"
import type { RowRecord } from "../job-store.ts"
import { neverSentHere } from "../job-kind.ts"
import type { Noted } from "./redeem-noted.ts"
import type { RedeemSearch } from "./redeem-traces.ts"

/** Under which an order belongs to the row that made it. */
export const orderScope = "program:order"

/** Clocks are told to the second. */
const slackMs = 2000

/**
 * What would have been noted before a row that this store has never sent: every order from before the store was last
 * known to be complete. Undefined while the service has not said its time.
 */
export function notedForRestore(
  context: JobContext,
  row: RowRecord,
  orders: readonly Order[],
  cost: number | null,
): Noted | undefined {
  const window = windowOf(context, row)
  if (window === undefined) return undefined
  const before = orders.filter(({ created_at }) => Date.parse(created_at ?? "") < window.since)
  return { orders: before.map(({ order_id }) => order_id), cost }
}

/** What to look for: from the first sending until the last call has settled. */
export async function redeemSearch(
  context: JobContext,
  row: RowRecord,
  before: Noted,
  orders: readonly Order[],
): Promise<RedeemSearch> {
  const ids = orders.map(({ order_id }) => order_id)
  const claims = await context.store.jobs.claims(orderScope, ids)
  const others = ids.filter((id) => {
    const owner = claims.get(id)
    return owner !== undefined && (owner.job !== row.jobId || owner.row !== row.row)
  })
  const { reward_id } = readBody(row.input, redeemBody)
  return { ...before, rewardId: reward_id, others: new Set(others), window: windowOf(context, row) }
}

function windowOf(context: JobContext, row: RowRecord): RedeemSearch["window"] {
  const first = row.firstSentAt ?? neverSentHere(row)?.since
  if (first === undefined) return undefined
  const { settleMs } = context.config.jobs
  const since = context.time.toServiceTime("program", first)
  const until = context.time.toServiceTime("program", (row.endedAt ?? context.time.now()) + settleMs)
  return since === undefined || until === undefined
    ? undefined
    : { since: since - slackMs, until: until + slackMs }
}
