import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import { redeemBody } from "../../../../contract/program/reward.ts"
import { memberQuery } from "../../../api/members.ts"
import { rereadPoints } from "../../../api/points.ts"
import { rereadRewards, rewardQuery } from "../../../api/rewards.ts"
import { StatusNotice, useOneRow, OutcomeFooter } from "../../../forms/job-outcome.tsx"
import { fullName } from "../../../lib/names.ts"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { SideDrawer } from "../../../ui/side-drawer.tsx"
import { SkeletonRows } from "../../../ui/query-state.tsx"
import { ConfirmedRedemption } from "./confirmed-redemption.tsx"
import { RedemptionFacts } from "./redemption-facts.tsx"
import { valuesOf, type RedeemValues } from "./redeem-model.ts"
import { redeemTitle, redeemWords } from "./redeem-words.ts"

interface RedeemOutcomeProps {
  jobId: string
  /** Back to the form as it was sent. */
  onCorrect: (values: RedeemValues, memberId: string, rewardId: string) => void
  onClose: () => void
}

/** How a redemption stands, in the drawer it was sent from. Whatever state it is in is named as what it is. */
export function RedeemOutcome({ jobId, onCorrect, onClose }: RedeemOutcomeProps) {
  const { one, error, refetch } = useOneRow(jobId)
  const sent = one === undefined ? undefined : redeemBody.safeParse(one.row.input).data
  const member = useQuery({ ...memberQuery(sent?.member_id ?? "none"), enabled: sent !== undefined })
  const reward = useQuery({ ...rewardQuery(sent?.reward_id ?? "none"), enabled: sent !== undefined })
  const confirmed = one?.status === "confirmed"
  useReread(confirmed ? sent?.member_id : undefined, sent?.reward_id)
  if (one === undefined || sent === undefined) {
    return (
      <SideDrawer title={redeemTitle} wide onClose={onClose}>
        {one !== undefined ? (
          <ErrorNotice
            error={new Error("This is a different kind of job.")}
            what="This link is for a job that isn’t a redemption."
          />
        ) : error === null ? (
          <SkeletonRows rows={4} columns={[120, 240]} />
        ) : (
          <ErrorNotice error={error} what="Couldn’t load the outcome." onRetry={refetch} />
        )}
      </SideDrawer>
    )
  }
  const known = reward.data?.data ?? { id: sent.reward_id }
  const quantity = sent.quantity ?? 1
  const name =
    member.data === undefined ? (one.row.member?.label ?? sent.member_id) : fullName(member.data.data)
  return (
    <SideDrawer
      title={redeemTitle}
      wide
      onClose={onClose}
      foot={
        <OutcomeFooter
          status={one.status}
          view={{ onCorrect: () => onCorrect(valuesOf(sent), sent.member_id, sent.reward_id) }}
          onClose={onClose}
        />
      }
    >
      {confirmed ? (
        <ConfirmedRedemption one={one} reward={known} quantity={quantity} name={name} />
      ) : (
        <StatusNotice kind="redeem" one={one} doing={redeemWords(known, quantity, name).running} />
      )}
      <RedemptionFacts one={one} />
    </SideDrawer>
  )
}

/** As soon as it is confirmed, whatever the page shows of the member and the reward is read again. */
function useReread(memberId: string | undefined, rewardId: string | undefined): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (memberId === undefined || rewardId === undefined) return
    rereadPoints(queryClient, [memberId])
    rereadRewards(queryClient, rewardId)
  }, [queryClient, memberId, rewardId])
}
