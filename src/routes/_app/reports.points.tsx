import { createFileRoute, stripSearchParams } from "@tanstack/react-router"
import { pointsReportQuery } from "../../api/points.ts"
import { sessionCan } from "../../api/session.ts"
import { reportDefaults, toReportQuery, reportSearch } from "../../features/activity/activity-search.ts"
import { ReportPage } from "../../features/activity/report-page.tsx"

export const Route = createFileRoute("/_app/reports/points")({
  validateSearch: reportSearch,
  search: { middlewares: [stripSearchParams(reportDefaults)] },
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient, session }, deps }) => {
    if (!sessionCan(session, "ledger.read")) return
    void queryClient.prefetchQuery(pointsReportQuery(toReportQuery(deps, session.program.time_zone)))
  },
  component: ReportPage,
})
