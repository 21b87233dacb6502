import type { UseQueryResult } from "@tanstack/react-query"
import type { Answer } from "../../../api/request.ts"
import type { RankingReading } from "../../../lib/ranking/read-ranking.ts"
import { ListNotes } from "../../../list/list-page.tsx"
import { StaleNotice } from "../../../list/stale-notice.tsx"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { Notice } from "../../../ui/notice.tsx"

interface BoardNotesProps {
  rankings: UseQueryResult<Answer<unknown>>
  reading: RankingReading | undefined
  onRefresh: () => void
}

/** What has to be said about the rankings before they are read. */
export function BoardNotes({ rankings, reading, onRefresh }: BoardNotesProps) {
  const { data, error, isFetching } = rankings
  return (
    <ListNotes>
      {error !== null && (
        <ErrorNotice
          error={error}
          what={data ? "The rankings were not read again." : "The rankings were not loaded."}
          onRetry={onRefresh}
        />
      )}
      {data?.stale === true && <StaleNotice at={data.at} refreshing={isFetching} onRefresh={onRefresh} />}
      {reading?.view === "table" && (
        <Notice tone="info" title="It was not recognised who stands where">
          Every field is shown as it was sent. Choose at least a name and a score, or a rank, and this becomes
          a ranking.
        </Notice>
      )}
      {reading?.view === "json" && (
        <Notice tone="info" title="These rankings have no fields">
          The answer is shown as it was sent.
        </Notice>
      )}
      {reading && reading.gone.length > 0 && (
        <Notice tone="warning" title="Fields that were chosen no longer come">
          {`${reading.gone.join(", ")}: what was recognised holds in their place until somebody chooses again.`}
        </Notice>
      )}
    </ListNotes>
  )
}
