import { orderCode, type OrderCode } from "../../contract/desk/order-reveal.ts"
import { apiPath } from "./path.ts"
import { request } from "./request.ts"

/**
 * Reveals the code of a digital order, for the screen that asked: the answer is never kept, by no cache either. The
 * reason and the reveal are in the audit log before the service is asked (docs/security.md).
 */
export async function revealOrderCode(orderId: string, reason: string): Promise<OrderCode> {
  const answer = await request({
    method: "POST",
    path: apiPath("orders", orderId, "reveal"),
    body: { reason },
    schema: orderCode,
  })
  return answer.data
}
