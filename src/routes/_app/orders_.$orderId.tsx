import { createFileRoute } from "@tanstack/react-router"
import { orderQuery } from "../../api/orders.ts"
import { OrderPage } from "../../features/orders/order-page.tsx"

export const Route = createFileRoute("/_app/orders_/$orderId")({
  loader: ({ context: { queryClient }, params }) => {
    // Begun here, awaited by nobody: the page shows what it has at once.
    void queryClient.prefetchQuery(orderQuery(params.orderId))
  },
  codeSplitGroupings: [["loader", "component"]],
  component: OrderPage,
})
