import { plainNumber } from "../../contract/orders.ts"
import { timeOf } from "../../contract/program/common.ts"
import { type Order, shipmentOf } from "../../contract/program/order.ts"
import { redact } from "../../contract/redaction.ts"
import { fold } from "./member-columns.ts"

const copiedFulfilment = ["type", "tracking_number", "carrier", "delivered_at"] as const

/** What of an order may be kept. Other fields may be a code, an address or the like. */
export function copiedOrder(order: Order): Order {
  const { fulfillment, new_balance: _balance, ...rest } = redact("order", "viewer", order)
  if (fulfillment === undefined || fulfillment === null) return rest
  const copied = copiedFulfilment.flatMap((name) =>
    fulfillment[name] === undefined ? [] : [[name, fulfillment[name]]],
  )
  return { ...rest, fulfillment: Object.fromEntries(copied) }
}

/** What is known of an order from a row of a list and from its own record. */
export function mergedOrder(older: Order, younger: Order): Order {
  const fulfillment = { ...older.fulfillment, ...younger.fulfillment }
  const shipment = shipmentOf(younger)
  const { tracking_number = "", carrier = "" } = shipment
  const nested = (older.fulfillment ?? younger.fulfillment) && {
    fulfillment: { ...fulfillment, tracking_number, carrier },
  }
  return { ...older, ...younger, tracking_number, carrier, ...nested }
}

/** What lists search, filter and sort by; times are ms since 1970. */
export function orderColumns(order: Order) {
  const { tracking_number = "", carrier = "" } = shipmentOf(order)
  const { order_id, member_id, points_spent } = order
  const reward = order.reward_name || order.reward_id || ""
  const texts = [order_id, member_id ?? "", reward, tracking_number, plainNumber(tracking_number), carrier]
  return {
    id: order_id,
    id_key: fold(order_id),
    member_id: member_id ?? "",
    reward_id: order.reward_id ?? "",
    reward_name: order.reward_name ?? "",
    reward_key: fold(reward),
    type: fold(order.fulfillment?.type ?? ""),
    status: fold(order.status ?? ""),
    points_spent: typeof points_spent === "number" ? points_spent : null,
    tracking_key: fold(tracking_number),
    carrier: fold(carrier),
    created_at: timeOf(order.created_at) ?? null,
    shipped_at: timeOf(order.shipped_at) ?? null,
    s_order: fold(texts.join(" ")),
  }
}
