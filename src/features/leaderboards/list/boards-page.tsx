import { Button } from "@mantine/core"
import { IconTrophy } from "@tabler/icons-react"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { leaderboardsQuery } from "../../../api/leaderboards.ts"
import { useCan } from "../../../api/session.ts"
import { formatCount } from "../../../lib/format.ts"
import { boardsOf } from "../../../lib/ranking/boards.ts"
import { ListFoot, ListNotes, ListPage } from "../../../lists/list-page.tsx"
import { AsOf, EmptyState, SkeletonRows, StaleNotice } from "../../../ui/query-state.tsx"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { Notice } from "../../../ui/notice.tsx"
import { PageHeader } from "../../../ui/page-header.tsx"
import { NoBoards } from "../no-boards.tsx"
import { SentJson } from "../sent-json.tsx"
import { BoardsTable } from "./boards-table.tsx"

/** Every leaderboard of the program. */
export function BoardsPage() {
  return useCan("leaderboards.read") ? <Boards /> : <NoBoards />
}

function Boards() {
  const client = useQueryClient()
  const { data, error, isPending, isFetching } = useQuery(leaderboardsQuery())
  const boards = data === undefined ? undefined : boardsOf(data.data)
  const refresh = () => void client.prefetchQuery({ ...leaderboardsQuery({ fresh: true }), staleTime: 0 })
  return (
    <ListPage>
      <PageHeader title="Leaderboards" sum={boards?.length ? countOf(boards.length) : undefined} />
      <ListNotes>
        {error !== null && (
          <ErrorNotice
            error={error}
            what={data ? "Couldn’t refresh the leaderboards." : "Couldn’t load the leaderboards."}
            onRetry={refresh}
          />
        )}
        {data?.stale === true && <StaleNotice at={data.at} refreshing={isFetching} onRefresh={refresh} />}
        {boards === null && (
          <Notice tone="warning" title="The response has no list of leaderboards">
            Nothing in it could be recognised as one. It is shown below as it was sent.
          </Notice>
        )}
      </ListNotes>
      {isPending && <SkeletonRows rows={4} />}
      {boards === null && data && <SentJson label="Leaderboards as sent" sent={data.data} />}
      {boards?.length === 0 && (
        <EmptyState
          icon={IconTrophy}
          title="No leaderboards yet"
          help="Leaderboards are created in the program’s dashboard and appear here automatically."
          actions={<Button onClick={refresh}>Refresh</Button>}
        />
      )}
      {boards && boards.length > 0 && <BoardsTable boards={boards} />}
      <ListFoot
        count={boards?.length ? countOf(boards.length) : null}
        asOf={<AsOf at={data?.at} refreshing={isFetching} onRefresh={refresh} />}
      />
    </ListPage>
  )
}

function countOf(boards: number): string {
  return boards === 1 ? "1 leaderboard" : `${formatCount(boards)} leaderboards`
}
