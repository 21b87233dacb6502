import { orderReader } from "../../../contract/program/order.ts"
import { planById } from "../../gateway/upstream-read.ts"
import { unreadable } from "../../gateway/outcome.ts"
import type { JobContext } from "../job-context.ts"
import { readNow, type JobRequester } from "../job-reads.ts"
import { fieldsOf, type OrderFields } from "./order-fields.ts"

/**
 * The fields of an order as they are now.
 * @throws DeskFailure, also when the answer is another order
 */
export async function readOrderFields(
  context: JobContext,
  asker: JobRequester,
  order_id: string,
): Promise<OrderFields> {
  const { data } = await readNow(context, asker, planById("GET /orders/{order_id}", { order_id }))
  const order = orderReader.tolerant.parse(data)
  if (order.order_id !== order_id) throw unreadable("program", 200, "a different order than requested")
  return fieldsOf(order)
}
