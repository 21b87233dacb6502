import type { Order } from "../../../../contract/program/order.ts"
import { millis } from "../../../lib/time.ts"
import { dayAt } from "../../../../contract/zoned-days.ts"
import { daysOf, type OrdersSearch } from "../search.ts"

/**
 * Orders made within the days asked for, in the program's time zone. An order that says no time stays: it may be one of
 * them.
 */
export function withinDays(
  orders: readonly Order[],
  search: Pick<OrdersSearch, "from" | "to">,
  timeZone: string,
): readonly Order[] {
  const { from, to } = daysOf(search)
  if (from === undefined && to === undefined) return orders
  return orders.filter(({ created_at }) => {
    const at = created_at ? millis(created_at) : Number.NaN
    if (Number.isNaN(at)) return true
    const day = dayAt(at, timeZone)
    return (from === undefined || day >= from) && (to === undefined || day <= to)
  })
}
