import { Button } from "@mantine/core"
import "@mantine/core/styles/Button.layer.css"
import "@mantine/core/styles/Loader.layer.css"
import { IconGift, IconSearchOff } from "@tabler/icons-react"
import { formatCount } from "../../../lib/format.ts"
import { EmptyState } from "../../../ui/empty-state.tsx"
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
            ? "Nothing on this page is within these points"
            : `Nothing on this page matches “${search.search}”`
        }
        help={
          out
            ? "The service left the points range aside, so other pages may have some."
            : "The service has no search for rewards: this looks at the page that is shown."
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
        help="Rewards are made in the program's own dashboard. They show here as soon as they are there."
      />
    )
  }
  return (
    <EmptyState
      icon={IconSearchOff}
      title="No reward matches these filters"
      help="A category has to be written exactly as the service has it."
      actions={<Button onClick={() => list.setFilter(noRewardFilter)}>Clear the filters</Button>}
    />
  )
}
