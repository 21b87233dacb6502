import { useQuery } from "@tanstack/react-query"
import { limits } from "../../../../contract/limits.ts"
import type { Order } from "../../../../contract/program/order.ts"
import { rewardsQuery } from "../../../api/rewards.ts"
import type { RewardTypes } from "./order-row.ts"
import { useRewardTypes } from "./use-reward-types.ts"

/** Types of rewards, and whether they are still on their way: until then a digital order may look like a parcel. */
export function useKnownTypes(orders: readonly Order[]): { types: RewardTypes; reading: boolean } {
  const types = useRewardTypes(orders)
  // It reads nothing by itself: it follows what is read above.
  const { data, isFetching } = useQuery({
    ...rewardsQuery({ page: 1, per_page: limits.perPage.max }),
    enabled: false,
  })
  return { types, reading: isFetching && data === undefined }
}
