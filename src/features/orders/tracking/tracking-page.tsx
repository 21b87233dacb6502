import { getRouteApi } from "@tanstack/react-router"
import { lazy } from "react"
import { useCan, useSession } from "../../../api/session.ts"
import { FileViewSwitch } from "../../../import/file-changes.tsx"
import { ImportDenied, ImportPage } from "../../../import/import-page.tsx"
import { useImport } from "../../../import/import-session.ts"
import { formatCount } from "../../../lib/format.ts"
import { useTrackingPlan, type TrackingPlan } from "./tracking-plan.ts"

const route = getRouteApi("/_app/orders_/tracking-file")

const preview = () => import("./tracking-preview.tsx")
const TrackingPanel = lazy(async () => ({ default: (await preview()).TrackingPanel }))
const ChangesTable = lazy(async () => ({ default: (await preview()).ChangesTable }))

const page = { title: "Import tracking numbers", path: [{ label: "Orders", to: "/orders" }] } as const

/** Sets tracking numbers of up to thousands of orders, from a file or pasted rows. */
export function TrackingPage() {
  if (useCan("orders.update")) return <TrackingFile />
  return (
    <ImportDenied kind="order-update" {...page} requires="Changing orders requires the Fulfilment role" />
  )
}

function TrackingFile() {
  const session = useImport("order-update", useSession().user.id)
  const plan = useTrackingPlan(session)
  return (
    <ImportPage
      {...page}
      session={session}
      help="It needs a column with order numbers and one with tracking numbers. Carrier and status are optional: the carrier is recognised from the number, and orders are marked as shipped."
      rows="Orders to change"
      above={<ViewSwitch plan={plan} />}
      instead={route.useSearch().view === "changes" && <ChangesTable plan={plan} />}
    >
      <TrackingPanel session={session} plan={plan} />
    </ImportPage>
  )
}

function ViewSwitch({ plan: { rows, orders } }: { plan: TrackingPlan }) {
  const navigate = route.useNavigate()
  return (
    <FileViewSwitch
      view={route.useSearch().view}
      onChange={(view) => void navigate({ search: { view }, replace: true })}
    >
      {orders.reading &&
        `Comparing with the orders: ${formatCount(rows.length - orders.unread.length)} of ${formatCount(rows.length)}`}
    </FileViewSwitch>
  )
}
