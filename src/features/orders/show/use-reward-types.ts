import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useMemo } from "react"
import { limits } from "../../../../contract/limits.ts"
import type { Order } from "../../../../contract/program/order.ts"
import { rewardsInCache, rewardsQuery } from "../../../api/rewards.ts"
import type { RewardTypes } from "./order-row.ts"

const none: RewardTypes = new Map()

/**
 * Types of the rewards of orders that do not say their own. The catalogue's first page is read for them, one request
 * that the server keeps for minutes; it is not read where this browser knows them all.
 */
export function useRewardTypes(orders: readonly Order[]): RewardTypes {
  const client = useQueryClient()
  const wanted = orders.flatMap(({ fulfillment, reward_id }) =>
    fulfillment?.type || !reward_id ? [] : [reward_id],
  )
  const { data } = useQuery({
    ...rewardsQuery({ page: 1, per_page: limits.perPage.max }),
    enabled: wanted.length > 0,
  })
  return useMemo(() => {
    const pages = data === undefined ? rewardsInCache(client) : [...rewardsInCache(client), ...data.data]
    const known = pages.flatMap(({ id, type }) => (type ? [[id, type] as const] : []))
    return known.length === 0 ? none : new Map(known)
  }, [client, data])
}
