import { useQuery, useQueryClient } from "@tanstack/react-query"
import { getRouteApi, Outlet } from "@tanstack/react-router"
import type { Order } from "../../../../contract/program/order.ts"
import { ApiError } from "../../../api/errors.ts"
import { memberNamesQuery } from "../../../api/member-names.ts"
import { orderAddressQuery, orderQuery } from "../../../api/orders.ts"
import { useCan } from "../../../api/session.ts"
import { ArrivalNote } from "../../../lists/list-page.tsx"
import { SkeletonRows, StaleNotice } from "../../../ui/query-state.tsx"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { PageHeader } from "../../../ui/page-header.tsx"
import { Status } from "../../../ui/status.tsx"
import { isDigital, orderRow, typeOf, type RewardTypes } from "../show/order-row.ts"
import { useRewardTypes } from "../show/use-reward-types.ts"
import { OrderActions } from "./order-actions.tsx"
import { OrderFacts } from "./order-facts.tsx"
import { OrderFigures } from "./order-figures.tsx"
import { OrderMissing } from "./order-missing.tsx"
import classes from "./order-page.module.css"
import { OrderShipment } from "./order-shipment.tsx"
import { OrderTimeline } from "./order-timeline.tsx"

const route = getRouteApi("/_desk/orders_/$orderId")
const nothing: readonly Order[] = []
const path = [{ label: "Orders", to: "/orders" }]

/** One order: what it is and for whom, where its parcel is, what happened to it. */
export function OrderPage() {
  const { orderId } = route.useParams()
  const client = useQueryClient()
  const { data: answer, error, isFetching, refetch } = useQuery(orderQuery(orderId))
  const refresh = () => void client.prefetchQuery({ ...orderQuery(orderId, { fresh: true }), staleTime: 0 })

  const types = useRewardTypes(answer === undefined ? nothing : [answer.data])

  if (error instanceof ApiError && error.status === 404) return <OrderMissing orderId={orderId} />
  if (answer === undefined) {
    return (
      <>
        <PageHeader title="Order" path={path} />
        {error === null ? (
          <SkeletonRows rows={6} columns={[40, 240]} />
        ) : (
          <div className={classes.note}>
            <ErrorNotice error={error} what="Couldn’t load the order." onRetry={() => void refetch()} />
          </div>
        )}
        <Outlet />
      </>
    )
  }
  return (
    <div className={classes.page} key={orderId}>
      <PageHeader
        title={answer.data.order_id}
        path={path}
        pill={<Status of="order" value={answer.data.status} pill />}
        actions={<OrderActions order={answer.data} digital={isDigital(typeOf(answer.data, types))} />}
      />
      <div className={classes.notes}>
        <ArrivalNote />
        {error !== null && (
          <ErrorNotice
            error={error}
            what="Couldn’t refresh the order. Showing the last loaded version."
            onRetry={() => void refetch()}
          />
        )}
        {error === null && answer.stale && (
          <StaleNotice what="The order" at={answer.at} refreshing={isFetching} onRefresh={refresh} />
        )}
      </div>
      <OrderParts
        order={answer.data}
        types={types}
        at={answer.at}
        fetching={isFetching}
        onRefresh={refresh}
      />
      <Outlet />
    </div>
  )
}

interface OrderPartsProps {
  order: Order
  types: RewardTypes
  at: number
  fetching: boolean
  onRefresh: () => void
}

function OrderParts({ order, types, at, fetching, onRefresh }: OrderPartsProps) {
  const mayAddress = useCan("orders.address")
  const names = useQuery(memberNamesQuery(order.member_id ? [order.member_id] : [])).data
  const row = orderRow(order, names, types)
  const where = useQuery({ ...orderAddressQuery(order.order_id), enabled: mayAddress })
  return (
    <>
      <OrderFigures row={row} where={where.data} at={at} fetching={fetching} onRefresh={onRefresh} />
      <div className={classes.split}>
        <OrderFacts row={row} where={where.data} mayAddress={mayAddress} />
        <div className={classes.work}>
          {where.error !== null && (
            <ErrorNotice
              error={where.error}
              what="Couldn’t look up the address."
              onRetry={() => void where.refetch()}
            />
          )}
          <OrderShipment row={row} />
          <OrderTimeline order={order} address={where.data} />
        </div>
      </div>
    </>
  )
}
