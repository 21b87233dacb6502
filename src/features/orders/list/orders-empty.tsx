import { Button } from "@mantine/core"
import "@mantine/core/styles/Button.layer.css"
import "@mantine/core/styles/Loader.layer.css"
import { IconPackage, IconSearchOff } from "@tabler/icons-react"
import { formatCount } from "../../../lib/format.ts"
import { EmptyState } from "../../../ui/empty-state.tsx"
import { statusWord } from "../../../ui/status-vocabulary.ts"
import { isFiltered, noOrderFilter } from "./orders-search.ts"
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
        help="The service gives no total, so the end shows only when it is reached."
        actions={<Button onClick={() => list.set({ page: 1 })}>First page</Button>}
      />
    )
  }
  if (!toShip && read > 0) {
    return (
      <EmptyState
        icon={IconSearchOff}
        title="Nothing on this page was made within these days"
        help="The service is asked for a day more at both ends, because it does not say in which time zone it counts days."
        actions={clear}
      />
    )
  }
  if (toShip && !isFiltered(search)) {
    return (
      <EmptyState
        icon={IconPackage}
        title="Nothing waits for a parcel"
        help="Pending and processing orders of physical rewards show here, oldest first."
      />
    )
  }
  if (isFiltered(search) || search.status !== undefined) {
    return (
      <EmptyState
        icon={IconSearchOff}
        title="No order matches"
        help={
          search.status === undefined || toShip
            ? "The member and the days narrow the list."
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
      help="An order is made when a reward is redeemed, by a member or here for one."
    />
  )
}
