import { useCan } from "../../../api/permissions.ts"
import { MemberPicker } from "../../../form/member-picker/member-picker.tsx"
import { Notice } from "../../../ui/notice.tsx"
import { SideDrawer } from "../../../ui/side-drawer.tsx"
import { ChosenMember } from "./chosen-member.tsx"
import { ChosenReward } from "./chosen-reward.tsx"
import { RedeemForm } from "./redeem-form.tsx"
import { RedeemOutcome } from "./redeem-outcome.tsx"
import { RewardPicker } from "./reward-picker.tsx"
import type { RedeemAddress } from "./redeem-search.ts"
import { useRedeemParts } from "./use-redeem-parts.ts"

/** The drawer's title in every state. */
export const redeemTitle = "Redeem for a member"

/** Redeems a reward for a member: whom, what, the form, and the outcome in its place. */
export function RedeemDrawer({ address }: { address: RedeemAddress }) {
  const allowed = useCan("rewards.redeem")
  if (!allowed) {
    return (
      <SideDrawer title={redeemTitle} wide onClose={address.close}>
        <Notice tone="info" title="Redeeming needs manager">
          Your role may look at rewards and not redeem them. An administrator can change your role.
        </Notice>
      </SideDrawer>
    )
  }
  if (address.jobId !== undefined) {
    return <RedeemOutcome key={address.jobId} jobId={address.jobId} address={address} />
  }
  return <RedeemSteps address={address} />
}

function RedeemSteps({ address }: { address: RedeemAddress }) {
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
        <ChosenReward id={rewardId} reward={parts.reward} error={parts.rewardError} />
      )}
    </SideDrawer>
  )
}
