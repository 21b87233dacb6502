import { createFileRoute } from "@tanstack/react-router"
import { reportQuery } from "../../api/reports.ts"
import { sessionCan } from "../../api/session.ts"
import { OutstandingReportPage } from "../../features/reports/member-reports.tsx"
import { reportSearch, toReportQuery } from "../../features/reports/report-search.ts"

export const Route = createFileRoute("/_app/reports_/outstanding")({
  validateSearch: reportSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient, session }, deps }) => {
    if (sessionCan(session, "reports.read") && sessionCan(session, "ledger.read"))
      void queryClient.prefetchQuery(reportQuery("outstanding", toReportQuery("outstanding", deps)))
  },
  component: OutstandingReportPage,
})
