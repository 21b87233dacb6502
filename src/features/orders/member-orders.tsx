import { IconPackage } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import { useMemo } from "react"
import { ordersQuery } from "../../api/orders.ts"
import { useListQuery, useLocalListState } from "../../lists/list-state.ts"
import { ResourceList } from "../../lists/resource-list.tsx"
import { memberOrderColumns } from "./order-columns.tsx"
import { type OrderRow, orderRow, useRewardTypes } from "./order-row.tsx"

const rowId = ({ order }: OrderRow) => order.order_id

/** The orders of one member, as the service sends them. */
export function MemberOrders({ memberId }: { memberId: string }) {
  const state = useLocalListState()
  const query = { member_id: memberId, page: state.page, per_page: state.perPage }
  const page = useListQuery((how) => ordersQuery(query, how), state)
  const { types } = useRewardTypes(page.rows)
  const rows = useMemo(() => page.rows.map((order) => orderRow(order, undefined, types)), [page.rows, types])
  return (
    <ResourceList
      label="Orders"
      noun="member’s orders"
      query={{ ...page, rows, sortable: false }}
      rowId={rowId}
      columns={memberOrderColumns}
      empty={{
        icon: IconPackage,
        title: "This member has no orders yet",
        help: "Orders are created when they redeem a reward.",
      }}
      footer={{
        note: (
          <Link to="/orders" search={{ member: memberId }} className="l-link">
            Show them in Orders
          </Link>
        ),
      }}
    />
  )
}
