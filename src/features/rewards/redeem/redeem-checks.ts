import type { Member } from "../../../../contract/program/member.ts"
import type { Reward } from "../../../../contract/program/reward.ts"
import { formatCount, formatPoints } from "../../../lib/format.ts"
import { isInactive } from "../show/reward-words.ts"

/**
 * One thing a redemption depends on. `no` is documented to be refused, so it is not sent; `warning` and `unknown` are left
 * to the service.
 */
export interface RedeemCheck {
  readonly id: "member" | "reward" | "points" | "stock"
  readonly state: "ok" | "no" | "warning" | "unknown"
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
 * What a redemption depends on, as far as it can be told before the service is asked. Only too few points are documented as
 * refused (docs/api/program.md, Rewards, rule 1); status and stock are warnings, and the service decides.
 */
export function redeemChecks({ member, reward, balance, quantity }: Checked): RedeemCheck[] {
  const checks: RedeemCheck[] = []
  if (isInactive(member) || isPending(member)) {
    const words = `This member is ${isPending(member) ? "pending" : "inactive"}. The service may refuse it.`
    checks.push({ id: "member", state: "warning", words })
  }
  if (isInactive(reward)) {
    checks.push({
      id: "reward",
      state: "warning",
      words: "This reward is inactive. The service may refuse it.",
    })
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
  if (stock <= 0) return { id: "stock", state: "warning", words: "Out of stock. The service may refuse it." }
  if (stock < pieces) {
    return {
      id: "stock",
      state: "warning",
      words: `Only ${formatCount(stock)} in stock. The service may refuse it.`,
    }
  }
  const change = { from: formatCount(stock), to: formatCount(stock - pieces) }
  return { id: "stock", state: "ok", words: "In stock", change }
}

function isPending({ status }: Pick<Member, "status">): boolean {
  return status?.toLowerCase() === "pending"
}
