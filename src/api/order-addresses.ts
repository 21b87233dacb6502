import { queryOptions } from "@tanstack/react-query"
import { orderAddress, type OrderAddress } from "../../contract/desk/order-address.ts"
import { z } from "../lib/z.ts"
import { registerTopic } from "./events.ts"
import { apiPath } from "./path.ts"
import { request } from "./request.ts"

const addressKey = ["order-address"] as const

registerTopic("orders", addressKey)

/** Where one order goes and how many pieces it is, as captured at this desk; `orders.address` only. */
export function orderAddressQuery(id: string) {
  return queryOptions({
    queryKey: [...addressKey, id],
    queryFn: async ({ signal }): Promise<OrderAddress> =>
      (await request({ path: apiPath("orders", id, "address"), schema: orderAddress, signal })).data,
    gcTime: 60_000,
  })
}

/** Where up to 200 orders go, in the order asked; `orders.address` only. */
export function orderAddressesQuery(ids: readonly string[]) {
  return queryOptions({
    queryKey: [...addressKey, "many", ids],
    queryFn: async ({ signal }): Promise<OrderAddress[]> => {
      if (ids.length === 0) return []
      const path = apiPath("orders", "addresses")
      return (await request({ method: "POST", path, body: { ids }, schema: z.array(orderAddress), signal }))
        .data
    },
    gcTime: 60_000,
  })
}
