import type { Order } from "../../../../contract/program/order.ts"
import { documentedOrder } from "../../../../contract/redaction.ts"

const documented = new Set(documentedOrder)
const documentedFulfilment = new Set(["type", "code", "tracking_number", "carrier", "delivered_at"])

/** What an order carries beside the documented fields, as it came (docs/api/program.md, Order). */
export function furtherFacts(order: Order): [string, string][] {
  return [
    ...Object.entries(order).filter(([field]) => !documented.has(field)),
    ...Object.entries(order.fulfillment ?? {}).filter(([field]) => !documentedFulfilment.has(field)),
  ].flatMap(([field, value]): [string, string][] =>
    value === null || value === undefined || value === ""
      ? []
      : [[field, typeof value === "string" ? value : JSON.stringify(value)]],
  )
}
