import type { Reward } from "../../../../contract/program/reward.ts"
import { CodeReveal } from "../../../forms/order-code.tsx"
import type { OneRow } from "../../../forms/job-outcome.tsx"
import { formatPoints } from "../../../lib/format.ts"
import { Notice } from "../../../ui/notice.tsx"
import { Outcome } from "../../../ui/side-drawer.tsx"
import { rewardName } from "../show/reward-words.ts"
import { piecesText } from "./redeem-words.ts"

interface ConfirmedRedemptionProps {
  one: OneRow
  reward: Pick<Reward, "id" | "name" | "type">
  quantity: number
  name: string
}

/** It happened: what, for whom, how that is known, and the code where there may be one. */
export function ConfirmedRedemption({ one, reward, quantity, name }: ConfirmedRedemptionProps) {
  const { balance_after, outcome, upstream_id, decision } = one.row
  return (
    <>
      <div>
        <Outcome word="Confirmed">
          {piecesText(quantity, rewardName(reward))} redeemed for {name}
        </Outcome>
        {balance_after !== null && (
          <p className="text-secondary">
            The balance is now <b className="l-num">{formatPoints(balance_after)}</b>.
          </p>
        )}
        {decision?.decision === "happened" && (
          <p className="text-secondary">{decision.by.name} said that it happened.</p>
        )}
      </div>
      {outcome !== null && (
        <Notice
          tone="warning"
          title={outcome.code === "matched_by_time" ? "Matched by time, not by reference" : "Note"}
        >
          {outcome.message}
        </Notice>
      )}
      {upstream_id !== null && reward.type?.toLowerCase() === "digital" && (
        <CodeReveal orderId={upstream_id} />
      )}
    </>
  )
}
