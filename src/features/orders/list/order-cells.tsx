import { Link } from "@tanstack/react-router"
import links from "../../../lists/list-table.module.css"
import { Truncate } from "../../../ui/values.tsx"
import { Status } from "../../../ui/status.tsx"
import { orderName, type OrderRow, Waiting, waitsForParcel } from "../order-row.tsx"
import classes from "../orders-list.module.css"

/** The order's id, with the row's link. */
export function OrderCell({ id }: { id: string }) {
  return (
    <Link
      to="/orders/$orderId"
      params={{ orderId: id }}
      data-row-link
      className={`${links.link} l-mono truncate ${classes.id}`}
    >
      {id}
    </Link>
  )
}

/** What was ordered. */
export function RewardCell({ row }: { row: OrderRow }) {
  return (
    <span className={`l-medium ${classes.cut}`}>
      <Truncate>{orderName(row.order)}</Truncate>
    </span>
  )
}

/** What was ordered, and below it for whom. */
export function TwoLineReward({ row }: { row: OrderRow }) {
  return (
    <span className={classes.lines}>
      <span className="l-medium truncate">{orderName(row.order)}</span>
      <span className="l-meta text-secondary truncate">{row.member}</span>
    </span>
  )
}

/** Whose it is: the name, or the id until it is known. */
export function MemberCell({ row }: { row: OrderRow }) {
  if (row.member === "") return null
  const named = row.member !== row.order.member_id
  return (
    <span className={`text-secondary ${named ? "" : "l-mono"} ${classes.cut}`}>
      <Truncate>{row.member}</Truncate>
    </span>
  )
}

/** On a phone: what was ordered, and below it for whom and which order. */
export function PhoneCell({ row }: { row: OrderRow }) {
  const { order_id: id } = row.order
  return (
    <span className={classes.lines}>
      <Link to="/orders/$orderId" params={{ orderId: id }} data-row-link className={`${links.link} truncate`}>
        {orderName(row.order)}
      </Link>
      <span className="l-meta text-muted truncate">
        {row.member === "" ? "" : `${row.member}, `}
        <span className="l-mono">{id}</span>
      </span>
    </span>
  )
}

/** On a phone, at the end: its status, and how long it waits. */
export function PhoneEnd({ row }: { row: OrderRow }) {
  return (
    <span className={classes.endLines}>
      <Status of="order" value={row.order.status} />
      {waitsForParcel(row) && (
        <span className="l-meta">
          <Waiting since={row.order.created_at} />
        </span>
      )}
    </span>
  )
}
