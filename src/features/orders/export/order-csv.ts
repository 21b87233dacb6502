import type { OrderAddress } from "../../../../contract/orders.ts"
import { shipmentOf } from "../../../../contract/program/order.ts"
import type { CsvCell } from "../../../lib/csv.ts"
import type { OrderRow } from "../show/order-row.ts"

/** The columns of an export of orders: the service's field names, then what this desk knows, for carrier software. */
export const orderCsvColumns = [
  "order_id",
  "status",
  "created_at",
  "shipped_at",
  "reward_id",
  "reward_name",
  "type",
  "points_spent",
  "member_id",
  "member_name",
  "tracking_number",
  "carrier",
  "quantity",
  "quantity_inferred",
  "address_name",
  "address_line1",
  "address_line2",
  "address_city",
  "address_state",
  "address_postal_code",
  "address_country",
  "address_missing_because",
] as const

const whyNone = {
  not_redeemed_here: "not redeemed with Laurel",
  none_given: "none given",
  removed: "removed after the retention period",
} as const

/** An order as cells, in the order of the columns. Without a captured address its columns are empty and say why. */
export function orderCsvCells({ order, member, type }: OrderRow, where: OrderAddress | undefined): CsvCell[] {
  const { tracking_number, carrier } = shipmentOf(order)
  const address = where?.address
  return [
    order.order_id,
    order.status,
    order.created_at,
    order.shipped_at,
    order.reward_id,
    order.reward_name,
    type,
    order.points_spent,
    order.member_id,
    // The id stands beside it already.
    member === order.member_id ? undefined : member,
    tracking_number,
    carrier,
    where?.quantity.pieces,
    where?.quantity.pieces != null && where.quantity.inferred ? "yes" : undefined,
    address?.name,
    address?.line1,
    address?.line2,
    address?.city,
    address?.state,
    address?.postal_code,
    address?.country,
    where?.why_none ? whyNone[where.why_none] : undefined,
  ]
}
