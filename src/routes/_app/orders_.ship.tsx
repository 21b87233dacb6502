import { createFileRoute } from "@tanstack/react-router"
import { ordersToShipQuery } from "../../api/orders.ts"
import { ShipPage } from "../../features/orders/ship/ship-page.tsx"

export const Route = createFileRoute("/_app/orders_/ship")({
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(ordersToShipQuery())
  },
  component: ShipPage,
})
