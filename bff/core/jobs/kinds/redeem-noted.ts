import * as z from "zod/mini"
import type { Order } from "../../../../contract/program/order.ts"
import type { Transaction } from "../../../../contract/program/points.ts"
import type { JobContext } from "../job-context.ts"
import type { RowRecord } from "../job-store.ts"
import { timesOf } from "../record.ts"

/** What was noted before a redemption was sent. `cost`: points for all pieces; null when the reward does not say. */
const noted = z.object({ orders: z.array(z.string()), cost: z.nullable(z.number()) })
/** What was noted before a redemption was sent. */
export type Noted = z.output<typeof noted>

/** Ids of the member's orders before the first sending, and the points it costs. */
export function notedBefore({ work }: Pick<RowRecord, "work">): Noted | undefined {
  return noted.safeParse(work).data
}

/** Clocks are told to the second. */
const slackMs = 2000

/** When a redemption's effects may have been booked, on the service's clock; undefined while that is not known. */
function windowOf(context: JobContext, row: RowRecord): { since: number; until: number } | undefined {
  if (row.firstSentAt === null) return undefined
  const { settleMs } = timesOf(context)
  const since = context.time.onService("program", row.firstSentAt)
  const until = context.time.onService("program", (row.endedAt ?? context.time.now()) + settleMs)
  return since === undefined || until === undefined
    ? undefined
    : { since: since - slackMs, until: until + slackMs }
}

/** Whether something was booked while the row may have been: what has no time of its own may have. */
function isInTime(context: JobContext, row: RowRecord, created_at: string | null | undefined): boolean {
  const window = windowOf(context, row)
  const at = Date.parse(created_at ?? "")
  return window === undefined || Number.isNaN(at) || (at >= window.since && at <= window.until)
}

/** Orders that were not there before the row was sent first. */
export function newOrders(orders: readonly Order[], before: Noted): Order[] {
  const known = new Set(before.orders)
  return orders.filter(({ order_id }) => !known.has(order_id))
}

/** Those among new orders that a redemption of this row would look like. */
export function fittingOrders(
  context: JobContext,
  row: RowRecord,
  orders: readonly Order[],
  { reward_id, cost }: { readonly reward_id: string; readonly cost: number | null },
): Order[] {
  return orders.filter(
    (order) =>
      order.reward_id === reward_id &&
      cost !== null &&
      order.points_spent === cost &&
      isInTime(context, row, order.created_at),
  )
}

/** Redemptions in the ledger that a row's could be. One that names an order from before is not. */
export function fittingRedemptions(
  context: JobContext,
  row: RowRecord,
  entries: readonly Transaction[],
  { orders, cost }: Noted,
): Transaction[] {
  const known = new Set(orders)
  return entries.filter(
    ({ type, points, reference, created_at }) =>
      type === "redeem" &&
      cost !== null &&
      points === -cost &&
      !known.has(reference ?? "") &&
      isInTime(context, row, created_at),
  )
}
