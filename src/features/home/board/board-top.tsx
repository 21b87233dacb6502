import { Link } from "@tanstack/react-router"
import { readRanking } from "../../../lib/ranking/read-ranking.ts"
import { scoreText } from "../../../lib/ranking/score-text.ts"
import type { Standing } from "../../../lib/ranking/standings.ts"
import { Avatar } from "../../../ui/values.tsx"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { Section } from "../../../ui/page-header.tsx"
import { SkeletonRows } from "../../../ui/query-state.tsx"
import type { Home } from "../use-home.ts"
import classes from "./board-top.module.css"

/** Places shown. */
const shown = 7

/** Who leads a leaderboard. */
export function BoardTop({ boards: { list, board, rankings, reading } }: Pick<Home, "boards">) {
  if (board === undefined) {
    if (list.error !== null && list.data === undefined && !list.isFetching) {
      return (
        <Section title="Leaderboards">
          <ErrorNotice
            error={list.error}
            what="Couldn’t load the leaderboards."
            onRetry={() => void list.refetch()}
          />
        </Section>
      )
    }
    return (
      <Section title="Leaderboards">
        {reading ? (
          <SkeletonRows rows={shown} columns={[160, 64]} />
        ) : (
          <p className="text-secondary">No leaderboards yet.</p>
        )}
      </Section>
    )
  }
  const all = (
    <Link to="/leaderboards" className="l-link">
      All
    </Link>
  )
  return (
    <Section title={board.name} end={all}>
      {rankings.data !== undefined && (
        <Places boardId={board.id} ranking={readRanking(rankings.data.data, board.roles)} />
      )}
      {rankings.data === undefined && rankings.error !== null && !rankings.isFetching && (
        <ErrorNotice
          error={rankings.error}
          what="Couldn’t load the ranking."
          onRetry={() => void rankings.refetch()}
        />
      )}
      {rankings.data === undefined && (rankings.error === null || rankings.isFetching) && (
        <SkeletonRows rows={shown} columns={[160, 64]} />
      )}
    </Section>
  )
}

interface PlacesProps {
  boardId: string
  ranking: ReturnType<typeof readRanking>
}

function Places({ boardId, ranking: { view, standings } }: PlacesProps) {
  if (view !== "standings") {
    return (
      <p className="text-secondary">
        {view === "empty" ? "No rankings yet. " : "The fields couldn’t be recognised. "}
        <Link to="/leaderboards/$boardId" params={{ boardId }} className="l-link">
          Open the leaderboard
        </Link>
      </p>
    )
  }
  return (
    <ol className={classes.places}>
      {standings.rows.slice(0, shown).map((row) => (
        <li key={row.at} className={classes.place}>
          <span className={classes.rank}>{row.rank}</span>
          <Avatar name={row.name ?? row.memberId ?? ""} accent={row.leads} />
          <Who row={row} />
          <span className={classes.score}>{scoreText(row.score, row.sentScore)}</span>
        </li>
      ))}
    </ol>
  )
}

function Who({ row: { name, memberId } }: { row: Standing }) {
  const text = name ?? memberId
  if (text === null) return <span className="text-muted">No name</span>
  // A path never leads to these two.
  if (memberId === null || /^\.{1,2}$/.test(memberId)) {
    return (
      <bdi className="truncate" title={text}>
        {text}
      </bdi>
    )
  }
  return (
    <Link to="/members/$memberId" params={{ memberId }} className={classes.who} title={text}>
      <bdi>{text}</bdi>
    </Link>
  )
}
