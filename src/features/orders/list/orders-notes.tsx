import { ArrivalNote, ListNotes } from "../../../lists/list-page.tsx"
import { StaleNotice } from "../../../ui/query-state.tsx"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import type { OrderList } from "./use-order-list.ts"

/** What has to be said above the orders. They stay where they were. */
export function OrdersNotes({ list }: { list: OrderList }) {
  const { error, read, at, stale } = list
  return (
    <ListNotes>
      <ArrivalNote />
      {error !== null && (
        <ErrorNotice
          error={error}
          what={
            read === undefined
              ? "Couldn’t load the orders."
              : "Couldn’t refresh the orders. Showing the last loaded version."
          }
          onRetry={list.retry}
        />
      )}
      {error === null && stale && at !== undefined && (
        <StaleNotice at={at} refreshing={list.fetching} onRefresh={list.refresh} />
      )}
    </ListNotes>
  )
}
