import { isRounded } from "../../../../../contract/job-rows.ts"
import { guardOrder } from "../guards.ts"
import type { KnownOrder } from "../known-order.ts"
import type { FlowPorts } from "./flow-ports.ts"
import type { OrderQuestion, Refusal } from "./flow-state.ts"

/** What came of an order's id. */
export type OrderRead =
  | { readonly type: "go"; readonly order: KnownOrder }
  | { readonly type: "ask"; readonly order: KnownOrder; readonly why: OrderQuestion }
  | { readonly type: "refused"; readonly refusal: Refusal }

/** Reads what was scanned as an order, from the loaded ones where it is among them. */
export async function readOrder(text: string, ports: FlowPorts, onWait: () => void): Promise<OrderRead> {
  if (isRounded(text)) {
    const message = "A spreadsheet rounded this, so its last digits are lost. Scan the order itself."
    return { type: "refused", refusal: { why: "rounded", message } }
  }
  const waiting = ports.outbox.data.get().parcels.find(({ order_id }) => sameId(order_id, text))
  if (waiting !== undefined) {
    const { order_id, tracking_number, undoes } = waiting
    return {
      type: "refused",
      refusal: {
        why: "in-outbox",
        text: order_id,
        number: tracking_number,
        undoing: undoes !== undefined,
      },
    }
  }
  const found = await findOrder(text, ports, onWait)
  return "id" in found ? judge(found) : { type: "refused", refusal: found }
}

async function findOrder(text: string, ports: FlowPorts, onWait: () => void): Promise<KnownOrder | Refusal> {
  const shipped = ports.outbox.data.get().shipped.find(({ order_id }) => sameId(order_id, text))
  const loaded = ports.loaded().find(({ id }) => sameId(id, text))
  // What was shipped from here stands in the list as it was before, until that is read again.
  if (loaded !== undefined && shipped === undefined) return loaded
  if (!ports.isOffline()) {
    onWait()
    try {
      return (await ports.find(loaded?.id ?? shipped?.order_id ?? text)) ?? { why: "no-order", text }
    } catch (error) {
      if (shipped === undefined) return { why: "no-answer", text, error }
    }
  }
  if (shipped === undefined) return { why: "not-loaded", text }
  const { order_id: id, tracking_number, carrier } = shipped
  return { id, status: "shipped", type: loaded?.type, tracking_number, carrier }
}

function judge(order: KnownOrder): OrderRead {
  const verdict = guardOrder(order)
  if (verdict.type === "blocked") return { type: "refused", refusal: { why: verdict.why, order } }
  return verdict.type === "ask" ? { type: "ask", order, why: verdict.why } : { type: "go", order }
}

/** Whether two scans are one order: a scanner with Caps Lock on writes capitals. */
export function sameId(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}
