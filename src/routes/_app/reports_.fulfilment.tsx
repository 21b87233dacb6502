import { createFileRoute } from "@tanstack/react-router"
import { reportQuery } from "../../api/reports.ts"
import { sessionCan } from "../../api/session.ts"
import { FulfilmentReportPage } from "../../features/reports/order-reports.tsx"
import { reportSearch, toReportQuery } from "../../features/reports/report-search.ts"

export const Route = createFileRoute("/_app/reports_/fulfilment")({
  validateSearch: reportSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient, session }, deps }) => {
    if (sessionCan(session, "reports.read") && sessionCan(session, "orders.read"))
      void queryClient.prefetchQuery(reportQuery("fulfilment", toReportQuery("fulfilment", deps)))
  },
  component: FulfilmentReportPage,
})
