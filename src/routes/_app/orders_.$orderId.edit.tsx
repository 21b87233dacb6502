import { createFileRoute } from "@tanstack/react-router"
import { EditOrder } from "../../features/orders/order-edit.tsx"
import { editSearch } from "../../features/orders/order-search.ts"

export const Route = createFileRoute("/_app/orders_/$orderId/edit")({
  validateSearch: editSearch,
  component: EditOrder,
})
