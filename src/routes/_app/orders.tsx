import { createFileRoute, stripSearchParams } from "@tanstack/react-router"
import { OrdersPage, readOrders } from "../../features/orders/orders-page.tsx"
import { ordersDefaults, ordersSearch } from "../../features/orders/order-search.ts"
import { defaultView } from "../../lists/list-params.ts"

export const Route = createFileRoute("/_app/orders")({
  validateSearch: ordersSearch,
  search: { middlewares: [stripSearchParams(ordersDefaults)] },
  beforeLoad: defaultView("orders"),
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => readOrders(queryClient, deps),
  component: OrdersPage,
})
