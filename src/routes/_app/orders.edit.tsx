import { createFileRoute } from "@tanstack/react-router"
import { EditOrder } from "../../features/orders/order-edit.tsx"
import { listEditSearch } from "../../features/orders/order-search.ts"

export const Route = createFileRoute("/_app/orders/edit")({
  validateSearch: listEditSearch,
  component: EditOrder,
})
