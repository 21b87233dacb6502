import type { ListColumn } from "../../../lists/list-columns.ts"
import { orderName, type OrderRow } from "../order-row.tsx"
import { PhoneCell, PhoneEnd, TwoLineReward } from "./order-cells.tsx"
import { orderColumns } from "./order-columns.tsx"
import { TwoLineTracking } from "./tracking-cell.tsx"

/** For fingers: fewer columns, two lines in a row. */
export const tabletColumns: readonly ListColumn<OrderRow>[] = [
  ...onTablet("order"),
  ...onTablet("status"),
  {
    id: "reward",
    label: "Reward and member",
    touch: "tablet",
    value: ({ order }) => orderName(order),
    cell: (row) => <TwoLineReward row={row} />,
  },
  ...onTablet("tracking", { width: 168, cell: (row) => <TwoLineTracking row={row} /> }),
  ...onTablet("waiting", { width: 80 }),
]

/** A column of a wide window as a tablet has it. */
function onTablet(id: string, change: Partial<ListColumn<OrderRow>> = {}): ListColumn<OrderRow>[] {
  return orderColumns
    .filter((column) => column.id === id)
    .map((column) => ({ ...column, touch: "tablet", ...change }))
}

/** For a phone: what and for whom, and how it stands. */
export const phoneColumns: readonly ListColumn<OrderRow>[] = [
  {
    id: "order",
    label: "Order",
    touch: "phone",
    value: ({ order }) => orderName(order),
    cell: (row) => <PhoneCell row={row} />,
  },
  {
    id: "status",
    label: "Status",
    width: 128,
    end: true,
    touch: "phone",
    value: ({ order }) => order.status ?? undefined,
    cell: (row) => <PhoneEnd row={row} />,
  },
]
