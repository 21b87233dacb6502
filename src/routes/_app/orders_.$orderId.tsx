import { createFileRoute } from "@tanstack/react-router"
import { orderQuery } from "../../api/orders.ts"
import { OrderPage } from "../../features/orders/order-page.tsx"

export const Route = createFileRoute("/_app/orders_/$orderId")({
  loader: ({ context: { queryClient }, params }) => {
    void queryClient.prefetchQuery(orderQuery(params.orderId))
  },
  component: OrderPage,
})
