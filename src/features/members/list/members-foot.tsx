import { Button } from "@mantine/core"
import { formatCount } from "../../../lib/format.ts"
import { ListFoot, PagingFoot } from "../../../lists/list-page.tsx"
import { AsOf } from "../../../ui/query-state.tsx"
import type { MemberList } from "./use-member-list.ts"

/** The list's foot: pages, or how many were loaded and how old the oldest of them is. */
export function MembersFoot({ list }: { list: MemberList }) {
  const { page, whole, search } = list
  const asOf = <AsOf at={whole?.at ?? page.data?.at} refreshing={list.refreshing} onRefresh={list.refresh} />
  if (whole !== null) {
    return (
      <ListFoot
        count={
          <>
            <b>{formatCount(whole.rows.length)}</b> loaded
          </>
        }
        asOf={asOf}
      >
        <Button variant="subtle" size="xs" onClick={() => list.set({ all: false, sort: undefined })}>
          Back to pages
        </Button>
      </ListFoot>
    )
  }
  return (
    <PagingFoot
      page={search.page}
      perPage={search.per_page}
      rows={page.data?.data.length}
      total={list.total}
      asOf={asOf}
      onPage={(next) => list.set({ page: next })}
      onPerPage={(perPage) => list.set({ per_page: perPage, page: 1 })}
    />
  )
}
