import type { Order } from "../../../contract/program/order.ts"
import type { Transaction } from "../../../contract/program/points.ts"
import type { Noted } from "./redeem-noted.ts"

/** What is known of a redemption whose call ended without a usable answer. */
export interface RedeemSearch extends Noted {
  readonly rewardId: string
  /** Orders that other rows have made. */
  readonly others: ReadonlySet<string>
  /** When it may have been booked, ms by the service's clock; undefined: at any time. */
  readonly window: { readonly since: number; readonly until: number } | undefined
}

/** What a member's orders and ledger show of a redemption. */
export interface RedeemTraces {
  /** New orders that may be its own. */
  readonly possible: readonly Order[]
  /** Those that are what it would have made, when it would have. */
  readonly fitting: readonly Order[]
  /** Whether every order of that size and time has its redemption in the ledger, and the other way round. */
  readonly told: boolean
}

/**
 * Looks for a redemption (docs/decisions/0010-orders.md, Redemptions). Whatever is not told, such as an order without
 * points, may be its own: only what is certainly something else is left out.
 */
export function redeemTraces(
  { orders: before, cost, rewardId, others, window }: RedeemSearch,
  orders: readonly Order[],
  ledger: readonly Transaction[],
): RedeemTraces {
  const known = new Set(before)
  const isInTime = (created_at: string | null | undefined) => {
    const at = Date.parse(created_at ?? "")
    return window === undefined || Number.isNaN(at) || (at >= window.since && at <= window.until)
  }
  const possible = orders.filter(
    ({ order_id, reward_id }) =>
      !known.has(order_id) && !others.has(order_id) && (reward_id ?? rewardId) === rewardId,
  )
  const fitting = possible.filter(
    ({ reward_id, points_spent, created_at }) =>
      reward_id === rewardId && cost !== null && points_spent === cost && isInTime(created_at),
  )
  const ofSize = orders.filter(
    ({ points_spent, created_at }) => (points_spent ?? cost) === cost && isInTime(created_at),
  )
  const redemptions = ledger.filter(
    ({ type, points, created_at }) =>
      type === "redeem" && Math.abs(points ?? cost ?? 0) === cost && isInTime(created_at),
  )
  const unclear = possible.some(
    ({ reward_id, points_spent }) => typeof reward_id !== "string" || typeof points_spent !== "number",
  )
  return { possible, fitting, told: cost !== null && !unclear && ofSize.length === redemptions.length }
}
