import type { OrderAddress } from "../../../../contract/orders.ts"
import type { Order } from "../../../../contract/program/order.ts"
import { isDigital, typeOf, type RewardTypes } from "../show/order-row.ts"

/** One order as it is packed. */
export interface Parcel {
  readonly order: Order
  /** Name of the member; the id until it is known. */
  readonly member: string
  /** Where it goes and how many pieces; undefined while it is not read. */
  readonly goes: OrderAddress | undefined
}

/** Why nothing is printed for an order. */
export type WhyNot = "cancelled" | "digital"

/** Why an order is not packed: it was cancelled, or it is sent as a code. Undefined when it is. */
export function whyNotPacked(order: Order, types: RewardTypes): WhyNot | undefined {
  if (/^cancell?ed$/i.test(order.status ?? "")) return "cancelled"
  return isDigital(typeOf(order, types)) ? "digital" : undefined
}

/** How many pieces, and how that is known: the service never says a quantity. */
export function piecesWords(goes: Parcel["goes"]): { readonly count: string; readonly note: string | null } {
  const { pieces = null, inferred = false } = goes?.quantity ?? {}
  if (pieces === null) return { count: "Unknown", note: "Check the order before packing." }
  return { count: String(pieces), note: inferred ? "Estimated from the points spent." : null }
}

/** Why there is no address on a slip. */
export function noAddressWords(goes: Parcel["goes"]): string {
  switch (goes?.why_none) {
    case "not_redeemed_here":
      return "It was redeemed elsewhere, and the service doesn’t share addresses."
    case "none_given":
      return "No address was given at redemption."
    case "removed":
      return "It was removed after the retention period."
    default:
      return "It couldn’t be loaded."
  }
}
