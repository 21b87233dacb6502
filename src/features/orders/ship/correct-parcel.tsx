import { getRouteApi, Navigate } from "@tanstack/react-router"
import { useSession } from "../../../api/session.ts"
import { useLeaveDrawer } from "../../../forms/form.tsx"
import { OrderEditDrawer } from "../order-edit.tsx"
import { useShipping } from "./shipping.ts"

const route = getRouteApi("/_app/orders_/ship/edit")

/** The edit drawer of an order that was shipped here, above the ship desk, with the scanned number. */
export function CorrectParcel() {
  const { order } = route.useSearch()
  const navigate = route.useNavigate()
  const { shipping, error } = useShipping(useSession().user.id)
  const close = useLeaveDrawer(() => navigate({ to: "/orders/ship", resetScroll: false }))
  if (order === undefined || error !== null) return <Navigate to="/orders/ship" replace />
  if (shipping === undefined) return null
  const shipped = shipping.outbox.data.getState().shipped.find(({ order_id: id }) => id === order)
  return <OrderEditDrawer key={order} orderId={order} number={shipped?.tracking_number} onClose={close} />
}
