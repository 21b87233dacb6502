import * as z from "zod/mini"
import { limits } from "../../../contract/limits.ts"
import type { OrderListQuery, orderStatuses } from "../../../contract/program/order.ts"
import { addDays } from "../../../contract/zoned-days.ts"
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
    /** These three filter the loaded rows: the service has no such parameters. */
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

/**
 * The filter sent to the service. It documents neither the zone of `from` and `to` nor whether they are inclusive, so
 * a day is added at both ends and the response is filtered again (docs/open-points.md).
 */
export function toOrderFilter(search: OrdersSearch): Omit<OrderListQuery, "page" | "per_page"> {
  const { from, to } = dayRange(search)
  return defined({
    status: search.status === "to-ship" ? undefined : search.status,
    member_id: search.member,
    from: from && addDays(from, -1),
    to: to && addDays(to, 1),
  })
}

/** The request for one page of the list (docs/api/program.md, Orders). */
export function toPageQuery(search: OrdersSearch): OrderListQuery {
  return { ...toOrderFilter(search), page: search.page, per_page: search.per_page }
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
