import { useQueryClient } from "@tanstack/react-query"
import { createExport } from "../../../api/exports.ts"
import { isoDayOf } from "../../../lib/time.ts"
import { DownloadDialog } from "../../../ui/download.tsx"
import { ordersText } from "../list/status-change.ts"
import type { OrderRow } from "../show/order-row.ts"
import { ExportWords } from "./export-words.tsx"
import { orderCsvColumns } from "./order-csv.ts"
import { orderCsvRows } from "./read-beside.ts"

interface ExportSelectionProps {
  rows: readonly OrderRow[]
  onClose: () => void
}

/** Exports orders that are on the screen: nothing is asked of the service. Needs `exports.people`. */
export function ExportSelection({ rows, onClose }: ExportSelectionProps) {
  const client = useQueryClient()
  const types = new Map(
    rows.flatMap(({ order, type }) => (type && order.reward_id ? [[order.reward_id, type] as const] : [])),
  )
  const orders = rows.map(({ order }) => order)
  return (
    <DownloadDialog
      title={`Export ${ordersText(rows.length)}`}
      action={`Export ${ordersText(rows.length)}`}
      ready={rows.length > 0}
      task={() => ({
        name: `Orders ${isoDayOf(Date.now())}.csv`,
        columns: orderCsvColumns,
        large: false,
        run: async (file, signal, onProgress) => {
          await createExport({ kind: "orders", filter: { selected: String(orders.length) } }, signal)
          onProgress({ done: 0, of: 1, restarts: 0 })
          const cells = await orderCsvRows(client, orders, types)
          signal.throwIfAborted()
          await file.begin()
          await file.add(cells)
          return cells.length
        },
      })}
      onClose={onClose}
    >
      <ExportWords what={`the ${ordersText(rows.length)} you selected, as shown`} />
      <p className="text-secondary">No request: everything in it is here already.</p>
    </DownloadDialog>
  )
}
