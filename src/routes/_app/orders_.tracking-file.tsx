import { createFileRoute, stripSearchParams } from "@tanstack/react-router"
import * as z from "zod/mini"
import { TrackingPage } from "../../features/orders/tracking/tracking-page.tsx"

/** What the page shows of the file: its rows, or what they change. */
const trackingSearch = z.object({
  view: z._default(z.catch(z.enum(["rows", "changes"]), "rows"), "rows"),
})

export const Route = createFileRoute("/_app/orders_/tracking-file")({
  validateSearch: trackingSearch,
  search: { middlewares: [stripSearchParams({ view: "rows" })] },
  component: TrackingPage,
})
