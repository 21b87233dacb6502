import { formatCount } from "../../../lib/format.ts"
import { ListFoot, PagingFoot } from "../../../lists/list-page.tsx"
import { useListLayout } from "../../../lists/list-columns.ts"
import { AsOf } from "../../../ui/query-state.tsx"
import { countWords } from "./orders-words.ts"
import type { OrderList } from "./use-order-list.ts"

/** The list's foot: which rows, how old, and that the service gives no total. */
export function OrdersFoot({ list }: { list: OrderList }) {
  const { search, queue, rows, read, total } = list
  const wide = useListLayout() === "wide"
  const asOf = <AsOf at={list.at} refreshing={list.fetching} onRefresh={list.refresh} />
  if (list.toShip) {
    return (
      <ListFoot
        count={
          queue === undefined ? null : (
            <>
              <b>{formatCount(rows.length)}</b> {queue.complete ? "to ship" : "of those loaded"}
            </>
          )
        }
        asOf={asOf}
      >
        {wide && (
          <span className="text-muted">
            {queue?.complete === false
              ? "Showing the first 100 pending and 100 processing orders. There are more."
              : "Pending and processing, oldest first."}
          </span>
        )}
      </ListFoot>
    )
  }
  const first = (search.page - 1) * search.per_page + 1
  return (
    <PagingFoot
      page={search.page}
      perPage={search.per_page}
      rows={read}
      total={undefined}
      count={
        read === undefined ? null : (
          <>
            <b>{read === 0 ? "0" : `${formatCount(first)}–${formatCount(first + read - 1)}`}</b>
            {total !== undefined && rows.length === read && ` of ${countWords(total)}`}
            {rows.length < read && `, ${formatCount(rows.length)} within the days`}
          </>
        )
      }
      asOf={
        <>
          {asOf}
          {wide && total?.exact === false && (
            <span className="text-muted">
              The service gives no total, so the next page shows whether there are more.
            </span>
          )}
        </>
      }
      onPage={(page) => list.set({ page })}
      onPerPage={(perPage) => list.set({ per_page: perPage, page: 1 })}
    />
  )
}
