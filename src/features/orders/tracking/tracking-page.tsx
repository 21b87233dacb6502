import { getRouteApi } from "@tanstack/react-router"
import { lazy, Suspense } from "react"
import { useCan, useSession } from "../../../api/session.ts"
import { FileFrame } from "../../../forms/job-upload/file-frame.tsx"
import { useImport } from "../../../import/session/use-import.ts"
import { Notice } from "../../../ui/notice.tsx"
import { PageHeader } from "../../../ui/page-header.tsx"
import { ViewChoice } from "./view-choice.tsx"
import { useTrackingPlan } from "./use-tracking-plan.ts"

const route = getRouteApi("/_desk/orders_/tracking-file")

const TrackingPanel = lazy(async () => ({ default: (await import("./tracking-panel.tsx")).TrackingPanel }))
const ChangesTable = lazy(async () => ({ default: (await import("./changes-table.tsx")).ChangesTable }))

const title = "Import tracking numbers"
const path = [{ label: "Orders", to: "/orders" }]

/** Gives orders their tracking numbers by the thousand, from a file or a paste. */
export function TrackingPage() {
  if (useCan("orders.update")) return <TrackingFile />
  return (
    <>
      <PageHeader title={title} path={path} />
      <Notice tone="info" title="Changing orders requires the Fulfilment role">
        You can view orders but not change them. Ask an administrator to change your role.
      </Notice>
    </>
  )
}

function TrackingFile() {
  const { view } = route.useSearch()
  const session = useImport({ recipe: "order-update", userId: useSession().user.id })
  const plan = useTrackingPlan(session)
  return (
    <FileFrame
      session={session}
      title={title}
      path={path}
      intake="Drop a CSV file, or paste rows from a spreadsheet"
      help="It needs a column with order ids and one with tracking numbers. Carrier and status are optional: the carrier is recognised from the number, and orders are marked as shipped."
      rows="Orders to change"
      above={<ViewChoice view={view} plan={plan} />}
      instead={
        view === "changes" && (
          <Suspense>
            <ChangesTable plan={plan} />
          </Suspense>
        )
      }
    >
      <Suspense>
        <TrackingPanel session={session} plan={plan} />
      </Suspense>
    </FileFrame>
  )
}
