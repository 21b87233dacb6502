import { limits } from "../../../contract/limits.ts"
import { orderListReader, type Order } from "../../../contract/program/order.ts"
import { planById } from "../../gateway/upstream-read.ts"
import type { JobContext } from "../job-context.ts"
import { readNow, type JobRequester } from "../job-reads.ts"

/** More pages than this are no orders of one member. */
const mostPages = 200

/** Every order of a member: pages are read until a short one, because the service gives no total. */
export async function memberOrders(
  context: JobContext,
  asker: JobRequester,
  member_id: string,
): Promise<Order[]> {
  const found = new Map<string, Order>()
  for (let page = 1; page <= mostPages; page += 1) {
    const plan = planById("GET /orders", {}, { member_id, page, per_page: limits.perPage.max })
    const rows = orderListReader.tolerant.parse((await readNow(context, asker, plan)).data)
    for (const row of rows) found.set(row.order_id, row)
    if (rows.length < limits.perPage.max) break
  }
  return [...found.values()]
}
