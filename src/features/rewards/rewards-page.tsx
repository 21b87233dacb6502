import { SegmentedControl } from "@mantine/core"
import { IconGift } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { lazy } from "react"
import type { RewardFacets } from "../../../contract/rewards.ts"
import { copyMetaOf } from "../../api/members.ts"
import { rewardFacetsQuery, rewardsQuery } from "../../api/rewards.ts"
import { formatCount } from "../../lib/format.ts"
import { compareWords } from "../../lists/list-columns.ts"
import type { ListFilter } from "../../lists/list-filters.tsx"
import { copiedSum, useListQuery, useListState } from "../../lists/list-state.ts"
import { ExportButton, ResourceList } from "../../lists/resource-list.tsx"
import { segmentedFilter } from "../../lists/segmented-filter.tsx"
import { RequirePermission } from "../../lists/require-permission.tsx"
import { statusChoices } from "../../ui/status.tsx"
import { rewardColumns, RewardCards } from "./reward-rows.tsx"
import { redeemButton } from "./reward-view.tsx"
import { toFilter, toPageQuery } from "./reward-search.ts"
import { Button, LinkButton } from "../../ui/button.tsx"

const ExportRewards = lazy(async () => ({ default: (await import("./export-rewards.tsx")).ExportRewards }))

const route = getRouteApi("/_app/rewards")

/** The catalogue, as cards or as a table, from the local copy once that is complete. */
export function RewardsPage() {
  const search = route.useSearch()
  const state = useListState()
  const filter = toFilter(search)
  const page = useListQuery((how) => rewardsQuery(toPageQuery(search), how), state)
  const { rows, total } = page
  const meta = copyMetaOf(page.meta)
  const copied = meta?.complete === true
  const all = useFacets(copied, {})
  const found = useFacets(copied, filter)
  const isSearched = search.search !== undefined
  return (
    <ResourceList
      title="Rewards"
      query={{ ...page, copied, syncing: copied && meta.syncing }}
      sum={copiedSum(total, meta, "reward")}
      columns={rewardColumns}
      listKey="rewards"
      tabKey="view"
      renderRows={
        search.view === "cards" ? (waiting) => <RewardCards rewards={rows} waiting={waiting} /> : undefined
      }
      filters={filtersFor(all, copied || isSearched)}
      filterEnd={<span className="caption">{stockSummary(found)}</span>}
      actions={
        <>
          <SegmentedControl
            aria-label="View"
            value={search.view}
            data={[...views]}
            onChange={(view) => state.set({ view })}
          />
          {copied && <ExportButton state={state} />}
          <RequirePermission permission="rewards.redeem">
            <LinkButton
              {...redeemButton}
              to="."
              search={(now) => ({ ...now, act: "redeem" })}
              resetScroll={false}
            />
          </RequirePermission>
        </>
      }
      empty={{
        icon: IconGift,
        title: "There are no rewards yet",
        help: "Rewards are created in the program’s dashboard and appear here automatically.",
      }}
      noMatch={
        isSearched
          ? {
              title: `No rewards match “${search.search}”`,
              help: "Search covers names, descriptions, categories and ids.",
              actions: (
                <Button onClick={() => state.setFilter({ search: undefined })}>Clear the search</Button>
              ),
            }
          : copied
            ? {}
            : { help: "Enter the category exactly as the service has it." }
      }
      exportDialog={<ExportRewards filter={filter} total={total} onClose={state.close} />}
    />
  )
}

function useFacets(enabled: boolean, filter: Parameters<typeof rewardFacetsQuery>[0]) {
  return useQuery({ ...rewardFacetsQuery(filter), enabled }).data?.data
}

const views = [
  { value: "cards", label: "Cards" },
  { value: "table", label: "Table" },
] as const
const typeFilter = segmentedFilter("type", "Type", "All types", [
  { value: "physical", label: "Physical" },
  { value: "digital", label: "Digital" },
])

/** The service cannot search rewards and lists no categories: both come from the local copy. */
function filtersFor(facets: RewardFacets | undefined, searchable: boolean): readonly ListFilter[] {
  const categories = facets?.categories.map(({ value }) => value).toSorted(compareWords) ?? []
  return [
    ...(searchable ? [{ type: "search", key: "search", label: "Name or category" } as const] : []),
    { type: "choice", key: "status", label: "Status", choices: statusChoices("reward") },
    {
      type: "text",
      key: "category",
      label: "Category",
      seen: categories.map((category) => ({ value: category, label: category })),
      help: "The categories with the most rewards. You can type any other.",
    },
    { type: "points", label: "Points" },
    typeFilter,
  ]
}

/** "2 low, 1 out of stock"; undefined when all are in stock. */
function stockSummary(facets: RewardFacets | undefined): string | undefined {
  const { low = 0, out = 0 } = facets ?? {}
  const parts = [low > 0 && `${formatCount(low)} low`, out > 0 && `${formatCount(out)} out of stock`]
  return parts.filter(Boolean).join(", ") || undefined
}
