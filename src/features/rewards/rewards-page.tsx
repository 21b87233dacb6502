import { SegmentedControl } from "@mantine/core"
import { IconGift } from "@tabler/icons-react"
import { useQueryClient } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { useMemo } from "react"
import type { Reward } from "../../../contract/program/reward.ts"
import { rewardsInCache, rewardsQuery } from "../../api/rewards.ts"
import { formatCount } from "../../lib/format.ts"
import { containsWords } from "../../lib/names.ts"
import { type ListFilter } from "../../lists/list-filters.tsx"
import { useListQuery, useListState } from "../../lists/list-state.ts"
import { ResourceList } from "../../lists/resource-list.tsx"
import { segmentedFilter } from "../../lists/segmented-filter.tsx"
import { RequirePermission } from "../../lists/require-permission.tsx"
import { Notice } from "../../ui/notice.tsx"
import { statusChoices } from "../../ui/status.tsx"
import { rewardColumns, RewardCards } from "./reward-rows.tsx"
import { redeemButton, stockLevel } from "./reward-view.tsx"
import { toPageQuery, type RewardsSearch } from "./reward-search.ts"
import { Button, LinkButton } from "../../ui/button.tsx"

const route = getRouteApi("/_app/rewards")

/** The catalogue, as cards or as a table. */
export function RewardsPage() {
  const client = useQueryClient()
  const search = route.useSearch()
  const state = useListState()
  const isSearch = search.search !== undefined
  const page = useListQuery((how) => rewardsQuery(toPageQuery(search), how), state)
  const [shown, outside] = useMemo(() => {
    const inRange = withinPoints(page.rows, search)
    return [matching(inRange, search.search), page.rows.length - inRange.length]
  }, [page.rows, search])
  // Categories of loaded rewards: the service does not list them.
  const categories = useMemo(
    () => categoriesIn(page.rows.length === 0 ? [] : rewardsInCache(client)),
    [page.rows, client],
  )
  const filters = useMemo(() => filtersWith(categories), [categories])
  return (
    <ResourceList
      title="Rewards"
      query={{ ...page, rows: shown, read: page.rows.length }}
      columns={rewardColumns}
      listKey="rewards"
      tabKey="view"
      renderRows={
        search.view === "cards" ? (waiting) => <RewardCards rewards={shown} waiting={waiting} /> : undefined
      }
      filters={filters}
      filterEnd={<span className="caption">{stockSummary(shown)}</span>}
      actions={
        <>
          <SegmentedControl
            aria-label="View"
            value={search.view}
            data={[...views]}
            onChange={(view) => state.set({ view })}
          />
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
      notes={
        outside > 0 && (
          <Notice
            tone="info"
            title={`${formatCount(outside)} ${outside === 1 ? "reward" : "rewards"} of this page outside the points range`}
          >
            The service sent them all the same. They are left out here; its total and its pages count them.
          </Notice>
        )
      }
      empty={{
        icon: IconGift,
        title: "There are no rewards yet",
        help: "Rewards are created in the program’s dashboard and appear here automatically.",
      }}
      noMatch={
        page.rows.length === 0
          ? { help: "Enter the category exactly as the service has it." }
          : {
              ...noneOfPage(search.search, outside === page.rows.length),
              actions: (
                <Button onClick={() => state.setFilter(isSearch ? { search: undefined } : anyPoints)}>
                  {isSearch ? "Clear the search" : "Any points"}
                </Button>
              ),
            }
      }
    />
  )
}

/** Why none of the loaded rewards is shown. */
function noneOfPage(text: string | undefined, allOutside: boolean) {
  return {
    title:
      allOutside || text === undefined
        ? "No rewards on this page are in this points range"
        : `No rewards on this page match “${text}”`,
    help: allOutside
      ? "The service ignored the points range, so other pages may have matches."
      : "The service can’t search rewards, so only this page is searched.",
  }
}

const anyPoints = { min_points: undefined, max_points: undefined }
const views = [
  { value: "cards", label: "Cards" },
  { value: "table", label: "Table" },
] as const
const typeFilter = segmentedFilter("type", "Type", "All types", [
  { value: "physical", label: "Physical" },
  { value: "digital", label: "Digital" },
])

function filtersWith(categories: readonly string[]): readonly ListFilter[] {
  return [
    { type: "search", key: "search", label: "Search this page" },
    {
      type: "choice",
      key: "status",
      label: "Status",
      choices: statusChoices("reward"),
    },
    {
      type: "text",
      key: "category",
      label: "Category",
      seen: categories.map((category) => ({ value: category, label: category })),
      help: "The service doesn’t list categories. These were seen on loaded rewards; you can type any other.",
    },
    { type: "points", label: "Points" },
    typeFilter,
  ]
}

/**
 * Rewards within the points range. Only the narrative reference documents the range, so a service may ignore it: it
 * is applied again here. A reward without a cost is included.
 */
function withinPoints(
  rewards: readonly Reward[],
  { min_points = 0, max_points = Infinity }: Pick<RewardsSearch, "min_points" | "max_points">,
): readonly Reward[] {
  if (min_points === 0 && max_points === Infinity) return rewards
  return rewards.filter(
    ({ points_cost }) =>
      typeof points_cost !== "number" || (points_cost >= min_points && points_cost <= max_points),
  )
}

function matching(rewards: readonly Reward[], text: string | undefined): readonly Reward[] {
  if (text === undefined) return rewards
  return rewards.filter(({ id, name, description, category }) =>
    containsWords([id, name, description, category].join(" "), text),
  )
}

function categoriesIn(rewards: readonly Pick<Reward, "category">[]): string[] {
  const categories = new Set(rewards.flatMap(({ category }) => (category ? [category] : [])))
  return [...categories].toSorted((one, other) => one.localeCompare(other))
}

/** "2 low, 1 out of stock"; undefined when all are in stock. */
function stockSummary(rewards: readonly Pick<Reward, "stock">[]): string | undefined {
  const count = (wanted: string) => rewards.filter(({ stock }) => stockLevel(stock)?.level === wanted).length
  const [low, none] = [count("low"), count("none")]
  const parts = [low > 0 && `${formatCount(low)} low`, none > 0 && `${formatCount(none)} out of stock`]
  return parts.filter(Boolean).join(", ") || undefined
}
