import { useQueryClient } from "@tanstack/react-query"
import { useMemo } from "react"
import { type Order, orderListQuery } from "../../../contract/program/order.ts"
import { dayAt } from "../../../contract/zoned-days.ts"
import { ordersPagesKey, type ToShipProgress } from "../../api/orders.ts"
import type { ApiResponse } from "../../api/request.ts"
import { useSession } from "../../api/session.ts"
import { formatCount } from "../../lib/format.ts"
import { millis } from "../../lib/time.ts"
import { dayRange, toOrderFilter, type OrdersSearch } from "./order-search.ts"

/** Number of orders known from loaded pages; `exact` once a page was shorter than requested. */
export interface KnownTotal {
  readonly count: number
  readonly exact: boolean
}

/**
 * Number of orders to ship and loading progress: "400 to ship, oldest first, loading 200 of 400". `count` is how many
 * are shown.
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

/** Returns a function that counts a filter's orders from cached pages; a new function after each read (`readAt`). */
export function useKnownTotals(readAt: number | undefined) {
  const client = useQueryClient()
  const timeZone = useSession().program.time_zone
  return useMemo(() => {
    const cached = readAt === undefined ? [] : client.getQueriesData<ApiResponse<Order[]>>(ofPages)
    const read = cached.flatMap(([key, response]) => {
      const query = orderListQuery.safeParse(key.at(-1)).data
      if (query === undefined || response === undefined) return []
      // Both have the key order of the schema.
      const { page = 1, per_page: perPage = 25, ...rest } = query
      return [{ page, perPage, filter: JSON.stringify(rest), orders: response.data }]
    })
    return (search: OrdersSearch): KnownTotal | undefined => {
      const { from, to } = dayRange(search)
      const requested = JSON.stringify(toOrderFilter(search))
      const pages = read
        .filter(({ filter }) => filter === requested)
        .map(({ page, perPage, orders }): ReadPage => {
          const matching = withinDays(orders, search, timeZone).length
          return { page, perPage, rows: orders.length, matching }
        })
      return knownTotal(pages, from !== undefined || to !== undefined)
    }
  }, [client, timeZone, readAt])
}

const ofPages = { queryKey: ordersPagesKey }

/**
 * Orders made within the days, in the program's time zone. An order without a time is included: it may be one of
 * them.
 */
export function withinDays(
  orders: readonly Order[],
  search: Pick<OrdersSearch, "from" | "to">,
  timeZone: string,
): readonly Order[] {
  const { from = "", to = "9999" } = dayRange(search)
  if (from === "" && to === "9999") return orders
  return orders.filter(({ created_at }) => {
    const at = created_at ? millis(created_at) : Number.NaN
    if (Number.isNaN(at)) return true
    const day = dayAt(at, timeZone)
    return day >= from && day <= to
  })
}

/** A loaded page: the number of rows the service sent, and how many match (`matching`). */
export type ReadPage = Readonly<Record<"page" | "perPage" | "rows" | "matching", number>>

/**
 * How many orders a filter matches. The service sends no total: a full page gives a minimum, a short page ends the
 * list. If rows are `filtered` locally, pages that were not read cannot be counted by position.
 */
export function knownTotal(pages: readonly ReadPage[], filtered: boolean): KnownTotal | undefined {
  if (pages.length === 0) return undefined
  if (!filtered) {
    const endOf = ({ page, perPage, rows }: ReadPage) => (page - 1) * perPage + rows
    const count = Math.max(0, ...pages.filter(({ rows }) => rows > 0).map(endOf))
    return { count, exact: pages.some((each) => each.rows < each.perPage && endOf(each) <= count) }
  }
  // Pages of one size, from the first on, up to a short one.
  const totals = [...Map.groupBy(pages, ({ perPage }) => perPage).values()].map((same) => {
    const last = Math.max(...same.map(({ page }) => page))
    const ends = same.some(({ page, rows, perPage }) => page === last && rows < perPage)
    const count = same.reduce((sum, { matching }) => sum + matching, 0)
    return { count, exact: same.length === last && ends }
  })
  return totals.toSorted((one, other) => +other.exact - +one.exact || other.count - one.count)[0]
}
