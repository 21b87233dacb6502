import { getRouteApi, Navigate } from "@tanstack/react-router"
import { useSession } from "../../../api/session.ts"
import { useLeaveDrawer } from "../../../forms/form.tsx"
import { useExternalValue } from "../../../ui/hooks.ts"
import { OrderEditDrawer } from "../order-edit.tsx"
import { type Shipping, useShipping } from "./shipping.ts"

const route = getRouteApi("/_app/orders_/ship/edit")

/** The edit drawer of an order that was shipped here, above the ship desk, with the number that was scanned. */
export function CorrectParcel() {
  const { order } = route.useSearch()
  const { shipping, error } = useShipping(useSession().user.id)
  if (order === undefined || error !== undefined) return <Navigate to="/orders/ship" replace />
  return shipping === undefined ? null : <Correct key={order} orderId={order} shipping={shipping} />
}

function Correct({ orderId, shipping }: { orderId: string; shipping: Shipping }) {
  const { job } = route.useSearch()
  const { shipped } = useExternalValue(shipping.outbox.data)
  const navigate = route.useNavigate()
  const close = useLeaveDrawer(() => void navigate({ to: "/orders/ship", resetScroll: false }))
  return (
    <OrderEditDrawer
      orderId={orderId}
      jobId={job}
      ship={false}
      number={shipped.find(({ order_id: id }) => id === orderId)?.tracking_number}
      onJob={(id) =>
        void navigate({ search: (now) => ({ ...now, job: id }), replace: true, resetScroll: false })
      }
      onClose={close}
    />
  )
}
