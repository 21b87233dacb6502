import { createFileRoute, stripSearchParams } from "@tanstack/react-router"
import { auditQuery } from "../../api/audit.ts"
import { sessionCan } from "../../api/session.ts"
import { AuditPage, toAuditFilter } from "../../features/activity/audit-page.tsx"
import { auditSearch, listDefaults } from "../../features/activity/activity-search.ts"
import { defaultView } from "../../lists/list-params.ts"

export const Route = createFileRoute("/_app/audit")({
  validateSearch: auditSearch,
  search: { middlewares: [stripSearchParams(listDefaults)] },
  beforeLoad: defaultView("audit"),
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient, session }, deps }) => {
    if (!sessionCan(session, "audit.read")) return
    const filter = toAuditFilter(deps, session.program.time_zone)
    void queryClient.prefetchQuery(auditQuery(filter, deps.parts))
  },
  component: AuditPage,
})
