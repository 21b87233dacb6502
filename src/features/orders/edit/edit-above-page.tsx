import { getRouteApi } from "@tanstack/react-router"
import { useLeaveDrawer } from "../../../forms/form.tsx"
import { OrderEditDrawer } from "./order-edit-drawer.tsx"

const route = getRouteApi("/_desk/orders_/$orderId/edit")

/** The edit drawer above an order's page. */
export function EditAbovePage() {
  const { job, ship } = route.useSearch()
  const { orderId } = route.useParams()
  const navigate = route.useNavigate()
  const go = (jobId: string | undefined) =>
    void navigate({ search: (now) => ({ ...now, job: jobId }), replace: true, resetScroll: false })
  const close = useLeaveDrawer(
    () => void navigate({ to: "/orders/$orderId", params: { orderId }, resetScroll: false }),
  )
  return (
    <OrderEditDrawer
      key={orderId}
      address={{
        orderId,
        jobId: job,
        ship: ship === true,
        toOutcome: go,
        toForm: () => go(undefined),
        close,
      }}
    />
  )
}
