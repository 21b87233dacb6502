import { IconPlus } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import { shipmentOf } from "../../../../contract/program/order.ts"
import { useCan } from "../../../api/session.ts"
import type { ListLayout } from "../../../lists/list-columns.ts"
import { Truncate } from "../../../ui/values.tsx"
import { isDigital, isWaiting, type OrderRow, waitsForParcel } from "../order-row.tsx"
import classes from "../orders-list.module.css"

/** Where the parcel is to be found: carrier and number, or why there are none and, on hover, the way to add one. */
export function TrackingCell({ row }: { row: OrderRow }) {
  const mayUpdate = useCan("orders.update")
  const { tracking_number: number, carrier } = shipmentOf(row.order)
  if (number === undefined && carrier === undefined) {
    return mayUpdate && waitsForParcel(row) ? <NotYet orderId={row.order.order_id} /> : <NoParcel row={row} />
  }
  return <OneLineShipment number={number} carrier={carrier} />
}

/** The same without a way to add one: in one line, or in two for fingers. */
export function QuietTracking({ row, layout }: { row: OrderRow; layout: ListLayout }) {
  const { tracking_number: number, carrier } = shipmentOf(row.order)
  if (layout !== "wide") return <TwoLineTracking row={row} />
  if (number === undefined && carrier === undefined) return <NoParcel row={row} />
  return <OneLineShipment number={number} carrier={carrier} />
}

interface Shipment {
  number: string | undefined
  carrier: string | undefined
}

function OneLineShipment({ number, carrier }: Shipment) {
  return (
    <span className={classes.shipment}>
      {carrier !== undefined && <span className="text-secondary truncate">{carrier}</span>}
      {number !== undefined && (
        <span className={`l-mono ${classes.cut}`}>
          <Truncate>{number}</Truncate>
        </span>
      )}
    </span>
  )
}

/** The same in two lines, for fingers. */
export function TwoLineTracking({ row }: { row: OrderRow }) {
  const { tracking_number: number, carrier } = shipmentOf(row.order)
  if (number === undefined && carrier === undefined) return <NoParcel row={row} />
  return (
    <span className={classes.lines}>
      <span className="l-mono truncate">{number ?? "No number"}</span>
      <span className="l-meta text-secondary truncate">{carrier}</span>
    </span>
  )
}

function NotYet({ orderId }: { orderId: string }) {
  return (
    <span className={classes.swap}>
      <span className={`text-muted ${classes.none}`}>Not yet</span>
      <Link
        from="/orders"
        to="/orders/edit"
        search={(now) => ({ ...now, order: orderId, ship: true })}
        resetScroll={false}
        className={classes.add}
        aria-label={`Add tracking to ${orderId}`}
      >
        <IconPlus size={14} stroke={2} aria-hidden />
        Add tracking
      </Link>
    </span>
  )
}

function NoParcel({ row: { order, type } }: { row: OrderRow }) {
  if (isDigital(type)) return <span className="text-muted">{digitalWords(order.status)}</span>
  return <span className="text-muted">{isWaiting(order.status) ? "Not yet" : "None"}</span>
}

function digitalWords(status: string | null | undefined): string {
  return status?.toLowerCase() === "completed" ? "Digital code" : "Digital, no parcel"
}
