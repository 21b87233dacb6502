import { ArrivalNote } from "../../../list/arrival-note.tsx"
import { ListNotes } from "../../../list/list-page.tsx"
import { StaleNotice } from "../../../list/stale-notice.tsx"
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
              ? "The orders were not loaded."
              : "The orders were not read again, so they are as old as the foot says."
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
