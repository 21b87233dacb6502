import type { Reward } from "../../../../contract/program/reward.ts"
import { formatPoints } from "../../../lib/format.ts"
import { rewardName } from "../show/reward-words.ts"
import { costOf } from "./redeem-checks.ts"

/** The drawer's title in every state. */
export const redeemTitle = "Redeem for a member"

/** "1 × Makita 18 V drill kit". */
export function piecesText(quantity: number, name: string): string {
  return `${formatPoints(quantity)} × ${name}`
}

/** Names longer than this do not fit on a button. */
const longest = 30

/**
 * The effect, as on the button and while it runs: "Redeem 1 × Drill kit for Ana Silva, 9,500 points". `short` is for a
 * phone, where the reward stands right above: "Redeem 1 for Ana Silva, 9,500 points".
 */
export function redeemWords(
  reward: Pick<Reward, "id" | "name" | "points_cost">,
  quantity: number,
  whom: string,
  short = false,
) {
  const pieces = Number.isSafeInteger(quantity) && quantity > 0 ? quantity : 1
  const points = costOf(reward, pieces)
  const name = rewardName(reward)
  const fitting = name.length > longest ? `${name.slice(0, longest - 1).trimEnd()}…` : name
  const what = `${short ? formatPoints(pieces) : piecesText(pieces, fitting)} for ${whom}`
  return {
    action: points === undefined ? `Redeem ${what}` : `Redeem ${what}, ${formatPoints(points)} points`,
    running: `Redeeming ${what}`,
  }
}
