import { IconPencil } from "@tabler/icons-react"
import { CellLink } from "../../ui/record-link.tsx"
import type { MouseEvent, ReactNode } from "react"
import { isWaiting, type Order, shipmentOf } from "../../../contract/program/order.ts"
import { rawValue } from "../../../contract/reading.ts"
import { millis } from "../../lib/time.ts"
import { layoutOf, type ListCell, type ListColumn } from "../../lists/list-columns.ts"
import { plainText } from "../../lists/list-table.tsx"
import links from "../../lists/list-table.module.css"
import { Status } from "../../ui/status.tsx"
import { Points, RelativeTime, Truncate } from "../../ui/values.tsx"
import { isDigital, isToShip, orderName, type OrderRow, Waiting, waitsForParcel } from "./order-row.tsx"
import { sortFields } from "./order-search.ts"
import classes from "./orders-list.module.css"

type OrderColumn = ListColumn<OrderRow>
type OrderCell = ListCell<OrderRow>

const idColumn = (id: string, header: string, field: "member_id" | "reward_id"): OrderColumn => ({
  id,
  header,
  size: 168,
  accessorFn: ({ order }) => order[field] ?? undefined,
  meta: { hidden: true, className: "l-mono text-secondary" },
})

const timeColumn = (
  id: string,
  header: string,
  field: "created_at" | "shipped_at",
  hidden: boolean,
): OrderColumn => ({
  id,
  header,
  size: 148,
  sortDescFirst: true,
  accessorFn: ({ order }) => timeOf(order[field]),
  cell: ({ row }) => <RelativeTime at={row.original.order[field]} calendar />,
  meta: { priority: 2, align: "end", className: "text-muted", hidden },
})

function timeOf(at: string | null | undefined): number | undefined {
  const ms = at ? millis(at) : Number.NaN
  return Number.isNaN(ms) ? undefined : ms
}

const columns = {
  order: {
    id: "order",
    header: "Order",
    size: 112,
    accessorFn: ({ order }) => order.order_id,
    cell: ({ row: { original }, table }) =>
      layoutOf(table) === "phone" ? (
        <TwoLines top={<OrderLink order={original.order}>{orderName(original.order)}</OrderLink>}>
          {original.member === "" ? "" : `${original.member}, `}
          <span className="l-mono">{original.order.order_id}</span>
        </TwoLines>
      ) : (
        <OrderLink order={original.order} look={`l-mono ${classes.id}`}>
          {original.order.order_id}
        </OrderLink>
      ),
    meta: { minLayout: "phone" },
  },
  status: {
    id: "status",
    header: "Status",
    size: 124,
    accessorFn: ({ order }) => order.status ?? undefined,
    cell: StatusCell,
    meta: { touchWidth: 140, phoneAlign: "end", minLayout: "phone" },
  },
  reward: {
    id: "reward",
    header: "Reward",
    accessorFn: ({ order }) => orderName(order),
    cell: ({ row: { original }, table }) =>
      layoutOf(table) === "wide" ? (
        <Truncate className="l-medium">{orderName(original.order)}</Truncate>
      ) : (
        <TwoLines
          top={<Truncate className="l-medium">{orderName(original.order)}</Truncate>}
          look="text-secondary"
        >
          {original.member}
        </TwoLines>
      ),
    meta: { minLayout: "tablet" },
  },
  type: {
    id: "type",
    header: "Type",
    size: 96,
    accessorFn: ({ type }) => type,
    cell: ({ row }) => <Status of="reward-type" value={row.original.type} />,
    meta: { priority: 1 },
  },
  member: {
    id: "member",
    header: "Member",
    size: 152,
    accessorFn: ({ member }) => member || undefined,
    // The id until the name is known.
    cell: ({ row: { original } }) => (
      <Truncate className={original.member === original.order.member_id ? "l-mono" : ""}>
        {original.member}
      </Truncate>
    ),
    meta: { className: "text-secondary" },
  },
  points: {
    id: "points",
    header: "Points",
    size: 80,
    sortDescFirst: true,
    accessorFn: ({ order }) => order.points_spent ?? undefined,
    cell: ({ row: { original } }) => (
      <Points value={original.order.points_spent} sent={rawValue(original.order, "points_spent")} />
    ),
    meta: { priority: 3, align: "end" },
  },
  tracking: {
    id: "tracking",
    header: "Tracking",
    size: 228,
    accessorFn: ({ order }) => shipmentOf(order).tracking_number,
    cell: Shipment,
    meta: { touchWidth: 176, minLayout: "tablet" },
  },
  waiting: {
    id: "waiting",
    header: "Waiting",
    size: 88,
    sortDescFirst: true,
    accessorFn: (row) => (isToShip(row) ? -(timeOf(row.order.created_at) ?? 0) : undefined),
    cell: ({ row }) => isToShip(row.original) && <Waiting since={row.original.order.created_at} />,
    meta: { align: "end", minLayout: "tablet" },
  },
  created: timeColumn("created", "Created", "created_at", false),
  shipped: timeColumn("shipped", "Shipped", "shipped_at", true),
  memberId: idColumn("member-id", "Member id", "member_id"),
  rewardId: idColumn("reward-id", "Reward id", "reward_id"),
} as const satisfies Readonly<Record<string, OrderColumn>>

