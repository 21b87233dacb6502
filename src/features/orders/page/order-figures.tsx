import type { OrderAddress } from "../../../../contract/orders.ts"
import { formatCount } from "../../../lib/format.ts"
import { Points, RelativeTime } from "../../../ui/values.tsx"
import { AsOf } from "../../../ui/query-state.tsx"
import { type Figure, Figures } from "../../../ui/page-header.tsx"
import { Waiting } from "../list/waiting.tsx"
import { waitsForParcel, type OrderRow } from "../show/order-row.ts"
import classes from "./order-page.module.css"

interface OrderFiguresProps {
  row: OrderRow
  where: OrderAddress | undefined
  at: number
  fetching: boolean
  onRefresh: () => void
}

/** Points, pieces and time. Pieces that were worked out from the points say so. */
export function OrderFigures({ row, where, at, fetching, onRefresh }: OrderFiguresProps) {
  const { order } = row
  const pieces = where?.quantity.pieces ?? null
  const items: Figure[] = [
    {
      label: "Points spent",
      value: typeof order.points_spent === "number" ? <Points value={order.points_spent} /> : "Not given",
    },
    ...(pieces === null || where === undefined
      ? []
      : [
          {
            label: "Quantity",
            value: (
              <>
                {pieces === 1 ? "1 item" : `${formatCount(pieces)} items`}
                {where.quantity.inferred && <span className={classes.inferred}>(estimated from points)</span>}
              </>
            ),
          },
        ]),
    ...(waitsForParcel(row) && order.created_at
      ? [{ label: "Not shipped yet", value: <Waiting since={order.created_at} ordered /> }]
      : order.created_at
        ? [{ label: "Ordered", value: <RelativeTime at={order.created_at} /> }]
        : []),
  ]
  return <Figures items={items} end={<AsOf at={at} refreshing={fetching} onRefresh={onRefresh} />} />
}
