import { rangeWords } from "../../../lib/days.ts"
import { formatCount } from "../../../lib/format.ts"
import { daysOf } from "../search.ts"
import type { KnownTotal } from "./order-total.ts"
import type { OrderList } from "./use-order-list.ts"

/** How many there are, as far as is known: "200+ since 1 Nov 2026", "14 to ship, oldest first". */
export function sumWords({ search, toShip, queue, rows, total }: OrderList): string | undefined {
  if (toShip) {
    if (queue === undefined) return undefined
    return `${formatCount(rows.length)}${queue.complete ? "" : "+"} to ship, oldest first`
  }
  const count = countWords(total)
  if (count === undefined) return undefined
  const days = rangeWords(daysOf(search))
  if (days === undefined)
    return search.member === undefined && search.status === undefined ? count : `${count} match`
  return `${count} ${days.charAt(0).toLowerCase()}${days.slice(1)}`
}

/** "203", or "200+" where nobody knows whether there are more. */
export function countWords(total: KnownTotal | undefined): string | undefined {
  return total === undefined ? undefined : `${formatCount(total.count)}${total.exact ? "" : "+"}`
}

/** "1 order", "203 orders", "200+ orders". */
export function countedOrders(total: KnownTotal): string {
  return `${countWords(total)} ${total.exact && total.count === 1 ? "order" : "orders"}`
}
