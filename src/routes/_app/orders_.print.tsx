import { createFileRoute, stripSearchParams } from "@tanstack/react-router"
import { PrintPage } from "../../features/orders/print-page.tsx"
import { printSearch } from "../../features/orders/order-search.ts"

export const Route = createFileRoute("/_app/orders_/print")({
  validateSearch: printSearch,
  search: { middlewares: [stripSearchParams({ what: "slips" })] },
  component: PrintPage,
})
