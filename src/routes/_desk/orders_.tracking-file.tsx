import { createFileRoute, stripSearchParams } from "@tanstack/react-router"
import { TrackingPage } from "../../features/orders/tracking/tracking-page.tsx"
import { trackingSearch } from "../../features/orders/tracking/tracking-search.ts"

export const Route = createFileRoute("/_desk/orders_/tracking-file")({
  validateSearch: trackingSearch,
  search: { middlewares: [stripSearchParams({ view: "rows" })] },
  component: TrackingPage,
})
