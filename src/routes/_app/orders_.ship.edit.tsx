import { createFileRoute } from "@tanstack/react-router"
import { listEditSearch } from "../../features/orders/order-search.ts"
import { CorrectParcel } from "../../features/orders/ship/correct-parcel.tsx"

export const Route = createFileRoute("/_app/orders_/ship/edit")({
  validateSearch: listEditSearch,
  component: CorrectParcel,
})
