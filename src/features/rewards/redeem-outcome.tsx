import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { redeemBody } from "../../../contract/program/reward.ts"
import { memberQuery } from "../../api/members.ts"
import { orderQuery } from "../../api/orders.ts"
import { rereadPoints } from "../../api/points.ts"
import { rereadRewards, rewardQuery } from "../../api/rewards.ts"
import { JobOutcome, useJobOutcome } from "../../forms/job-outcome.tsx"
import { CodeReveal } from "../../forms/reveal.tsx"
import { formatPoints } from "../../lib/format.ts"
import { fullName } from "../../lib/names.ts"
import { Notice } from "../../ui/notice.tsx"
import { Status } from "../../ui/status.tsx"
import { piecesText, redeemLabels, valuesOf, type RedeemValues } from "./redeem-model.ts"
import { rewardName } from "./reward-view.tsx"

/** How a redemption stands, with its order and, for a digital reward, its code. */
export function RedeemOutcome(props: {
  jobId: string
  onCorrect: (values: RedeemValues, memberId: string, rewardId: string) => void
  onClose: () => void
}) {
  const { jobId, onCorrect, onClose } = props
  const queryClient = useQueryClient()
  const outcome = useJobOutcome(
    jobId,
    ({ row }) => redeemBody.safeParse(row.input).data,
    ({ member_id, reward_id }) => {
      rereadPoints(queryClient, [member_id])
      rereadRewards(queryClient, reward_id)
    },
  )
  const { sent, one } = outcome
  const member = useQuery({ ...memberQuery(sent?.member_id ?? "none"), enabled: sent !== undefined })
  const reward = useQuery({ ...rewardQuery(sent?.reward_id ?? "none"), enabled: sent !== undefined })
  const orderId = one?.status === "confirmed" ? one.row.upstream_id : null
  const order = useQuery({ ...orderQuery(orderId ?? "none"), enabled: orderId !== null })
  return (
    <JobOutcome kind="redeem" wide outcome={outcome} onClose={onClose}>
      {(input, { row }) => {
        const known = reward.data?.data ?? { id: input.reward_id }
        const quantity = input.quantity ?? 1
        const name =
          member.data === undefined ? (row.member?.label ?? input.member_id) : fullName(member.data.data)
        const spent = order.data?.data.points_spent
        const status = order.data?.data.status
        return {
          doing: redeemLabels(known, quantity, name).running,
          done: `${piecesText(quantity, rewardName(known))} redeemed for ${name}`,
          remarks: (
            <>
              {row.outcome !== null && (
                <Notice
                  tone="warning"
                  title={
                    row.outcome.code === "matched_by_time" ? "Matched by time, not by reference" : "Note"
                  }
                >
                  {row.outcome.message}
                </Notice>
              )}
              {orderId !== null && reward.data?.data.type?.toLowerCase() === "digital" && (
                <CodeReveal orderId={orderId} />
              )}
            </>
          ),
          facts: [
            {
              label: "Order",
              value: orderId !== null && (
                <Link to="/orders/$orderId" params={{ orderId }} className="l-link l-mono">
                  {orderId}
                </Link>
              ),
            },
            {
              label: "Points spent",
              value:
                typeof spent === "number" ? (
                  <span className="l-num">{formatPoints(spent)}</span>
                ) : (
                  order.error !== null && "not loaded"
                ),
            },
            { label: "Status", value: status && <Status of="order" value={status} /> },
          ],
          onCorrect: () => onCorrect(valuesOf(input), input.member_id, input.reward_id),
        }
      }}
    </JobOutcome>
  )
}
