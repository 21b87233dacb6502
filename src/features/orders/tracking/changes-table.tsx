import { IconArrowRight, IconListCheck } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { formatCount } from "../../../lib/format.ts"
import { type DataColumn, DataTable } from "../../../ui/data-table.tsx"
import { EmptyState } from "../../../ui/query-state.tsx"
import { Status } from "../../../ui/status.tsx"
import type { PlannedRow, TrackingPlan } from "./tracking-plan.ts"
import classes from "./tracking.module.css"

/** Rows drawn at once. */
const most = 500

const asides = { change: undefined, same: "Nothing to change", unread: "Not read" }

const columns: readonly DataColumn<PlannedRow>[] = [
  {
    label: "Order",
    rowHeader: true,
    cell: ({ row: { order_id: orderId }, change }) => (
      <>
        <Link to="/orders/$orderId" params={{ orderId }} className="l-link l-mono">
          {orderId}
        </Link>
        <span className={`caption ${classes.aside}`}>{asides[change]}</span>
      </>
    ),
  },
  { label: "Status", cell: (row) => move(row, "status", (value) => <Status of="order" value={value} />) },
  {
    label: "Tracking number",
    cell: (row) => move(row, "tracking_number", (value) => <span className="l-mono">{value}</span>),
  },
  { label: "Carrier", cell: (row) => move(row, "carrier", (value) => value) },
]

/** One field before and after; a field that stays is said once. */
function move(
  { before, after }: PlannedRow,
  field: "status" | "tracking_number" | "carrier",
  draw: (value: string) => ReactNode,
) {
  const from = before?.[field] ?? ""
  const to = after[field]
  if (to === undefined || to === from) return <span className="text-muted">{draw(from)}</span>
  return (
    <span className={classes.move}>
      {from !== "" && (
        <>
          <span className="text-muted">{draw(from)}</span>
          <IconArrowRight size={14} stroke={2} aria-label="becomes" />
        </>
      )}
      <span>{draw(to)}</span>
    </span>
  )
}

/** What changes in each order: before, and after. Rows with problems, and those left out, are not among them. */
export function ChangesTable({ plan: { rows } }: { plan: TrackingPlan }) {
  if (rows.length === 0) {
    return (
      <EmptyState
        icon={IconListCheck}
        title="No orders would change"
        help="Rows with problems and excluded rows aren’t sent."
      />
    )
  }
  return (
    <div className={classes.scroller} data-scroll-restoration-id="tracking-changes">
      <DataTable
        wide
        label="What changes"
        columns={columns}
        rows={rows.slice(0, most)}
        keyOf={({ row }) => row.number}
        toneOf={({ change }) => (change === "same" ? "quiet" : undefined)}
      />
      {rows.length > most && (
        <p className={`caption ${classes.more}`}>
          The first {formatCount(most)} of {formatCount(rows.length)}. The others are sent as well.
        </p>
      )}
    </div>
  )
}
