import type { CreateJobBody } from "../../../../contract/job.ts"
import { shipmentOf, type Order, type orderStatuses } from "../../../../contract/program/order.ts"
import { formatCount } from "../../../lib/format.ts"
import { statusWord } from "../../../ui/status.tsx"

/** A status an order can be given. */
export type OrderStatus = (typeof orderStatuses)[number]

/** What a change of a selection's status does. */
export interface StatusChange {
  /** Orders that have another status now: only they are sent. */
  readonly sent: readonly Order[]
  /** Orders that have it already. */
  readonly already: number
  /** Two requests each: the order is read right before it is changed. */
  readonly requests: number
}

/** Which of the orders a change concerns. */
export function statusChange(orders: readonly Order[], to: OrderStatus): StatusChange {
  const sent = orders.filter(({ status }) => status?.toLowerCase() !== to)
  return { sent, already: orders.length - sent.length, requests: sent.length * 2 }
}

/** The job that makes the change. Each row says what the person saw, so nothing is overwritten unseen. */
export function statusJob({ sent }: StatusChange, to: OrderStatus): CreateJobBody {
  const rows = sent.map((order) => {
    const { tracking_number = null, carrier = null } = shipmentOf(order)
    return {
      order_id: order.order_id,
      status: to,
      expected: { status: order.status ?? null, tracking_number, carrier },
    }
  })
  return { kind: "order-update", rows, options: { title: `${ordersText(rows.length)} to ${wordOf(to)}` } }
}

/** "1 order", "12 orders". */
export function ordersText(count: number): string {
  return count === 1 ? "1 order" : `${formatCount(count)} orders`
}

/** What the selection's statuses are now: "3 Pending, 1 Processing". */
export function statusesNow(orders: readonly Order[]): string {
  const counts = new Map<string, number>()
  for (const { status } of orders) {
    const word = status ? wordOf(status) : "without a status"
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return [...counts].map(([word, count]) => `${formatCount(count)} ${word}`).join(", ")
}

function wordOf(status: string): string {
  return statusWord("order", status).word
}
