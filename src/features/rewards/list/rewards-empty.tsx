import { Button } from "@mantine/core"
import { IconGift, IconSearchOff } from "@tabler/icons-react"
import { formatCount } from "../../../lib/format.ts"
import { EmptyState } from "../../../ui/query-state.tsx"
import { isFiltered, noRewardFilter } from "./rewards-search.ts"
import type { RewardList } from "./use-reward-list.ts"

/** Where the rewards would be: nothing matches, the page is past the end, or there are none yet. */
export function RewardsEmpty({ list }: { list: RewardList }) {
  const { page, search, total } = list
  const read = page.data?.data.length ?? 0
  if (read > 0) {
    const out = list.outside === read
    return (
      <EmptyState
        icon={IconSearchOff}
        title={
          out || search.search === undefined
            ? "No rewards on this page are in this points range"
            : `No rewards on this page match “${search.search}”`
        }
        help={
          out
            ? "The service ignored the points range, so other pages may have matches."
            : "The service can’t search rewards, so only this page is searched."
        }
        actions={
          <>
            {search.search !== undefined && (
              <Button onClick={() => list.setFilter({ search: undefined })}>Clear the search</Button>
            )}
            {search.search === undefined && (
              <Button onClick={() => list.setFilter({ min_points: undefined, max_points: undefined })}>
                Any points
              </Button>
            )}
          </>
        }
      />
    )
  }
  if (total !== undefined && total > 0) {
    const pages = Math.ceil(total / search.per_page)
    return (
      <EmptyState
        icon={IconGift}
        title={`Page ${formatCount(search.page)} is past the end`}
        help={pages === 1 ? "There is one page." : `There are ${formatCount(pages)} pages.`}
        actions={<Button onClick={() => list.set({ page: pages })}>Last page</Button>}
      />
    )
  }
  if (!isFiltered(search)) {
    return (
      <EmptyState
        icon={IconGift}
        title="There are no rewards yet"
        help="Rewards are created in the program’s dashboard and appear here automatically."
      />
    )
  }
  return (
    <EmptyState
      icon={IconSearchOff}
      title="No rewards match these filters"
      help="Enter the category exactly as the service has it."
      actions={<Button onClick={() => list.setFilter(noRewardFilter)}>Clear the filters</Button>}
    />
  )
}
