import { IconDownload, IconPrinter, IconTruckDelivery } from "@tabler/icons-react"
import { useNavigate } from "@tanstack/react-router"
import { lazy, Suspense, useState } from "react"
import { useCan } from "../../../api/session.ts"
import { formatPoints } from "../../../lib/format.ts"
import { SelectionAction, SelectionBar } from "../../../lists/selection.tsx"
import type { Selection } from "../../../lists/selection.tsx"
import type { OrderRow } from "../order-row.tsx"
import { printable } from "./printable.ts"

const StatusDialog = lazy(async () => ({
  default: (await import("../status-dialog.tsx")).StatusDialog,
}))
const ExportSelection = lazy(async () => ({
  default: (await import("../export-orders.tsx")).ExportSelection,
}))

/** What can be done with the selected orders. */
export function OrderSelection({ selection }: { selection: Selection<OrderRow> }) {
  const [open, setOpen] = useState<"status" | "export">()
  const mayUpdate = useCan("orders.update")
  const mayExport = useCan("exports.people")
  const { rows } = selection
  const points = rows.reduce((sum, { order }) => sum + (order.points_spent ?? 0), 0)
  const navigate = useNavigate()
  const paper = printable(rows.map(({ order }) => order.order_id))
  const close = () => setOpen(undefined)
  return (
    <>
      <SelectionBar
        count={rows.length}
        sum={`${formatPoints(points)} points spent`}
        onClear={selection.clear}
      >
        {mayUpdate && (
          <SelectionAction
            icon={<IconTruckDelivery size={16} stroke={1.75} aria-hidden />}
            label="Change status"
            onClick={() => setOpen("status")}
          />
        )}
        {mayUpdate && (
          <SelectionAction
            icon={<IconPrinter size={16} stroke={1.75} aria-hidden />}
            label={paper.count < rows.length ? `Print the first ${paper.count}` : "Print"}
            onClick={() => void navigate({ to: "/orders/print", search: { ids: paper.ids } })}
          />
        )}
        {mayExport && (
          <SelectionAction
            icon={<IconDownload size={16} stroke={1.75} aria-hidden />}
            label="Export"
            onClick={() => setOpen("export")}
          />
        )}
      </SelectionBar>
      <Suspense>
        {open === "status" && (
          <StatusDialog
            orders={rows.map(({ order }) => order)}
            onClose={(started) => {
              close()
              if (started) selection.clear()
            }}
          />
        )}
        {open === "export" && <ExportSelection rows={rows} onClose={close} />}
      </Suspense>
    </>
  )
}
