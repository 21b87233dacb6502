import { createFileRoute, stripSearchParams } from "@tanstack/react-router"
import * as z from "zod/mini"
import { TrackingPage } from "../../features/orders/tracking/tracking-page.tsx"

/** Whether the page shows the file's rows or their changes. */
const trackingSearch = z.object({
  view: z._default(z.catch(z.enum(["rows", "changes"]), "rows"), "rows"),
})

export const Route = createFileRoute("/_app/orders_/tracking-file")({
  validateSearch: trackingSearch,
  search: { middlewares: [stripSearchParams({ view: "rows" })] },
  component: TrackingPage,
})
