import { useQuery } from "@tanstack/react-query"
import { memberQuery } from "../../../api/members.ts"
import { balanceQuery } from "../../../api/points.ts"
import { rewardQuery } from "../../../api/rewards.ts"

/** Asked at the service itself when the drawer opens, and not again under somebody's hands. */
const once = { staleTime: 0, refetchOnWindowFocus: false } as const

/**
 * The member and the reward of the address. Balance and stock decide whether it can be done, so both are read past
 * every cache; until then what is known of the reward is shown.
 */
export function useRedeemParts(memberId: string | undefined, rewardId: string | undefined) {
  const member = useQuery({ ...memberQuery(memberId ?? "none"), enabled: memberId !== undefined })
  const reward = useQuery({
    ...rewardQuery(rewardId ?? "none", { fresh: true }),
    ...once,
    enabled: rewardId !== undefined,
  })
  const balance = useQuery({
    ...balanceQuery(memberId ?? "none", { fresh: true }),
    ...once,
    enabled: memberId !== undefined,
  })
  return {
    member: memberId === undefined ? undefined : member.data?.data,
    memberError: member.error,
    reward: rewardId === undefined ? undefined : reward.data?.data,
    rewardError: reward.error,
    /** Points available; undefined while they are being read or could not be. */
    balance: memberId === undefined ? undefined : (balance.data?.data.balance ?? undefined),
    balanceError: balance.error,
  }
}
