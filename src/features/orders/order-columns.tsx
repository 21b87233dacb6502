import { IconPlus } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import { shipmentOf } from "../../../contract/program/order.ts"
import { asSent } from "../../../contract/reading.ts"
import { useCan } from "../../api/session.ts"
import { millis } from "../../lib/time.ts"
import type { ListColumn } from "../../lists/list-columns.ts"
import links from "../../lists/list-table.module.css"
import { Status } from "../../ui/status.tsx"
import { Points, RelativeTime, Truncate } from "../../ui/values.tsx"
import { isDigital, isWaiting, orderName, type OrderRow, Waiting, waitsForParcel } from "./order-row.tsx"
import classes from "./orders-list.module.css"

type OrderColumn = ListColumn<OrderRow>

/** The columns by their ids. */
const columns = {
  order: {
    id: "order",
    label: "Order",
    width: 112,
    value: ({ order }) => order.order_id,
    cell: ({ order }) => (
      <Link
        to="/orders/$orderId"
        params={{ orderId: order.order_id }}
        data-row-link
        className={`${links.link} l-mono truncate ${classes.id}`}
      >
        {order.order_id}
      </Link>
    ),
  },
  status: {
    id: "status",
    label: "Status",
    width: 124,
    value: ({ order }) => order.status ?? undefined,
    cell: ({ order }) => <Status of="order" value={order.status} />,
  },
  reward: {
    id: "reward",
    label: "Reward",
    value: ({ order }) => orderName(order),
    cell: ({ order }) => <CutText text={orderName(order)} look="l-medium" />,
  },
  type: {
    id: "type",
    label: "Type",
    width: 96,
    value: ({ type }) => type,
    cell: ({ type }) => <Status of="reward-type" value={type} />,
  },
  member: {
    id: "member",
    label: "Member",
    width: 152,
    value: ({ member }) => member || undefined,
    // The id until the name is known.
    cell: ({ member, order }) => (
      <CutText text={member} look={member === order.member_id ? "text-secondary l-mono" : "text-secondary"} />
    ),
  },
  points: {
    id: "points",
    label: "Points",
    width: 80,
    end: true,
    descFirst: true,
    value: ({ order }) => order.points_spent ?? undefined,
    cell: ({ order }) => <Points value={order.points_spent} sent={asSent(order, "points_spent")} />,
  },
  tracking: {
    id: "tracking",
    label: "Tracking",
    width: 228,
    value: ({ order }) => shipmentOf(order).tracking_number,
    cell: (row) => <TrackingCell row={row} />,
  },
  waiting: {
    id: "waiting",
    label: "Waiting",
    width: 88,
    end: true,
    hidden: true,
    descFirst: true,
    value: (row) => (waitsForParcel(row) ? -(timeOf(row.order.created_at) ?? 0) : undefined),
    cell: (row) => (waitsForParcel(row) ? <Waiting since={row.order.created_at} /> : null),
  },
  created: {
    id: "created",
    label: "Created",
    width: 148,
    end: true,
    descFirst: true,
    value: ({ order }) => timeOf(order.created_at),
    cell: ({ order }) => <TimeCell at={order.created_at} />,
  },
  shipped: {
    id: "shipped",
    label: "Shipped",
    width: 148,
    end: true,
    hidden: true,
    descFirst: true,
    value: ({ order }) => timeOf(order.shipped_at),
    cell: ({ order }) => <TimeCell at={order.shipped_at} />,
  },
  memberId: {
    id: "member-id",
    label: "Member id",
    width: 168,
    hidden: true,
    value: ({ order }) => order.member_id ?? undefined,
    cell: ({ order }) => <CutText text={order.member_id} look="l-mono text-secondary" />,
  },
  rewardId: {
    id: "reward-id",
    label: "Reward id",
    width: 168,
    hidden: true,
    value: ({ order }) => order.reward_id ?? undefined,
    cell: ({ order }) => <CutText text={order.reward_id} look="l-mono text-secondary" />,
  },
} as const satisfies Readonly<Record<string, OrderColumn>>

/** The columns of a wide window, in the order of the look: what, its state, what describes it, amount, time. */
export const orderColumns: readonly OrderColumn[] = Object.values(columns)

/** The same for what waits for a parcel: how long counts, not since when. */
export const waitingColumns: readonly OrderColumn[] = orderColumns.map((column) =>
  column === columns.waiting || column === columns.created
    ? { ...column, hidden: column === columns.created }
    : column,
)

