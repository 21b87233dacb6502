import { createFileRoute, stripSearchParams } from "@tanstack/react-router"
import { OrdersPage, readOrders } from "../../features/orders/orders-page.tsx"
import { ordersDefaults, ordersSearch } from "../../features/orders/search.ts"

export const Route = createFileRoute("/_app/orders")({
  validateSearch: ordersSearch,
  search: { middlewares: [stripSearchParams(ordersDefaults)] },
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => readOrders(queryClient, deps),
  codeSplitGroupings: [["loader", "component"]],
  component: OrdersPage,
})
