import { createFileRoute } from "@tanstack/react-router"
import { reportQuery } from "../../api/reports.ts"
import { sessionCan } from "../../api/session.ts"
import { CardsReportPage } from "../../features/reports/order-reports.tsx"
import { reportSearch, toReportQuery } from "../../features/reports/report-search.ts"

export const Route = createFileRoute("/_app/reports_/gift-cards")({
  validateSearch: reportSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient, session }, deps }) => {
    if (sessionCan(session, "reports.read") && sessionCan(session, "cards.read"))
      void queryClient.prefetchQuery(reportQuery("gift-cards", toReportQuery("gift-cards", deps)))
  },
  component: CardsReportPage,
})
