import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { orderQuery } from "../../../api/orders.ts"
import { useCan } from "../../../api/session.ts"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { Notice } from "../../../ui/notice.tsx"
import { SideDrawer } from "../../../ui/side-drawer.tsx"
import { SkeletonRows } from "../../../ui/query-state.tsx"
import { valuesOf, type EditValues } from "./edit-model.ts"
import type { EditAddress } from "../search.ts"
import { OrderEditForm } from "./order-edit-form.tsx"
import { OrderEditOutcome } from "./order-edit-outcome.tsx"

/** Changes an order's status, tracking number or carrier: the form, and the outcome in its place. */
export function OrderEditDrawer({ address }: { address: EditAddress }) {
  const { orderId, jobId, close } = address
  const allowed = useCan("orders.update")
  const [typed, setTyped] = useState<EditValues>()
  const order = useQuery({ ...orderQuery(orderId), enabled: allowed })
  const title = `Change ${orderId}`
  if (!allowed) {
    return (
      <SideDrawer title={title} onClose={close}>
        <Notice tone="info" title="Changing orders requires the Fulfilment role">
          You can view orders but not change them. Ask an administrator to change your role.
        </Notice>
      </SideDrawer>
    )
  }
  if (jobId !== undefined) {
    return (
      <OrderEditOutcome
        key={jobId}
        title={title}
        orderId={orderId}
        jobId={jobId}
        onCorrect={(values) => {
          setTyped(values)
          address.toForm()
        }}
        onClose={close}
      />
    )
  }
  // What a list showed may be from before the parcel: a form with a number of its own begins with the order itself.
  const read = address.number === undefined || order.isFetchedAfterMount
  if (order.data === undefined || !read) {
    return (
      <SideDrawer title={title} onClose={close}>
        {order.error === null ? (
          <SkeletonRows rows={3} columns={[120, 240]} />
        ) : (
          <ErrorNotice
            error={order.error}
            what="The order was not loaded, so nothing can be changed."
            onRetry={() => void order.refetch()}
          />
        )}
      </SideDrawer>
    )
  }
  const { data } = order.data
  const begun =
    address.number === undefined
      ? undefined
      : { ...valuesOf(data, address.ship), tracking_number: address.number }
  return <OrderEditForm key={orderId} title={title} address={address} order={data} typed={typed ?? begun} />
}