/** For fingers: fewer columns, two lines in a row. */
export const touchColumns: Readonly<Record<"tablet" | "phone", readonly OrderColumn[]>> = {
  tablet: [
    { ...columns.order, touch: "tablet" },
    { ...columns.status, touch: "tablet" },
    {
      ...columns.reward,
      label: "Reward and member",
      touch: "tablet",
      cell: ({ order, member }) => (
        <span className={classes.lines}>
          <span className="l-medium truncate">{orderName(order)}</span>
          <span className="l-meta text-secondary truncate">{member}</span>
        </span>
      ),
    },
    { ...columns.tracking, touch: "tablet", width: 168, cell: (row) => <ShipmentCell row={row} twoLines /> },
    { ...columns.waiting, touch: "tablet", width: 80 },
  ],
  phone: [
    {
      id: "order",
      label: "Order",
      touch: "phone",
      value: ({ order }) => orderName(order),
      cell: ({ order, member }) => (
        <span className={classes.lines}>
          <NameLink row={{ order }} />
          <span className="l-meta text-muted truncate">
            {member === "" ? "" : `${member}, `}
            <span className="l-mono">{order.order_id}</span>
          </span>
        </span>
      ),
    },
    {
      ...columns.status,
      width: 128,
      end: true,
      touch: "phone",
      cell: (row) => (
        <span className={classes.endLines}>
          <Status of="order" value={row.order.status} />
          {waitsForParcel(row) && (
            <span className="l-meta">
              <Waiting since={row.order.created_at} />
            </span>
          )}
        </span>
      ),
    },
  ],
}

/** A member's orders: what was ordered leads, for whom they are is known. */
export const memberOrderColumns: readonly OrderColumn[] = [
  {
    ...columns.reward,
    touch: "phone",
    cell: (row, layout) => (
      <span className={classes.lines}>
        <NameLink row={row} />
        {layout !== "wide" && <span className="l-meta l-mono text-muted truncate">{row.order.order_id}</span>}
      </span>
    ),
  },
  {
    ...columns.order,
    width: 128,
    cell: ({ order }) => <span className="l-mono text-secondary">{order.order_id}</span>,
  },
  { ...columns.status, touch: "phone" },
  { ...columns.points, touch: "phone" },
  {
    ...columns.tracking,
    touch: "tablet",
    cell: (row, layout) => <ShipmentCell row={row} twoLines={layout !== "wide"} />,
  },
  columns.created,
]

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

function CutText({ text, look }: { text: string | null | undefined; look: string }) {
  if (!text) return null
  return (
    <span className={`${look} ${classes.cut}`}>
      <Truncate>{text}</Truncate>
    </span>
  )
}

function NameLink({ row: { order } }: { row: Pick<OrderRow, "order"> }) {
  return (
    <Link
      to="/orders/$orderId"
      params={{ orderId: order.order_id }}
      data-row-link
      className={`${links.link} truncate`}
    >
      {orderName(order)}
    </Link>
  )
}

/** Where the parcel is to be found: carrier and number, or why there are none and, on hover, the way to add one. */
function TrackingCell({ row }: { row: OrderRow }) {
  const mayUpdate = useCan("orders.update")
  const { order_id: orderId } = row.order
  if (!mayUpdate || !waitsForParcel(row) || shipmentOf(row.order).carrier !== undefined)
    return <ShipmentCell row={row} />
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

/** Carrier and number, or why there are none. */
function ShipmentCell({ row: { order, type }, twoLines = false }: { row: OrderRow; twoLines?: boolean }) {
  const { tracking_number: number, carrier } = shipmentOf(order)
  if (number === undefined && carrier === undefined) {
    const digital = order.status?.toLowerCase() === "completed" ? "Digital code" : "Digital, no parcel"
    const none = isWaiting(order.status) ? "Not yet" : "None"
    return <span className="text-muted">{isDigital(type) ? digital : none}</span>
  }
  if (twoLines) {
    return (
      <span className={classes.lines}>
        <span className="l-mono truncate">{number ?? "No number"}</span>
        <span className="l-meta text-secondary truncate">{carrier}</span>
      </span>
    )
  }
  return (
    <span className={classes.shipment}>
      {carrier !== undefined && <span className="text-secondary truncate">{carrier}</span>}
      {number !== undefined && <CutText text={number} look="l-mono" />}
    </span>
  )
}
