import { createFileRoute, stripSearchParams } from "@tanstack/react-router"
import * as z from "zod/mini"
import { ChangeMembersPage } from "../../features/members/import/change-members-page.tsx"

/** Whether the page shows the file's rows or their changes. */
const changeSearch = z.object({
  view: z._default(z.catch(z.enum(["rows", "changes"]), "rows"), "rows"),
})

export const Route = createFileRoute("/_app/members_/change")({
  validateSearch: changeSearch,
  search: { middlewares: [stripSearchParams({ view: "rows" })] },
  component: ChangeMembersPage,
})
