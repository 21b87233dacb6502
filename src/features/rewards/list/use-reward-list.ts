import { useQuery, useQueryClient } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { useMemo } from "react"
import { rewardsInCache, rewardsQuery } from "../../../api/rewards.ts"
import { useLate } from "../../../lists/list-columns.ts"
import { pageQueryOf, type RewardFilterChange, type RewardsSearch } from "./rewards-search.ts"
import { matching, withinPoints } from "./narrow.ts"

const route = getRouteApi("/_desk/rewards")

/** What the catalogue shows and how it got there. All of its state but the answers is in the address. */
export function useRewardList() {
  const client = useQueryClient()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const query = pageQueryOf(search)
  const page = useQuery(rewardsQuery(query))
  const late = useLate(page.isPending)
  const read = page.data?.data
  const rows = useMemo(() => {
    const inRange = withinPoints(read ?? [], search)
    return { shown: matching(inRange, search.search), outside: (read?.length ?? 0) - inRange.length }
  }, [read, search])
  const categories = useMemo(
    () => categoriesIn(read === undefined ? [] : rewardsInCache(client)),
    [read, client],
  )
  const total = page.data?.meta?.total
  const waiting = page.isPending || page.isPlaceholderData
  return {
    search,
    page,
    rows: rows.shown,
    /** Rewards of this page that the service sent although they are outside the points range. */
    outside: rows.outside,
    /** Categories seen so far: the service does not list them. */
    categories,
    total,
    /** Every match is here, so they can be sorted. */
    complete: !waiting && search.page === 1 && total !== undefined && (read?.length ?? 0) >= total,
    waiting: late ? "late" : waiting ? "yes" : "no",
    setFilter: (change: RewardFilterChange, replace = false) =>
      void navigate({ search: (before) => ({ ...before, ...change, page: 1 }), replace }),
    set: (change: Partial<Pick<RewardsSearch, "page" | "per_page" | "sort" | "view">>) =>
      void navigate({ search: (before) => ({ ...before, ...change }) }),
    refresh: () => void client.prefetchQuery({ ...rewardsQuery(query, { fresh: true }), staleTime: 0 }),
  } as const
}

/** The catalogue, as its hook gives it. */
export type RewardList = ReturnType<typeof useRewardList>

function categoriesIn(rewards: readonly { category?: string | null | undefined }[]): string[] {
  const seen = new Set(rewards.flatMap(({ category }) => (category ? [category] : [])))
  return [...seen].toSorted((one, other) => one.localeCompare(other))
}
