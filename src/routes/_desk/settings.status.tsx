import { createFileRoute, stripSearchParams } from "@tanstack/react-router"
import { apis } from "../../../contract/desk/status.ts"
import { StatusPage } from "../../features/settings/status/status-page.tsx"
import { z } from "../../lib/z.ts"

export const Route = createFileRoute("/_desk/settings/status")({
  validateSearch: z.object({ api: z.catch(z._default(z.enum(apis), "program"), "program") }),
  search: { middlewares: [stripSearchParams({ api: "program" })] },
  component: StatusPage,
})
