import { createFileRoute } from "@tanstack/react-router"
import { listEditSearch } from "../../features/orders/search.ts"
import { CorrectAboveShip } from "../../features/orders/edit/correct-above-ship.tsx"

export const Route = createFileRoute("/_desk/orders_/ship/edit")({
  validateSearch: listEditSearch,
  component: CorrectAboveShip,
})
