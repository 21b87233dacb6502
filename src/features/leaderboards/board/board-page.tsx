import { getRouteApi } from "@tanstack/react-router"
import { useState } from "react"
import type { RankingRoles } from "../../../../contract/settings.ts"
import { useCan } from "../../../api/session.ts"
import { formatCount } from "../../../lib/format.ts"
import type { RankingReading } from "../../../lib/ranking/read-ranking.ts"
import { useColumnChoice } from "../../../lists/list-columns.ts"
import { ListFoot, ListPage } from "../../../lists/list-page.tsx"
import { AsOf, SkeletonRows } from "../../../ui/query-state.tsx"
import { PageHeader } from "../../../ui/page-header.tsx"
import { NoBoards } from "../no-boards.tsx"
import { RankingBody } from "../ranking-body.tsx"
import { useRanking } from "../use-ranking.ts"
import { BoardActions } from "./board-actions.tsx"
import { BoardNotes } from "./board-notes.tsx"
import { BoardSide } from "./board-side.tsx"
import classes from "./board-page.module.css"

const route = getRouteApi("/_desk/leaderboards_/$boardId")
const path = [{ label: "Leaderboards", to: "/leaderboards" }]

/** One leaderboard's rankings, and how they are read. */
export function BoardPage() {
  const { boardId } = route.useParams()
  return useCan("leaderboards.read") ? <BoardRankings key={boardId} boardId={boardId} /> : <NoBoards />
}

function BoardRankings({ boardId }: { boardId: string }) {
  const { limit } = route.useSearch()
  const [draft, setDraft] = useState<RankingRoles | null>(null)
  const [further, setFurther] = useColumnChoice(`leaderboard-${boardId}`)
  const { rankings, reading, saved, name, refresh } = useRanking(boardId, limit, draft)
  const shown = reading?.fields.filter((field) => further[field] === true) ?? []
  return (
    <ListPage>
      <PageHeader
        title={name}
        path={path}
        actions={<BoardActions boardId={boardId} name={name} limit={limit} reading={reading} />}
      />
      <BoardNotes rankings={rankings} reading={reading} onRefresh={refresh} />
      <div className={classes.body}>
        <div className={classes.main}>
          {rankings.isPending && <SkeletonRows rows={10} />}
          {reading && <RankingBody reading={reading} name={name} further={shown} />}
        </div>
        {reading && reading.rows.length > 0 && (
          <BoardSide
            boardId={boardId}
            reading={reading}
            saved={saved}
            draft={draft}
            onDraft={setDraft}
            further={further}
            onFurther={setFurther}
          />
        )}
      </div>
      <ListFoot
        count={reading && reading.rows.length > 0 ? countText(reading) : null}
        asOf={<AsOf at={rankings.data?.at} refreshing={rankings.isFetching} onRefresh={refresh} />}
      >
        <span className="text-muted">1 request to refresh</span>
      </ListFoot>
    </ListPage>
  )
}

function countText({ rows, view }: RankingReading): string {
  const word = view === "standings" ? "place" : "row"
  return rows.length === 1 ? `1 ${word}` : `${formatCount(rows.length)} ${word}s`
}
