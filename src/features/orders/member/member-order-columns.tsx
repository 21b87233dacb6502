import { Link } from "@tanstack/react-router"
import type { ListColumn } from "../../../lists/list-columns.ts"
import links from "../../../lists/list-table.module.css"
import { shipmentOf } from "../../../../contract/program/order.ts"
import { orderColumns } from "../list/order-columns.tsx"
import { QuietTracking } from "../list/tracking-cell.tsx"
import { orderName, type OrderRow } from "../show/order-row.ts"
import classes from "./member-orders.module.css"

/** A member's orders: what was ordered leads, for whom they are is known. */
export const memberOrderColumns: readonly ListColumn<OrderRow>[] = [
  {
    id: "reward",
    label: "Reward",
    touch: "phone",
    value: ({ order }) => orderName(order),
    cell: ({ order }, layout) => (
      <span className={classes.lines}>
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
