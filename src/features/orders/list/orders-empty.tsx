import { Button } from "@mantine/core"
import { IconPackage, IconSearchOff } from "@tabler/icons-react"
import { formatCount } from "../../../lib/format.ts"
import { EmptyState } from "../../../ui/query-state.tsx"
import { statusWord } from "../../../ui/status.tsx"
import { isFiltered, noOrderFilter } from "../search.ts"
import type { OrderList } from "./use-order-list.ts"

/** Where the orders would be: none match, the page is past the end, nothing waits, or there are none yet. */
export function OrdersEmpty({ list }: { list: OrderList }) {
  const { search, read = 0, toShip } = list
  const clear = <Button onClick={() => list.setFilter(noOrderFilter)}>Clear the filters</Button>
  if (!toShip && search.page > 1 && read === 0) {
    return (
      <EmptyState
        icon={IconPackage}
        title={`Page ${formatCount(search.page)} is past the end`}
        help="The service gives no total, so the last page isn’t known until it’s reached."
        actions={<Button onClick={() => list.set({ page: 1 })}>First page</Button>}
      />
    )
  }
  if (!toShip && read > 0) {
    return (
      <EmptyState
        icon={IconSearchOff}
        title="No orders on this page were created in these days"
        help="An extra day is requested at both ends, because the service doesn’t say which time zone it uses."
        actions={clear}
      />
    )
  }
  if (toShip && !isFiltered(search)) {
    return (
      <EmptyState
        icon={IconPackage}
        title="Nothing to ship"
        help="Pending and processing orders for physical rewards appear here, oldest first."
      />
    )
  }
  if (isFiltered(search) || search.status !== undefined) {
    return (
      <EmptyState
        icon={IconSearchOff}
        title="No orders match"
        help={
          search.status === undefined || toShip
            ? "The list is filtered by member and days."
            : `None of them is ${statusWord("order", search.status).word.toLowerCase()} now.`
        }
        actions={
          isFiltered(search) ? (
            clear
          ) : (
            <Button onClick={() => list.setFilter({ status: undefined })}>All orders</Button>
          )
        }
      />
    )
  }
  return (
    <EmptyState
      icon={IconPackage}
      title="There are no orders yet"
      help="Orders are created when rewards are redeemed."
    />
  )
}
