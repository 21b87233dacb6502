import { shipmentOf, type Order } from "../../../../contract/program/order.ts"
import type { KnownNames } from "../../../api/member-names.ts"

/** An order with what is known of it from elsewhere. */
export interface OrderRow {
  readonly order: Order
  /** Name of the member; the id until it is known, and where there is no such member. */
  readonly member: string
  /** `digital`, `physical`, or whatever it is; undefined while nobody says. */
  readonly type: string | undefined
}

/** Types of rewards by reward id: a list of orders leaves the type out. */
export type RewardTypes = ReadonlyMap<string, string>

/** An order with the member's name and its type, as far as they are known. */
export function orderRow(order: Order, known: KnownNames | undefined, types: RewardTypes): OrderRow {
  const id = order.member_id ?? ""
  return { order, member: known?.names.get(id) ?? id, type: typeOf(order, types) }
}

/** The order's own type, else its reward's. */
export function typeOf({ fulfillment, reward_id }: Order, types: RewardTypes): string | undefined {
  return fulfillment?.type ?? (reward_id ? types.get(reward_id) : undefined)
}

/** Whether it is known to be sent as a code. */
export function isDigital(type: string | undefined): boolean {
  return type?.toLowerCase() === "digital"
}

/** Whether a status waits for a parcel. */
export function isWaiting(status: string | null | undefined): boolean {
  const word = status?.toLowerCase()
  return word === "pending" || word === "processing"
}

/** Whether it waits for a parcel, as far as is known. */
export function waitsForParcel({ order, type }: Pick<OrderRow, "order" | "type">): boolean {
  return isWaiting(order.status) && !isDigital(type) && shipmentOf(order).tracking_number === undefined
}

/** What it is called: the reward, else the order itself. */
export function orderName({ reward_name, reward_id, order_id }: Order): string {
  return reward_name || reward_id || order_id
}
