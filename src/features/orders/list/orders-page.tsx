import { Button } from "@mantine/core"
import { Outlet } from "@tanstack/react-router"
import { lazy, Suspense, useRef, useState } from "react"
import { useCan } from "../../../api/session.ts"
import { useColumnChoice, useListLayout, useListTable } from "../../../lists/list-columns.ts"
import { ColumnsButton } from "../../../lists/filters.tsx"
import { FilterRow, ListPage } from "../../../lists/list-page.tsx"
import { ListTableView } from "../../../lists/list-table.tsx"
import { useListKeys } from "../../../lists/list-keys.ts"
import { useSelection } from "../../../lists/selection.tsx"
import { millis } from "../../../lib/time.ts"
import { RequirePermission } from "../../../ui/require-permission.tsx"
import { PageHeader } from "../../../ui/page-header.tsx"
import { orderName, type OrderRow } from "../order-row.tsx"
import { orderColumns, waitingColumns } from "./order-columns.tsx"
import { OrderFilters } from "./order-filters.tsx"
import { OrderSelection } from "./order-selection.tsx"
import { OrderTabs } from "./order-tabs.tsx"
import { OrdersActions } from "./orders-actions.tsx"
import { OrdersEmpty } from "./orders-empty.tsx"
import { OrdersFoot } from "./orders-foot.tsx"
import { OrdersNotes } from "./orders-notes.tsx"
import { filterOf, isFiltered, noOrderFilter } from "../search.ts"
import { sumWords } from "./orders-words.ts"
import { phoneColumns, tabletColumns } from "./touch-columns.tsx"
import { useOrderList } from "./use-order-list.ts"

const ExportOrders = lazy(async () => ({
  default: (await import("../export-orders.tsx")).ExportOrders,
}))

const touchColumns = { tablet: tabletColumns, phone: phoneColumns } as const
const idOf = ({ order }: OrderRow) => order.order_id
const nameOf = ({ order }: OrderRow) => `${order.order_id}, ${orderName(order)}`
const none: readonly OrderRow[] = []

/** The orders, with what opens above them. */
export function OrdersPage() {
  const list = useOrderList()
  const { search, rows, waiting } = list
  const mayUpdate = useCan("orders.update")
  const mayExport = useCan("exports.people")
  const root = useRef<HTMLDivElement>(null)
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  const layout = useListLayout()
  const [choice, choose] = useColumnChoice("orders")
  const wideColumns = list.toShip ? waitingColumns : orderColumns
  // What stays on the screen while another question is asked cannot be picked for it.
  const question = JSON.stringify([search.status, filterOf(search)])
  const selection = useSelection(waiting === "no" ? rows : none, idOf, question)
  const table = useListTable({
    columns: layout === "wide" ? wideColumns : touchColumns[layout],
    rows,
    idOf,
    layout,
    choice,
    sorting: list.complete ? { sort: search.sort, onSort: (sort) => list.set({ sort }) } : undefined,
    selection: mayUpdate || mayExport ? selection : undefined,
  })
  useListKeys(root, selection.clear)

  return (
    <ListPage ref={root}>
      <PageHeader title="Orders" sum={sumWords(list)} actions={<OrdersActions list={list} />} />
      <OrderTabs list={list} />
      <FilterRow
        onClear={isFiltered(search) ? () => list.setFilter(noOrderFilter) : undefined}
        end={
          <>
            {layout === "wide" && !list.complete && !list.toShip && (
              <span className="l-meta text-muted" title="The order in which the service sends them">
                {isNewestFirst(rows) ? "Newest first" : "Service order"}
              </span>
            )}
            <RequirePermission permission="exports.people">
              <Button onClick={() => list.set({ open: "export" })}>Export</Button>
            </RequirePermission>
            {layout === "wide" && <ColumnsButton columns={wideColumns} choice={choice} onChoose={choose} />}
          </>
        }
      >
        <OrderFilters list={list} />
      </FilterRow>
      <OrdersNotes list={list} />
      <ListTableView
        table={table}
        label="Orders"
        layout={layout}
        nameOf={nameOf}
        waiting={waiting}
        scroller={scroller}
        onScroller={setScroller}
        raised={selection.rows.length > 0}
        empty={list.read === undefined ? undefined : <OrdersEmpty list={list} />}
      />
      {selection.rows.length > 0 && <OrderSelection selection={selection} />}
      <OrdersFoot list={list} />
      {search.open === "export" && mayExport && (
        <Suspense>
          <ExportOrders list={list} onClose={() => list.set({ open: undefined })} />
        </Suspense>
      )}
      <Outlet />
    </ListPage>
  )
}

/** The service does not document its order, so what is said of it is checked on the rows shown. */
function isNewestFirst(rows: readonly OrderRow[]): boolean {
  const times = rows.map(({ order }) => (order.created_at ? millis(order.created_at) : Number.NaN))
  return times.every((at, index) => index === 0 || at <= (times[index - 1] ?? Number.NaN))
}
