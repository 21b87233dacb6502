import { getRouteApi, Navigate } from "@tanstack/react-router"
import { useLeaveDrawer } from "../../../forms/form.tsx"
import { OrderEditDrawer } from "./order-edit-drawer.tsx"

const route = getRouteApi("/_desk/orders/edit")

/** The edit drawer above the list, which stays as it is. */
export function EditAboveList() {
  const { job, order, ship } = route.useSearch()
  const navigate = route.useNavigate()
  const go = (jobId: string | undefined) =>
    void navigate({ search: (now) => ({ ...now, job: jobId }), replace: true, resetScroll: false })
  const close = useLeaveDrawer(
    () =>
      void navigate({
        to: "/orders",
        search: ({ job: _job, order: _order, ship: _ship, ...list }) => list,
        resetScroll: false,
      }),
  )
  if (order === undefined) return <Navigate to="/orders" replace />
  return (
    <OrderEditDrawer
      key={order}
      address={{
        orderId: order,
        jobId: job,
        ship: ship === true,
        toOutcome: go,
        toForm: () => go(undefined),
        close,
      }}
    />
  )
}
