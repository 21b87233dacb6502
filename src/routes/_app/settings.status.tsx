import { createFileRoute, stripSearchParams } from "@tanstack/react-router"
import type { apis } from "../../../contract/response.ts"
import { StatusPage } from "../../features/settings/status-page.tsx"
import * as z from "zod/mini"

// Not imported from the contract: the router needs this file at sign-in already, and would load the contract with it.
const services = ["program", "giftcard"] as const satisfies typeof apis

export const Route = createFileRoute("/_app/settings/status")({
  validateSearch: z.object({ api: z.catch(z._default(z.enum(services), "program"), "program") }),
  search: { middlewares: [stripSearchParams({ api: "program" })] },
  component: StatusPage,
})
