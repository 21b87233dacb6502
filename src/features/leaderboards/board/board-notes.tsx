import type { UseQueryResult } from "@tanstack/react-query"
import type { Answer } from "../../../api/request.ts"
import type { RankingReading } from "../../../lib/ranking/read-ranking.ts"
import { ListNotes } from "../../../lists/list-page.tsx"
import { StaleNotice } from "../../../ui/query-state.tsx"
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
          what={data ? "Couldn’t refresh the rankings." : "Couldn’t load the rankings."}
          onRetry={onRefresh}
        />
      )}
      {data?.stale === true && <StaleNotice at={data.at} refreshing={isFetching} onRefresh={onRefresh} />}
      {reading?.view === "table" && (
        <Notice tone="info" title="Couldn’t detect the ranking: choose the name and score fields">
          Every field is shown as sent. Choose at least a name and a score, or a rank.
        </Notice>
      )}
      {reading?.view === "json" && (
        <Notice tone="info" title="These rankings have no fields">
          The response is shown as sent.
        </Notice>
      )}
      {reading && reading.gone.length > 0 && (
        <Notice tone="warning" title="Some chosen fields are missing">
          {`${reading.gone.join(", ")}: detected fields are used instead until someone chooses again.`}
        </Notice>
      )}
    </ListNotes>
  )
}
