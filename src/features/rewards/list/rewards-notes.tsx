import { formatCount } from "../../../lib/format.ts"
import { ArrivalNote, ListNotes } from "../../../lists/list-page.tsx"
import { StaleNotice } from "../../../ui/query-state.tsx"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { Notice } from "../../../ui/notice.tsx"
import type { RewardList } from "./use-reward-list.ts"

/** What has to be said above the rewards. They stay where they were. */
export function RewardsNotes({ list }: { list: RewardList }) {
  const { page, outside } = list
  return (
    <ListNotes>
      <ArrivalNote />
      {page.error !== null && (
        <ErrorNotice
          error={page.error}
          what={
            page.data === undefined
              ? "Couldn’t load the rewards."
              : "Couldn’t refresh the rewards. Showing the last loaded version."
          }
          onRetry={() => void page.refetch()}
        />
      )}
      {page.error === null && page.data?.stale === true && (
        <StaleNotice at={page.data.at} refreshing={page.isFetching} onRefresh={list.refresh} />
      )}
      {outside > 0 && (
        <Notice
          tone="info"
          title={`${formatCount(outside)} ${outside === 1 ? "reward" : "rewards"} of this page outside the points range`}
        >
          The service sent them all the same. They are left out here; its total and its pages count them.
        </Notice>
      )}
    </ListNotes>
  )
}
