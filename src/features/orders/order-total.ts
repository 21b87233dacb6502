import { useQueryClient } from "@tanstack/react-query"
import { useMemo } from "react"
import { type Order, orderListQuery } from "../../../contract/program/order.ts"
import { dayAt } from "../../../contract/zoned-days.ts"
import { ordersPagesKey, type ToShipProgress } from "../../api/orders.ts"
import type { ApiResponse } from "../../api/request.ts"
import { useSession } from "../../api/session.ts"
import { formatCount } from "../../lib/format.ts"
import { millis } from "../../lib/time.ts"
import { daysOf, filterOf, type OrdersSearch } from "./search.ts"

/** How many orders there are, as far as pages that were read tell; `exact` once a page with fewer rows than asked was. */
export interface KnownTotal {
  readonly count: number
  readonly exact: boolean
}

/**
 * How many orders there are to ship, and how far reading them is: "400 to ship, oldest first, loading 200 of 400".
 * `count` is how many are shown.
 */
export function toShipText(
  count: number,
  { complete, progress }: { readonly complete: boolean; readonly progress: ToShipProgress | undefined },
): string {
  const shown = `${formatCount(count)}${complete || progress !== undefined ? "" : "+"} to ship`
  if (progress === undefined) return `${shown}, ${complete ? "oldest first" : "oldest of those loaded first"}`
  const { read, of } = progress
  return of === undefined
    ? `${shown} so far, loading more`
    : `${shown}, oldest first, loading ${formatCount(read)} of ${formatCount(of)}`
}

export function countText(total: KnownTotal | undefined): string | undefined {
  return total && `${formatCount(total.count)}${total.exact ? "" : "+"}`
}

/** How many orders a filter matches, as far as cached pages tell; another function when one was read (`readAt`). */
export function useKnownTotals(readAt: number | undefined) {
  const client = useQueryClient()
  const timeZone = useSession().program.time_zone
  return useMemo(() => {
    const cached = readAt === undefined ? [] : client.getQueriesData<ApiResponse<Order[]>>(ofPages)
    const read = cached.flatMap(([key, response]) => {
      const query = orderListQuery.safeParse(key.at(-1)).data
      if (query === undefined || response === undefined) return []
      // Both are made in the order of the schema.
      const { page = 1, per_page: perPage = 25, ...rest } = query
      return [{ page, perPage, filter: JSON.stringify(rest), orders: response.data }]
    })
    return (search: OrdersSearch): KnownTotal | undefined => {
      const { from, to } = daysOf(search)
      const asked = JSON.stringify(filterOf(search))
      const pages = read
        .filter(({ filter }) => filter === asked)
        .map(({ page, perPage, orders }): ReadPage => {
          const kept = withinDays(orders, search, timeZone).length
          return { page, perPage, rows: orders.length, kept }
        })
      return knownTotal(pages, from !== undefined || to !== undefined)
    }
  }, [client, timeZone, readAt])
}

const ofPages = { queryKey: ordersPagesKey }

/** Orders made within the days, in the program's time zone. An order that says no time stays: it may be one of them. */
export function withinDays(
  orders: readonly Order[],
  search: Pick<OrdersSearch, "from" | "to">,
  timeZone: string,
): readonly Order[] {
  const { from = "", to = "9999" } = daysOf(search)
  if (from === "" && to === "9999") return orders
  return orders.filter(({ created_at }) => {
    const at = created_at ? millis(created_at) : Number.NaN
    if (Number.isNaN(at)) return true
    const day = dayAt(at, timeZone)
    return day >= from && day <= to
  })
}

/** A page of the list that was read: how many rows the service sent, and how many of them match (`kept`). */
export type ReadPage = Readonly<Record<"page" | "perPage" | "rows" | "kept", number>>

/**
 * How many orders a filter matches. The service never says it: a full page only says that there are so many, a short
 * one that it was the last. Where rows are `filtered` again here, pages that were not read cannot be counted by their place.
 */
export function knownTotal(pages: readonly ReadPage[], filtered: boolean): KnownTotal | undefined {
  if (pages.length === 0) return undefined
  if (!filtered) {
    const endOf = ({ page, perPage, rows }: ReadPage) => (page - 1) * perPage + rows
    const count = Math.max(0, ...pages.filter(({ rows }) => rows > 0).map(endOf))
    return { count, exact: pages.some((each) => each.rows < each.perPage && endOf(each) <= count) }
  }
  // Pages of one size, from the first one on; a short one ends them.
  const totals = [...Map.groupBy(pages, ({ perPage }) => perPage).values()].map((same) => {
    const last = Math.max(...same.map(({ page }) => page))
    const ends = same.some(({ page, rows, perPage }) => page === last && rows < perPage)
    const count = same.reduce((sum, { kept }) => sum + kept, 0)
    return { count, exact: same.length === last && ends }
  })
  return totals.toSorted((one, other) => +other.exact - +one.exact || other.count - one.count)[0]
}
