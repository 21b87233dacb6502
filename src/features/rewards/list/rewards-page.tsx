import { Outlet } from "@tanstack/react-router"
import { useRef } from "react"
import { formatCount } from "../../../lib/format.ts"
import { FilterRow, ListPage, PagingFoot } from "../../../lists/list-page.tsx"
import { useListKeys } from "../../../lists/list-keys.ts"
import { AsOf } from "../../../ui/query-state.tsx"
import { PageHeader } from "../../../ui/page-header.tsx"
import { Segmented } from "../../../ui/segmented.tsx"
import { RedeemButton } from "../show/redeem-button.tsx"
import { stockSummary } from "../show/stock-words.ts"
import { CardSkeletons, RewardCards } from "./reward-cards.tsx"
import { RewardFilters } from "./reward-filters.tsx"
import { RewardTable } from "./reward-table.tsx"
import { RewardsEmpty } from "./rewards-empty.tsx"
import { RewardsNotes } from "./rewards-notes.tsx"
import classes from "./rewards-page.module.css"
import { isFiltered, noRewardFilter } from "./rewards-search.ts"
import { useRewardList, type RewardList } from "./use-reward-list.ts"

const views = [
  { value: "cards", label: "Cards" },
  { value: "table", label: "Table" },
] as const

/** The catalogue, as cards or as a table, with what opens above it. */
export function RewardsPage() {
  const list = useRewardList()
  const root = useRef<HTMLDivElement>(null)
  const { search, page, total } = list
  const filtered = isFiltered(search)
  useListKeys(root, () => {})
  return (
    <ListPage ref={root}>
      <PageHeader
        title="Rewards"
        sum={total === undefined ? undefined : `${formatCount(total)} ${filtered ? "match" : "total"}`}
        actions={
          <>
            <Segmented
              label="View"
              value={search.view}
              options={views}
              onChange={(view) => list.set({ view })}
            />
            <RedeemButton words="Redeem for a member" from="/rewards" />
          </>
        }
      />
      <FilterRow
        onClear={filtered ? () => list.setFilter(noRewardFilter) : undefined}
        end={<span className="l-meta text-muted">{stockSummary(list.rows)}</span>}
      >
        <RewardFilters list={list} />
      </FilterRow>
      <RewardsNotes list={list} />
      {search.view === "table" ? <RewardTable list={list} /> : <Cards list={list} />}
      <PagingFoot
        page={search.page}
        perPage={search.per_page}
        rows={page.data?.data.length}
        total={total}
        asOf={<AsOf at={page.data?.at} refreshing={page.isFetching} onRefresh={list.refresh} />}
        onPage={(next) => list.set({ page: next })}
        onPerPage={(perPage) => list.set({ per_page: perPage, page: 1 })}
      />
      <Outlet />
    </ListPage>
  )
}

function Cards({ list }: { list: RewardList }) {
  const { page, rows, waiting } = list
  return (
    <div className={classes.scroller} data-scroll-restoration-id="rewards-cards">
      {waiting === "late" && <CardSkeletons />}
      {page.data !== undefined && rows.length > 0 && <RewardCards rewards={rows} busy={waiting !== "no"} />}
      {page.data !== undefined && waiting === "no" && rows.length === 0 && <RewardsEmpty list={list} />}
    </div>
  )
}
