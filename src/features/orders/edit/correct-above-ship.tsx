import { getRouteApi, Navigate } from "@tanstack/react-router"
import { useSession } from "../../../api/session.ts"
import { useLeaveDrawer } from "../../../forms/form.tsx"
import { useExternalValue } from "../../../ui/hooks.ts"
import { type Shipping, useShipping } from "../ship/shipping.ts"
import { OrderEditDrawer } from "./order-edit-drawer.tsx"

const route = getRouteApi("/_desk/orders_/ship/edit")

/** The change form of an order that was shipped here, above the ship desk, with the number that was scanned. */
export function CorrectAboveShip() {
  const { order } = route.useSearch()
  const { shipping, error } = useShipping(useSession().user.id)
  if (order === undefined || error !== undefined) return <Navigate to="/orders/ship" replace />
  return shipping === undefined ? null : <Correct key={order} orderId={order} shipping={shipping} />
}

function Correct({ orderId, shipping }: { orderId: string; shipping: Shipping }) {
  const { job } = route.useSearch()
  const { shipped } = useExternalValue(shipping.outbox.data)
  const navigate = route.useNavigate()
  const go = (jobId: string | undefined) =>
    void navigate({ search: (now) => ({ ...now, job: jobId }), replace: true, resetScroll: false })
  const close = useLeaveDrawer(() => void navigate({ to: "/orders/ship", resetScroll: false }))
  return (
    <OrderEditDrawer
      address={{
        orderId,
        jobId: job,
        ship: false,
        number: shipped.find(({ order_id: id }) => id === orderId)?.tracking_number,
        toOutcome: go,
        toForm: () => go(undefined),
        close,
      }}
    />
  )
}
