import { Box, Group, Stack } from "@mantine/core"
import { IconPlus } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { type Order, shipmentOf } from "../../../contract/program/order.ts"
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

const idColumn = (id: string, label: string, field: "member_id" | "reward_id"): OrderColumn => ({
  id,
  label,
  width: 168,
  hidden: true,
  value: ({ order }) => order[field] ?? undefined,
  cell: ({ order }) => cut(order[field], "l-mono text-secondary"),
})

const timeColumn = (id: string, label: string, field: "created_at" | "shipped_at"): OrderColumn => ({
  id,
  label,
  width: 148,
  end: true,
  descFirst: true,
  value: ({ order }) => timeOf(order[field]),
  cell: ({ order }) => <RelativeTime at={order[field]} calendar className="text-muted" />,
})

function timeOf(at: string | null | undefined): number | undefined {
  const ms = at ? millis(at) : Number.NaN
  return Number.isNaN(ms) ? undefined : ms
}

const cut = (text: string | null | undefined, look: string) =>
  text ? <Truncate className={look}>{text}</Truncate> : null

const columns = {
  order: {
    id: "order",
    label: "Order",
    width: 112,
    touch: "phone",
    value: ({ order }) => order.order_id,
    cell: ({ order, member }, layout) =>
      layout === "phone" ? (
        <TwoLines top={<OrderLink order={order}>{orderName(order)}</OrderLink>}>
          {member === "" ? "" : `${member}, `}
          <span className="l-mono">{order.order_id}</span>
        </TwoLines>
      ) : (
        <OrderLink order={order} look={`l-mono ${classes.id}`}>
          {order.order_id}
        </OrderLink>
      ),
  },
  status: {
    id: "status",
    label: "Status",
    width: 124,
    touch: "phone",
    value: ({ order }) => order.status ?? undefined,
    cell: (row, layout) => {
      const status = <Status of="order" value={row.order.status} />
      return layout === "phone" ? (
        <TwoLines end top={status}>
          {waitsForParcel(row) && <Waiting since={row.order.created_at} />}
        </TwoLines>
      ) : (
        status
      )
    },
  },
  reward: {
    id: "reward",
    label: "Reward",
    touch: "tablet",
    value: ({ order }) => orderName(order),
    cell: ({ order, member }, layout) => (
      <TwoLines top={cut(orderName(order), "l-medium")} look="text-secondary">
        {layout === "tablet" && member}
      </TwoLines>
    ),
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
    cell: ({ member, order }) =>
      cut(member, member === order.member_id ? "text-secondary l-mono" : "text-secondary"),
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
    touch: "tablet",
    value: ({ order }) => shipmentOf(order).tracking_number,
    cell: (row, layout) =>
      layout === "wide" ? <TrackingCell row={row} /> : <ShipmentCell row={row} twoLines />,
  },
  waiting: {
    id: "waiting",
    label: "Waiting",
    width: 88,
    end: true,
    hidden: true,
    touch: "tablet",
    descFirst: true,
    value: (row) => (waitsForParcel(row) ? -(timeOf(row.order.created_at) ?? 0) : undefined),
    cell: (row) => waitsForParcel(row) && <Waiting since={row.order.created_at} />,
  },
  created: timeColumn("created", "Created", "created_at"),
  shipped: { ...timeColumn("shipped", "Shipped", "shipped_at"), hidden: true },
  memberId: idColumn("member-id", "Member id", "member_id"),
  rewardId: idColumn("reward-id", "Reward id", "reward_id"),
} as const satisfies Readonly<Record<string, OrderColumn>>

/** The columns of the list, in the order of the look: what, its state, what describes it, amount, time. */
export const orderColumns: readonly OrderColumn[] = Object.values(columns)

/** The same for what waits for a parcel: how long counts, not since when. */
export const waitingColumns: readonly OrderColumn[] = Object.values({
  ...columns,
  waiting: { ...columns.waiting, hidden: false },
  created: { ...columns.created, hidden: true },
})

/** A member's orders: what was ordered leads, for whom they are is known. */
export const memberOrderColumns: readonly OrderColumn[] = [
  {
    ...columns.reward,
    touch: "phone",
    cell: ({ order }, layout) => (
      <TwoLines top={<OrderLink order={order}>{orderName(order)}</OrderLink>}>
        {layout !== "wide" && <span className="l-mono">{order.order_id}</span>}
      </TwoLines>
    ),
  },
  {
    id: "order",
    label: "Order",
    width: 128,
    cell: ({ order }) => <span className="l-mono text-secondary">{order.order_id}</span>,
  },
  { ...columns.status, cell: ({ order }) => <Status of="order" value={order.status} /> },
  { ...columns.points, touch: "phone" },
  {
    ...columns.tracking,
    cell: (row, layout) => <ShipmentCell row={row} twoLines={layout !== "wide"} />,
  },
  columns.created,
]

/** Below the first line a small one; `false` leaves it out. */
function TwoLines(props: { top: ReactNode; children: ReactNode; look?: string; end?: boolean }) {
  const { top, children, look = "text-muted", end = false } = props
  return (
    <Stack component="span" gap={0} miw={0} align={end ? "end" : "stretch"}>
      {top}
      {children !== false && <span className={`l-meta truncate ${look}`}>{children}</span>}
    </Stack>
  )
}

function OrderLink({ order, look = "", children }: { order: Order; look?: string; children: string }) {
  return (
    <Link
      to="/orders/$orderId"
      params={{ orderId: order.order_id }}
      data-row-link
      className={`${links.link} truncate ${look}`}
    >
      {children}
    </Link>
  )
}

function TrackingCell({ row }: { row: OrderRow }) {
  const { order_id: orderId } = row.order
  if (!useCan("orders.update") || !waitsForParcel(row) || shipmentOf(row.order).carrier !== undefined)
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

function ShipmentCell({ row: { order, type }, twoLines = false }: { row: OrderRow; twoLines?: boolean }) {
  const { tracking_number: number, carrier } = shipmentOf(order)
  if (number === undefined && carrier === undefined) {
    const digital = order.status?.toLowerCase() === "completed" ? "Digital code" : "Digital, no parcel"
    const none = isWaiting(order.status) ? "Not yet" : "None"
    return <span className="text-muted">{isDigital(type) ? digital : none}</span>
  }
  if (twoLines) {
    return (
      <TwoLines top={<span className="l-mono truncate">{number ?? "No number"}</span>} look="text-secondary">
        {carrier}
      </TwoLines>
    )
  }
  return (
    <Group component="span" gap={8} align="baseline" wrap="nowrap" miw={0}>
      {carrier !== undefined && (
        <Box component="span" flex="none" maw="50%" className="text-secondary truncate">
          {carrier}
        </Box>
      )}
      {cut(number, "l-mono")}
    </Group>
  )
}
