import type { Member } from "../../../../contract/program/member.ts"
import type { Reward } from "../../../../contract/program/reward.ts"
import { formatCount, formatPoints } from "../../../lib/format.ts"
import { isInactive } from "../show/reward-words.ts"

/** One thing a redemption depends on. `no` is refused before the call; `unknown` is left to the service. */
export interface RedeemCheck {
  readonly id: "member" | "reward" | "points" | "stock"
  readonly state: "ok" | "no" | "unknown"
  readonly words: string
  /** Before and after it, where both are known. */
  readonly change?: { readonly from: string; readonly to: string }
}

interface Checked {
  readonly member: Pick<Member, "status">
  readonly reward: Pick<Reward, "status" | "points_cost" | "stock">
  /** Points available; undefined while they are not known. */
  readonly balance: number | undefined
  /** Pieces; NaN while nothing that counts is typed. */
  readonly quantity: number
}

/**
 * What a redemption depends on, as far as it can be told before the service is asked: whether member and reward are
 * active, points and stock. The service's word is the last one all the same.
 */
export function redeemChecks({ member, reward, balance, quantity }: Checked): RedeemCheck[] {
  const checks: RedeemCheck[] = []
  if (isInactive(member)) {
    checks.push({ id: "member", state: "no", words: "The member is inactive. Activate the member first." })
  }
  if (isInactive(reward)) {
    checks.push({ id: "reward", state: "no", words: "This reward is no longer available." })
  }
  const pieces = Number.isSafeInteger(quantity) && quantity > 0 ? quantity : 1
  checks.push(pointsCheck(balance, costOf(reward, pieces)))
  const stock = stockCheck(reward.stock, pieces)
  return stock === undefined ? checks : [...checks, stock]
}

/** Points for so many pieces; undefined when the reward does not say what it costs. */
export function costOf({ points_cost }: Pick<Reward, "points_cost">, pieces: number): number | undefined {
  return typeof points_cost === "number" ? points_cost * pieces : undefined
}

function pointsCheck(balance: number | undefined, cost: number | undefined): RedeemCheck {
  if (balance === undefined || cost === undefined) {
    const words = balance === undefined ? "Balance unknown" : "Cost unknown"
    return { id: "points", state: "unknown", words }
  }
  if (balance < cost) {
    const short = formatPoints(cost - balance)
    return { id: "points", state: "no", words: `Not enough points: ${short} short of ${formatPoints(cost)}` }
  }
  const change = { from: formatPoints(balance), to: formatPoints(balance - cost) }
  return { id: "points", state: "ok", words: "Enough points", change }
}

function stockCheck(stock: number | null | undefined, pieces: number): RedeemCheck | undefined {
  if (stock === undefined) return undefined
  if (stock === null) return { id: "stock", state: "ok", words: "Unlimited" }
  if (stock <= 0) return { id: "stock", state: "no", words: "Out of stock" }
  if (stock < pieces) {
    return { id: "stock", state: "no", words: `Only ${formatCount(stock)} in stock` }
  }
  const change = { from: formatCount(stock), to: formatCount(stock - pieces) }
  return { id: "stock", state: "ok", words: "In stock", change }
}
