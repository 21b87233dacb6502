import { createFileRoute, stripSearchParams } from "@tanstack/react-router"
import { ordersQuery, ordersToShipQuery } from "../../api/orders.ts"
import { OrdersPage } from "../../features/orders/orders-page.tsx"
import { ordersDefaults, ordersSearch, pageQueryOf } from "../../features/orders/search.ts"

export const Route = createFileRoute("/_app/orders")({
  validateSearch: ordersSearch,
  search: { middlewares: [stripSearchParams(ordersDefaults)] },
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => {
    if (deps.status === "to-ship") void queryClient.prefetchQuery(ordersToShipQuery())
    else void queryClient.prefetchQuery(ordersQuery(pageQueryOf(deps)))
  },
  codeSplitGroupings: [["loader", "component"]],
  component: OrdersPage,
})
