import { useQueryClient, type QueryClient } from "@tanstack/react-query"
import { useMemo } from "react"
import { orderListQuery, type Order } from "../../../../contract/program/order.ts"
import { ordersKey } from "../../../api/orders.ts"
import { useSession } from "../../../api/session.ts"
import type { Answer } from "../../../api/request.ts"
import { knownTotal, type KnownTotal, type ReadPage } from "./order-total.ts"
import { daysOf, filterOf, type OrdersSearch } from "../search.ts"
import { withinDays } from "./within-days.ts"

/**
 * How many orders the filter matches, as far as the pages tell that this browser holds.
 * @param readAt when the page on the screen was read: it is worked out anew then
 */
export function useKnownTotal(search: OrdersSearch, readAt: number): KnownTotal | undefined {
  const client = useQueryClient()
  const timeZone = useSession().program.time_zone
  return useMemo(() => {
    if (readAt === 0) return undefined
    const { from, to } = daysOf(search)
    return knownTotal(pagesOf(client, search, timeZone), from !== undefined || to !== undefined)
  }, [client, search, timeZone, readAt])
}

function pagesOf(client: QueryClient, search: OrdersSearch, timeZone: string): ReadPage[] {
  const filter = JSON.stringify(filterOf(search))
  const held = client.getQueriesData<Answer<Order[]>>({ queryKey: [...ordersKey, "page"] })
  return held.flatMap(([key, answer]): ReadPage[] => {
    const asked = orderListQuery.safeParse(key.at(-1)).data
    if (asked === undefined || answer === undefined) return []
    // Both are made in the order of the schema.
    const { page = 1, per_page: perPage = 25, ...rest } = asked
    if (JSON.stringify(rest) !== filter) return []
    const kept = withinDays(answer.data, search, timeZone).length
    return [{ page, perPage, rows: answer.data.length, kept }]
  })
}
