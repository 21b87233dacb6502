import { useState } from "react"
import { useCan } from "../../../api/session.ts"
import { MemberPicker } from "../../../forms/member-picker.tsx"
import { Notice } from "../../../ui/notice.tsx"
import { SideDrawer } from "../../../ui/side-drawer.tsx"
import { ChosenMember } from "./chosen-member.tsx"
import { ChosenReward } from "./chosen-reward.tsx"
import { RedeemForm } from "./redeem-form.tsx"
import { RedeemOutcome } from "./redeem-outcome.tsx"
import { RewardPicker } from "./reward-picker.tsx"
import type { RedeemValues } from "./redeem-model.ts"
import type { RedeemAddress } from "./redeem-search.ts"
import { redeemTitle } from "./redeem-words.ts"
import { useRedeemParts } from "./use-redeem-parts.ts"

/** Redeems a reward for a member: whom, what, the form, and the outcome in its place. */
export function RedeemDrawer({ address }: { address: RedeemAddress }) {
  const allowed = useCan("rewards.redeem")
  const [typed, setTyped] = useState<RedeemValues>()
  if (!allowed) {
    return (
      <SideDrawer title={redeemTitle} wide onClose={address.close}>
        <Notice tone="info" title="Redeeming requires the Manager role">
          You can view rewards but not redeem them. Ask an administrator to change your role.
        </Notice>
      </SideDrawer>
    )
  }
  if (address.jobId !== undefined) {
    return (
      <RedeemOutcome
        key={address.jobId}
        jobId={address.jobId}
        onCorrect={(values, memberId, rewardId) => {
          setTyped(values)
          address.go({ job: undefined, for: memberId, ...(address.rewardFixed ? {} : { reward: rewardId }) })
        }}
        onClose={address.close}
      />
    )
  }
  return <RedeemSteps address={address} typed={typed} />
}

interface RedeemStepsProps {
  address: RedeemAddress
  typed: RedeemValues | undefined
}

function RedeemSteps({ address, typed }: RedeemStepsProps) {
  const { memberId, rewardId, go, close } = address
  const parts = useRedeemParts(memberId, rewardId)
  if (parts.member !== undefined && parts.reward !== undefined) {
    return (
      <RedeemForm
        key={`${parts.member.id} ${parts.reward.id}`}
        address={address}
        member={parts.member}
        reward={parts.reward}
        balance={parts.balance}
        balanceError={parts.balanceError}
        typed={typed}
      />
    )
  }
  return (
    <SideDrawer title={redeemTitle} wide onClose={close}>
      {memberId === undefined ? (
        <MemberPicker label="Member" onPick={({ id }) => go({ for: id })} />
      ) : (
        <ChosenMember
          id={memberId}
          member={parts.member}
          balance={parts.balance}
          error={parts.memberError}
          onChange={() => go({ for: undefined })}
        />
      )}
      {rewardId === undefined ? (
        memberId !== undefined && (
          <RewardPicker balance={parts.balance} onPick={({ id }) => go({ reward: id })} />
        )
      ) : (
        <ChosenReward
          id={rewardId}
          reward={parts.reward}
          error={parts.rewardError}
          onChange={address.rewardFixed ? undefined : () => go({ reward: undefined })}
        />
      )}
    </SideDrawer>
  )
}
