import { useQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { useState } from "react"
import { statusQuery } from "../../../api/status.ts"
import { AsOf, SkeletonRows } from "../../../ui/query-state.tsx"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { NeedsRolePage } from "../needs-role-page.tsx"
import { BetaSection } from "./beta-section.tsx"
import { BudgetSection } from "./budget-section.tsx"
import { DeskSection } from "./desk-section.tsx"
import { DriftSection } from "./drift-section.tsx"
import { HistorySection } from "./history-section.tsx"
import { ServicesSection } from "./services-section.tsx"

const route = getRouteApi("/_desk/settings/status")

/** The budget fills up again without any event: the page follows it, in ms. */
const followEvery = 10_000

/** How the desk and both services are doing. */
export function StatusPage() {
  return (
    <NeedsRolePage permission="status.read" title="Status">
      <LiveStatus />
    </NeedsRolePage>
  )
}

function LiveStatus() {
  const { api } = route.useSearch()
  const navigate = route.useNavigate()
  const { data, error, refetch } = useQuery({ ...statusQuery, refetchInterval: followEvery })
  // What is re-read by itself says nothing while it runs; a busy team would see it flicker.
  const [asked, setAsked] = useState(false)
  const again = () => {
    setAsked(true)
    void refetch().finally(() => setAsked(false))
  }
  const status = data?.data
  return (
    <>
      {error !== null && <ErrorNotice error={error} what="Couldn’t load the status." onRetry={again} />}
      {status === undefined ? (
        error === null && <SkeletonRows rows={10} columns={[220, 320, 120]} />
      ) : (
        <>
          <BudgetSection
            budgets={status.budgets}
            api={api}
            asOf={<AsOf at={data?.at} refreshing={asked} onRefresh={again} />}
            onApi={(chosen) => void navigate({ search: { api: chosen }, replace: true, resetScroll: false })}
          />
          <ServicesSection connections={status.connections} />
          <DriftSection rows={status.drift} />
          {status.history !== null && <HistorySection lag={status.history} />}
          {status.beta_notice && <BetaSection />}
          <DeskSection status={status} />
        </>
      )}
    </>
  )
}
