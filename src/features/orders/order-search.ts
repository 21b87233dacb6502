import * as z from "zod/mini"
import { limits } from "../../../contract/limits.ts"
import type { OrderSortField } from "../../../contract/copy.ts"
import type { OrderFacetsQuery, OrderSearchQuery } from "../../../contract/orders.ts"
import type { orderStatuses } from "../../../contract/program/order.ts"
import type { DayRange } from "../../lib/time.ts"
import { choiceParam, dayParams, defined, pagingParams, textParam } from "../../lists/list-params.ts"

// Copied, not imported: the router needs this file at sign-in, and would load the contract with it.
const statuses = [
  "pending",
  "processing",
  "shipped",
  "completed",
  "cancelled",
] as const satisfies typeof orderStatuses

/** The list's search params; invalid values fall back to defaults. */
export const ordersSearch = z.lazy(() =>
  z.object({
    /** `to-ship`: pending and processing orders that wait for a parcel, oldest first. */
    status: choiceParam(["to-ship", ...statuses]),
    member: textParam(limits.shortText),
    /** These three only once the local copy is complete: the service has no such parameters. */
    search: textParam(limits.shortText),
    type: choiceParam(["physical", "digital"]),
    reward: textParam(limits.shortText),
    ...dayParams,
    ...pagingParams,
    sort: textParam(limits.shortText),
    open: choiceParam(["export"]),
  }),
)
export type OrdersSearch = z.output<typeof ordersSearch>

export const ordersDefaults = { page: 1, per_page: limits.perPage.default } as const

/** The requested days; a reversed range counts as none. */
export function dayRange({ from, to }: Pick<OrdersSearch, "from" | "to">): DayRange {
  return from !== undefined && to !== undefined && from > to ? {} : { from, to }
}

/** Columns by the field that the local copy sorts by. */
export const sortFields: ReadonlyMap<string, OrderSortField> = new Map([
  ["order", "id"],
  ["status", "status"],
  ["reward", "reward"],
  ["type", "type"],
  ["member", "member"],
  ["points", "points_spent"],
  ["tracking", "tracking_number"],
  ["waiting", "created_at"],
  ["created", "created_at"],
  ["shipped", "shipped_at"],
  ["member-id", "member_id"],
  ["reward-id", "reward_id"],
])

/** The filter of the list, without page and order. */
export function toOrderFilter(search: OrdersSearch): OrderFacetsQuery {
  const { status, member: member_id, reward: reward_id, type } = search
  return defined({ search: search.search, status, member_id, reward_id, type, ...dayRange(search) })
}

/** The request for one page of the list. */
export function toPageQuery(search: OrdersSearch): OrderSearchQuery {
  const { page, per_page } = search
  return { ...toOrderFilter(search), ...defined({ sort: sortParam(search.sort) }), page, per_page }
}

function sortParam(sort = "") {
  const [, minus = "", column = ""] = /^(-?)(.*)$/.exec(sort) ?? []
  const field = sortFields.get(column)
  // The longest waiting were created first.
  const descending = (minus === "-") !== (column === "waiting")
  return field && (`${descending ? "-" : ""}${field}` as const)
}

/** The drawer's search params on an order's page. */
export const editSearch = z.object({
  job: textParam(40),
  ship: z.catch(z.optional(z.boolean()), undefined),
})

export const listEditSearch = z.extend(editSearch, { order: textParam(200) })

/** Search params of the print page: order ids separated by commas. */
export const printSearch = z.lazy(() =>
  z.object({
    ids: textParam(limits.ordersAtOnce * (limits.shortText + 1)),
    what: z._default(z.catch(z.enum(["slips", "pick", "day"]), "slips"), "slips"),
  }),
)
/** What is printed: a slip for each order, a pick list, or what each carrier collects today. */
export type Printout = z.output<typeof printSearch>["what"]

export function parseIds(text: string | undefined): readonly string[] {
  const ids = (text ?? "").split(",").map((id) => id.trim())
  return [...new Set(ids.filter((id) => id !== ""))]
}
