import { duplicates } from "../check/duplicates.ts"
import { numbersOfOrders } from "../check/numbers-of-orders.ts"
import { carrier, orderId, orderStatus, trackingNumber } from "./order-fields.ts"
import { sameText } from "./member-of-row.ts"
import type { Recipe, RowValues } from "./recipe.ts"

/** One change of an order: two rows with the same one are one change written twice. */
function normal(values: RowValues): string {
  return JSON.stringify([
    values["order_id"],
    values["tracking_number"],
    sameText(values["carrier"]),
    values["status"],
  ])
}

/** Tracking numbers of orders (contract/desk/order-update-row.ts, `orderUpdateRow`). */
export const orderUpdate: Recipe = {
  name: "order-update",
  fields: [orderId, trackingNumber, carrier, orderStatus],
  rules: [duplicates({ same: normal, fields: ["order_id"], severity: "check" }), numbersOfOrders(normal)],
  who: (values) => String(values["order_id"]),
  build: (values) => values,
  normal,
}
