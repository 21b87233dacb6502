import { Box, Group } from "@mantine/core"
import { IconArrowRight, IconListCheck } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { formatCount } from "../../../lib/format.ts"
import { type DataColumn, DataTable } from "../../../ui/data-table.tsx"
import { EmptyState } from "../../../ui/query-state.tsx"
import { Status } from "../../../ui/status.tsx"
import type { PlannedRow, TrackingPlan } from "./tracking-plan.ts"

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
        <Box component="span" className="caption" ms={8}>
          {asides[change]}
        </Box>
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

function move({ before, after }: PlannedRow, field: keyof typeof after, draw: (value: string) => ReactNode) {
  const from = before?.[field] ?? ""
  const to = after[field]
  if (to === undefined || to === from) return <span className="text-muted">{draw(from)}</span>
  return (
    <Group component="span" display="inline-flex" gap={6} wrap="nowrap">
      {from !== "" && (
        <>
          <span className="text-muted">{draw(from)}</span>
          <IconArrowRight size={14} stroke={2} aria-label="becomes" className="text-muted" />
        </>
      )}
      <span>{draw(to)}</span>
    </Group>
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
    <Box className="grow scroll nowrap" mt={12} data-scroll-restoration-id="tracking-changes">
      <DataTable
        wide
        label="What changes"
        columns={columns}
        rows={rows.slice(0, most)}
        keyOf={({ row }) => row.number}
        toneOf={({ change }) => (change === "same" ? "quiet" : undefined)}
      />
      {rows.length > most && (
        <Box component="p" className="caption" px="gutter" py={12}>
          The first {formatCount(most)} of {formatCount(rows.length)}. The others are sent as well.
        </Box>
      )}
    </Box>
  )
}
