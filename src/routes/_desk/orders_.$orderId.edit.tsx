import { createFileRoute } from "@tanstack/react-router"
import { EditAbovePage } from "../../features/orders/edit/edit-above-page.tsx"
import { editSearch } from "../../features/orders/search.ts"

export const Route = createFileRoute("/_desk/orders_/$orderId/edit")({
  validateSearch: editSearch,
  component: EditAbovePage,
})