/**
 * The columns of the list, in reading order: what, state, description, amount, time. With `waits`, the age of the
 * order instead of its date. With `onEdit`, tracking numbers are edited in the row. `copied`: rows come sorted from the
 * local copy.
 */
export function orderColumns(of: { waits: boolean; copied: boolean; onEdit: OnEdit | undefined }) {
  const { waits, copied, onEdit } = of
  const all = Object.values<OrderColumn>({
    ...columns,
    ...(onEdit && editableColumns(onEdit)),
    waiting: { ...columns.waiting, meta: { ...columns.waiting.meta, hidden: !waits } },
    created: timeColumn("created", "Created", "created_at", waits),
  })
  return copied ? all.map((column) => ({ ...column, enableSorting: sortFields.has(column.id ?? "") })) : all
}

/** Columns of one member's orders, without the member. */
export const memberOrderColumns: readonly OrderColumn[] = [
  {
    ...columns.reward,
    cell: ({ row: { original }, table }) => (
      <TwoLines top={<OrderLink order={original.order}>{orderName(original.order)}</OrderLink>}>
        {layoutOf(table) !== "wide" && <span className="l-mono">{original.order.order_id}</span>}
      </TwoLines>
    ),
    meta: { minLayout: "phone" },
  },
  { ...columns.order, size: 128, cell: plainText, meta: { className: "l-mono text-secondary" } },
  { ...columns.status, cell: ({ row }) => <Status of="order" value={row.original.order.status} /> },
  { ...columns.points, meta: { ...columns.points.meta, minLayout: "phone" } },
  columns.tracking,
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

function StatusCell({ row: { original }, table }: OrderCell): ReactNode {
  const status = <Status of="order" value={original.order.status} />
  if (layoutOf(table) !== "phone") return status
  return (
    <TwoLines end top={status}>
      {isToShip(original) && <Waiting since={original.order.created_at} />}
    </TwoLines>
  )
}

/** Edits the tracking number of a row, at a cell. */
type OnEdit = (row: OrderRow, cell: Element) => void

/** The columns with a button for editing the tracking number; on a phone it is in the status column. */
function editableColumns(onEdit: OnEdit) {
  const status: OrderColumn = {
    ...columns.status,
    cell: (cell) => {
      const row = cell.row.original
      if (layoutOf(cell.table) !== "phone") return <StatusCell {...cell} />
      if (hasShipment(row.order)) {
        return (
          <>
            <StatusCell {...cell} />
            <EditButton row={row} onEdit={onEdit} />
          </>
        )
      }
      if (!waitsForParcel(row)) return <StatusCell {...cell} />
      return (
        <TwoLines end top={<Status of="order" value={row.order.status} />}>
          <Waiting since={row.order.created_at} /> <AddButton row={row} onEdit={onEdit} wide={false} />
        </TwoLines>
      )
    },
  }
  const tracking: OrderColumn = {
    ...columns.tracking,
    cell: (cell) => {
      const row = cell.row.original
      const wide = layoutOf(cell.table) === "wide"
      const has = hasShipment(row.order)
      const adds = !has && waitsForParcel(row)
      return (
        <>
          {adds && <AddButton row={row} onEdit={onEdit} wide={wide} />}
          {(wide || !adds) && <Shipment {...cell} />}
          {has && <EditButton row={row} onEdit={onEdit} />}
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

function Shipment({ row: { original }, table }: OrderCell): ReactNode {
  const { order, type } = original
  const { tracking_number: number, carrier } = shipmentOf(order)
  if (!hasShipment(order)) {
    const digital = order.status?.toLowerCase() === "completed" ? "Digital code" : "Digital, no parcel"
    const none = isWaiting(order.status) ? "Not yet" : "None"
    return <span className="text-muted">{isDigital(type) ? digital : none}</span>
  }
  if (layoutOf(table) !== "wide") {
    return (
      <TwoLines top={<span className="l-mono truncate">{number ?? "No number"}</span>} look="text-secondary">
        {carrier}
      </TwoLines>
    )
  }
  return (
    <span className={links.cellParts}>
      {carrier !== undefined && (
        <span className={`text-secondary truncate ${classes.carrier}`}>{carrier}</span>
      )}
      {number !== undefined && <Truncate className="l-mono">{number}</Truncate>}
    </span>
  )
}
