import { asSent } from "../../../../contract/reading.ts"
import { shipmentOf } from "../../../../contract/program/order.ts"
import { millis } from "../../../lib/time.ts"
import type { ListColumn } from "../../../lists/list-columns.ts"
import { RelativeTime } from "../../../ui/values.tsx"
import { Truncate } from "../../../ui/values.tsx"
import { Points } from "../../../ui/values.tsx"
import { Status } from "../../../ui/status.tsx"
import links from "../../../lists/list-table.module.css"
import { orderName, type OrderRow, Waiting, waitsForParcel } from "../order-row.tsx"
import classes from "../orders-list.module.css"
import { MemberCell, OrderCell, RewardCell } from "./order-cells.tsx"
import { TrackingCell } from "./tracking-cell.tsx"

/** The columns of a wide window, in the order of the look: what, its state, what describes it, amount, time. */
export const orderColumns: readonly ListColumn<OrderRow>[] = [
  {
    id: "order",
    label: "Order",
    width: 112,
    value: ({ order }) => order.order_id,
    cell: ({ order }) => <OrderCell id={order.order_id} />,
  },
  {
    id: "status",
    label: "Status",
    width: 124,
    value: ({ order }) => order.status ?? undefined,
    cell: ({ order }) => <Status of="order" value={order.status} />,
  },
  {
    id: "reward",
    label: "Reward",
    value: ({ order }) => orderName(order),
    cell: (row) => <RewardCell row={row} />,
  },
  {
    id: "type",
    label: "Type",
    width: 96,
    value: ({ type }) => type,
    cell: ({ type }) => <Status of="reward-type" value={type} />,
  },
  {
    id: "member",
    label: "Member",
    width: 152,
    value: ({ member }) => member || undefined,
    cell: (row) => <MemberCell row={row} />,
  },
  {
    id: "points",
    label: "Points",
    width: 80,
    end: true,
    descFirst: true,
    value: ({ order }) => order.points_spent ?? undefined,
    cell: ({ order }) => <Points value={order.points_spent} sent={asSent(order, "points_spent")} />,
  },
  {
    id: "tracking",
    label: "Tracking",
    width: 228,
    value: ({ order }) => shipmentOf(order).tracking_number,
    cell: (row) => <TrackingCell row={row} />,
  },
  {
    id: "waiting",
    label: "Waiting",
    width: 88,
    end: true,
    hidden: true,
    descFirst: true,
    value: (row) => (waitsForParcel(row) ? -(timeOf(row.order.created_at) ?? 0) : undefined),
    cell: (row) => (waitsForParcel(row) ? <Waiting since={row.order.created_at} /> : null),
  },
  {
    id: "created",
    label: "Created",
    width: 148,
    end: true,
    descFirst: true,
    value: ({ order }) => timeOf(order.created_at),
    cell: ({ order }) => <TimeCell at={order.created_at} />,
  },
  {
    id: "shipped",
    label: "Shipped",
    width: 148,
    end: true,
    hidden: true,
    descFirst: true,
    value: ({ order }) => timeOf(order.shipped_at),
    cell: ({ order }) => <TimeCell at={order.shipped_at} />,
  },
  {
    id: "member-id",
    label: "Member id",
    width: 168,
    hidden: true,
    value: ({ order }) => order.member_id ?? undefined,
    cell: ({ order }) => <IdCell id={order.member_id} />,
  },
  {
    id: "reward-id",
    label: "Reward id",
    width: 168,
    hidden: true,
    value: ({ order }) => order.reward_id ?? undefined,
    cell: ({ order }) => <IdCell id={order.reward_id} />,
  },
]

/** The same for what waits for a parcel: how long counts, not since when. */
export const waitingColumns: readonly ListColumn<OrderRow>[] = orderColumns.map((column) => {
  if (column.id === "waiting") return { ...column, hidden: false }
  return column.id === "created" ? { ...column, hidden: true } : column
})

function timeOf(at: string | null | undefined): number | undefined {
  const ms = at ? millis(at) : Number.NaN
  return Number.isNaN(ms) ? undefined : ms
}

function TimeCell({ at }: { at: string | null | undefined }) {
  return (
    <span className={`text-muted ${links.above}`}>
      <RelativeTime at={at} calendar />
    </span>
  )
}

function IdCell({ id }: { id: string | null | undefined }) {
  if (!id) return null
  return (
    <span className={`l-mono text-secondary ${classes.cut}`}>
      <Truncate>{id}</Truncate>
    </span>
  )
}
