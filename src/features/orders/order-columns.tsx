import { IconPencil } from "@tabler/icons-react"
import { CellLink } from "../../ui/record-link.tsx"
import type { MouseEvent, ReactNode } from "react"
import { isWaiting, type Order, shipmentOf } from "../../../contract/program/order.ts"
import { rawValue } from "../../../contract/reading.ts"
import { millis } from "../../lib/time.ts"
import type { ListColumn, ListLayout } from "../../lists/list-columns.ts"
import links from "../../lists/list-table.module.css"
import { Status } from "../../ui/status.tsx"
import { plainPoints, Truncate } from "../../ui/values.tsx"
import { isDigital, orderName, type OrderRow, Waiting, waitsForParcel } from "./order-row.tsx"
import classes from "./orders-list.module.css"

type OrderColumn = ListColumn<OrderRow>

const idColumn = (id: string, label: string, field: "member_id" | "reward_id"): OrderColumn => ({
  id,
  label,
  width: 168,
  hidden: true,
  value: ({ order }) => order[field] ?? undefined,
  look: "l-mono text-secondary",
  cell: ({ order }) => order[field],
})

const timeColumn = (id: string, label: string, field: "created_at" | "shipped_at"): OrderColumn => ({
  id,
  label,
  width: 148,
  yields: 2,
  end: true,
  descFirst: true,
  value: ({ order }) => timeOf(order[field]),
  look: "text-muted",
  time: ({ order }) => order[field],
  calendar: true,
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
    narrow: 140,
    phoneEnd: true,
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
    look: (_, layout) => (layout === "wide" ? "l-medium" : ""),
    cell: ({ order, member }, layout) =>
      layout === "wide" ? (
        orderName(order)
      ) : (
        <TwoLines top={cut(orderName(order), "l-medium")} look="text-secondary">
          {member}
        </TwoLines>
      ),
  },
  type: {
    id: "type",
    label: "Type",
    width: 96,
    yields: 1,
    value: ({ type }) => type,
    cell: ({ type }) => <Status of="reward-type" value={type} />,
  },
  member: {
    id: "member",
    label: "Member",
    width: 152,
    value: ({ member }) => member || undefined,
    // The id until the name is known.
    look: ({ member, order }) => (member === order.member_id ? "text-secondary l-mono" : "text-secondary"),
    cell: ({ member }) => member,
  },
  points: {
    id: "points",
    label: "Points",
    width: 80,
    yields: 3,
    end: true,
    descFirst: true,
    value: ({ order }) => order.points_spent ?? undefined,
    look: ({ order }) => (order.points_spent ? "l-strong" : ""),
    cell: ({ order }) => plainPoints(order.points_spent, rawValue(order, "points_spent")),
  },
  tracking: {
    id: "tracking",
    label: "Tracking",
    width: 228,
    narrow: 176,
    touch: "tablet",
    value: ({ order }) => shipmentOf(order).tracking_number,
    look: ({ order }) => (hasShipment(order) ? "" : "text-muted"),
    cell: (row, layout) => shipmentCell(row, layout !== "wide"),
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

/**
 * The columns of the list, in reading order: what, state, description, amount, time. With `waits`, the age of the
 * order instead of its date. With `onEdit`, tracking numbers are edited in the row.
 */
export function orderColumns({ waits, onEdit }: { waits: boolean; onEdit: OnEdit | undefined }) {
  return Object.values<OrderColumn>({
    ...columns,
    ...(onEdit && editableColumns(onEdit)),
    waiting: { ...columns.waiting, hidden: !waits },
    created: { ...columns.created, hidden: waits },
  })
}

/** Columns of one member's orders, without the member. */
export const memberOrderColumns: readonly OrderColumn[] = [
  {
    ...columns.reward,
    touch: "phone",
    look: "",
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
    look: "l-mono text-secondary",
    cell: ({ order }) => order.order_id,
  },
  { ...columns.status, cell: ({ order }) => <Status of="order" value={order.status} /> },
  { ...columns.points, touch: "phone" },
  {
    ...columns.tracking,
    cell: (row, layout) => shipmentCell(row, layout !== "wide"),
  },
  columns.created,
]

/** Two lines, the second one small; `false` leaves it out. */
function TwoLines(props: { top: ReactNode; children: ReactNode; look?: string; end?: boolean }) {
  const { top, children, look = "text-muted", end = false } = props
  return (
    <span className={links.lines} data-end={end || undefined}>
      {top}
      {children !== false && <span className={`l-meta truncate ${look}`}>{children}</span>}
    </span>
  )
}

function OrderLink({ order, look = "", children }: { order: Order; look?: string; children: string }) {
  return (
    <CellLink
      to="/orders/$orderId"
      params={{ orderId: order.order_id }}
      data-row-link
      className={`${links.link} truncate ${look}`}
    >
      {children}
    </CellLink>
  )
}

const hasShipment = (order: Order) => {
  const { tracking_number: number, carrier } = shipmentOf(order)
  return number !== undefined || carrier !== undefined
}

/** Edits the tracking number of a row, at a cell. */
type OnEdit = (row: OrderRow, cell: Element) => void

/** The columns with a button for editing the tracking number; on a phone it is in the status column. */
function editableColumns(onEdit: OnEdit) {
  const button = (row: OrderRow, layout: ListLayout) => {
    if (hasShipment(row.order)) return <EditButton row={row} onEdit={onEdit} />
    return waitsForParcel(row) && <AddButton row={row} onEdit={onEdit} wide={layout === "wide"} />
  }
  const status: OrderColumn = {
    ...columns.status,
    look: (row, layout) => (layout === "phone" && hasShipment(row.order) ? (classes.edits ?? "") : ""),
    cell: (row, layout) => {
      if (layout !== "phone") return columns.status.cell(row, layout)
      if (hasShipment(row.order)) {
        return (
          <>
            {columns.status.cell(row, layout)}
            {button(row, layout)}
          </>
        )
      }
      if (!waitsForParcel(row)) return columns.status.cell(row, layout)
      return (
        <TwoLines end top={<Status of="order" value={row.order.status} />}>
          <Waiting since={row.order.created_at} /> {button(row, layout)}
        </TwoLines>
      )
    },
  }
  const tracking: OrderColumn = {
    ...columns.tracking,
    look: (row, layout) => {
      if (hasShipment(row.order)) return classes.edits ?? ""
      return `text-muted ${waitsForParcel(row) && layout === "wide" ? classes.adds : ""}`
    },
    cell: (row, layout) => {
      if (layout !== "wide" && !hasShipment(row.order) && waitsForParcel(row)) return button(row, layout)
      return (
        <>
          {shipmentCell(row, layout !== "wide")}
          {button(row, layout)}
        </>
      )
    },
  }
  return { status, tracking }
}

interface EditButtonProps {
  row: OrderRow
  onEdit: OnEdit
}

const editAt = ({ row, onEdit }: EditButtonProps) => ({
  type: "button" as const,
  "data-row-edit": true,
  onClick: ({ currentTarget }: MouseEvent<HTMLButtonElement>) =>
    onEdit(row, currentTarget.closest("td") ?? currentTarget),
})

function AddButton({ wide, ...props }: EditButtonProps & { wide: boolean }) {
  return (
    <button
      {...editAt(props)}
      className={wide ? classes.add : classes.touchAdd}
      aria-label={`Add tracking to ${props.row.order.order_id}`}
    >
      Add tracking
    </button>
  )
}

function EditButton(props: EditButtonProps) {
  return (
    <button
      {...editAt(props)}
      className={classes.edit}
      aria-label={`Edit the tracking number of ${props.row.order.order_id}`}
    >
      <IconPencil size={16} stroke={1.75} aria-hidden />
    </button>
  )
}

function shipmentCell({ order, type }: OrderRow, twoLines: boolean): ReactNode {
  const { tracking_number: number, carrier } = shipmentOf(order)
  if (!hasShipment(order)) {
    const digital = order.status?.toLowerCase() === "completed" ? "Digital code" : "Digital, no parcel"
    const none = isWaiting(order.status) ? "Not yet" : "None"
    return isDigital(type) ? digital : none
  }
  if (twoLines) {
    return (
      <TwoLines top={<span className="l-mono truncate">{number ?? "No number"}</span>} look="text-secondary">
        {carrier}
      </TwoLines>
    )
  }
  return (
    <span className={links.beside}>
      {carrier !== undefined && (
        <span className={`text-secondary truncate ${classes.carrier}`}>{carrier}</span>
      )}
      {cut(number, "l-mono")}
    </span>
  )
}
