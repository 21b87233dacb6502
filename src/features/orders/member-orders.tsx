import { IconPackage } from "@tabler/icons-react"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useMemo, useState } from "react"
import { type Order, shipmentOf } from "../../../contract/program/order.ts"
import { ordersQuery } from "../../api/orders.ts"
import { orderColumns } from "./list/order-columns.tsx"
import { QuietTracking } from "./list/tracking-cell.tsx"
import { orderName, orderRow, type OrderRow, useRewardTypes } from "./order-row.tsx"
import type { ListColumn } from "../../lists/list-columns.ts"
import { ListNotes } from "../../lists/list-page.tsx"
import type { PageSize } from "../../lists/list-params.ts"
import { ListTableView } from "../../lists/list-table.tsx"
import { PagingFoot } from "../../lists/list-page.tsx"
import { useLate } from "../../lists/list-columns.ts"
import { useListLayout } from "../../lists/list-columns.ts"
import { useListTable } from "../../lists/list-columns.ts"
import { AsOf } from "../../ui/query-state.tsx"
import { EmptyState } from "../../ui/query-state.tsx"
import { ErrorNotice } from "../../ui/error-notice.tsx"
import classes from "./orders-list.module.css"
import links from "../../lists/list-table.module.css"

const idOf = ({ order }: OrderRow) => order.order_id
const nameOf = ({ order }: OrderRow) => orderName(order)
const none: readonly Order[] = []
const everyColumn = {}

/** The orders of one member, as the service sends them. */
export function MemberOrders({ memberId }: { memberId: string }) {
  const client = useQueryClient()
  const [shown, show] = useState<{ page: number; perPage: PageSize }>({ page: 1, perPage: 25 })
  const query = { member_id: memberId, page: shown.page, per_page: shown.perPage }
  const page = useQuery(ordersQuery(query))
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  const layout = useListLayout()
  const orders = page.data?.data ?? none
  const { types } = useRewardTypes(orders)
  const rows = useMemo(() => orders.map((order) => orderRow(order, undefined, types)), [orders, types])
  const table = useListTable({ columns: memberOrderColumns, rows, idOf, layout, choice: everyColumn })
  const late = useLate(page.isPending)
  const waiting = page.isPending || page.isPlaceholderData
  return (
    <>
      <ListNotes>
        {page.error !== null && (
          <ErrorNotice
            error={page.error}
            what="Couldn’t load the member’s orders."
            onRetry={() => void page.refetch()}
          />
        )}
      </ListNotes>
      <ListTableView
        table={table}
        label="Orders"
        layout={layout}
        nameOf={nameOf}
        waiting={late ? "late" : waiting ? "yes" : "no"}
        scroller={scroller}
        onScroller={setScroller}
        raised={false}
        empty={
          page.data === undefined ? undefined : (
            <EmptyState
              icon={IconPackage}
              title={shown.page === 1 ? "This member has no orders yet" : "There are no more orders"}
              help={shown.page === 1 ? "Orders are created when they redeem a reward." : undefined}
            />
          )
        }
      />
      {(rows.length > 0 || shown.page > 1) && (
        <PagingFoot
          page={shown.page}
          perPage={shown.perPage}
          rows={orders.length}
          total={undefined}
          asOf={
            <>
              <AsOf
                at={page.data?.at}
                refreshing={page.isFetching}
                onRefresh={() =>
                  void client.prefetchQuery({ ...ordersQuery(query, { fresh: true }), staleTime: 0 })
                }
              />
              <Link to="/orders" search={{ member: memberId }} className="l-link">
                Show them in Orders
              </Link>
            </>
          }
          onPage={(next) => show({ ...shown, page: next })}
          onPerPage={(perPage) => show({ page: 1, perPage })}
        />
      )}
    </>
  )
}

/** A member's orders: what was ordered leads, for whom they are is known. */
export const memberOrderColumns: readonly ListColumn<OrderRow>[] = [
  {
    id: "reward",
    label: "Reward",
    touch: "phone",
    value: ({ order }) => orderName(order),
    cell: ({ order }, layout) => (
      <span className={classes.memberOrdersLines}>
        <Link
          to="/orders/$orderId"
          params={{ orderId: order.order_id }}
          data-row-link
          className={`${links.link} truncate`}
        >
          {orderName(order)}
        </Link>
        {layout !== "wide" && <span className="l-meta l-mono text-muted truncate">{order.order_id}</span>}
      </span>
    ),
  },
  {
    id: "order",
    label: "Order",
    width: 128,
    value: ({ order }) => order.order_id,
    cell: ({ order }) => <span className="l-mono text-secondary">{order.order_id}</span>,
  },
  ...["status", "points"].flatMap((id) =>
    orderColumns
      .filter((column) => column.id === id)
      .map((column) => ({ ...column, touch: "phone" as const })),
  ),
  {
    id: "tracking",
    label: "Tracking",
    width: 228,
    touch: "tablet",
    value: ({ order }) => shipmentOf(order).tracking_number,
    cell: (row, layout) => <QuietTracking row={row} layout={layout} />,
  },
  ...orderColumns.filter(({ id }) => id === "created"),
]
