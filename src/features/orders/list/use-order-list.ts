import { useQuery, useQueryClient } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { useMemo } from "react"
import { limits } from "../../../../contract/limits.ts"
import type { Order } from "../../../../contract/program/order.ts"
import { memberNamesQuery } from "../../../api/member-names.ts"
import { ordersToShipQuery } from "../../../api/orders.ts"
import { ordersQuery } from "../../../api/orders.ts"
import { useSession } from "../../../api/session.ts"
import { useLate } from "../../../lists/list-columns.ts"
import { isDigital, orderRow, useRewardTypes } from "../order-row.tsx"
import { type OrderFilterChange, type OrdersSearch, pageQueryOf } from "../search.ts"
import { useKnownTotal } from "./use-known-total.ts"
import { withinDays } from "./within-days.ts"

const route = getRouteApi("/_desk/orders")
const nothing: readonly Order[] = []

/** What the list shows and how it got there. All of its state but the answers is in the address. */
export function useOrderList() {
  const client = useQueryClient()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const timeZone = useSession().program.time_zone
  const toShip = search.status === "to-ship"
  const query = pageQueryOf(search)
  const page = useQuery({ ...ordersQuery(query), enabled: !toShip })
  // Costs two requests: read where it is looked at, and counted elsewhere where somebody did.
  const queue = useQuery({ ...ordersToShipQuery, enabled: toShip })
  const shown = toShip ? queue : page
  const late = useLate(shown.isPending)
  const waiting = shown.isPending || shown.isPlaceholderData

  const read = (toShip ? queue.data?.orders : page.data?.data) ?? nothing
  const { types } = useRewardTypes(read)
  const names = useQuery(memberNamesQuery(membersOf(read, search.member))).data
  const rows = useMemo(() => {
    const kept = withinDays(read, search, timeZone).filter(
      ({ member_id }) => !toShip || search.member === undefined || member_id === search.member,
    )
    const all = kept.map((order) => orderRow(order, names, types))
    return toShip ? all.filter(({ type }) => !isDigital(type)) : all
  }, [read, search, timeZone, toShip, names, types])
  const total = useKnownTotal(search, page.dataUpdatedAt)
  return {
    search,
    toShip,
    queue: queue.data,
    names,
    rows,
    /** Rows the service sent for this page; undefined before they are read. */
    read: shown.data === undefined ? undefined : read.length,
    at: toShip ? queue.data?.at : page.data?.at,
    stale: !toShip && page.data?.stale === true,
    error: shown.error,
    fetching: shown.isFetching,
    retry: () => void shown.refetch(),
    total: toShip ? undefined : total,
    /** Every match is here, so they can be sorted. */
    complete:
      !waiting &&
      (toShip ? queue.data?.complete === true : search.page === 1 && read.length < search.per_page),
    waiting: late ? "late" : waiting ? "yes" : "no",
    setFilter: (change: OrderFilterChange) =>
      void navigate({ search: (before) => ({ ...before, ...change, page: 1, sort: undefined }) }),
    set: (change: Partial<Pick<OrdersSearch, "page" | "per_page" | "sort" | "open">>) =>
      void navigate({ search: (before) => ({ ...before, ...change }) }),
    refresh: () => {
      if (toShip) void queue.refetch()
      else void client.prefetchQuery({ ...ordersQuery(query, { fresh: true }), staleTime: 0 })
    },
  } as const
}

/** Whose names are shown: at most 100 are asked for at once. */
function membersOf(orders: readonly Order[], chosen: string | undefined): string[] {
  const ids = new Set(chosen === undefined ? [] : [chosen])
  for (const { member_id } of orders) if (member_id && ids.size < limits.perPage.max) ids.add(member_id)
  return [...ids]
}

/** The list, as its hook gives it. */
export type OrderList = ReturnType<typeof useOrderList>
