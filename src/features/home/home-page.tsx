import type { ReactNode } from "react"
import { useCan, useSession } from "../../api/session.ts"
import { AsOf } from "../../ui/query-state.tsx"
import { ErrorNotice } from "../../ui/error-notice.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { useNow } from "../../ui/hooks.ts"
import { BoardTop } from "./board/board-top.tsx"
import { MemberCounts } from "./counts/member-counts.tsx"
import { Lately } from "./lately/lately.tsx"
import { PointsAwarded } from "./awarded/points-awarded.tsx"
import { TodoList } from "./todo/todo-list.tsx"
import { useTodos } from "./todo/use-todos.ts"
import { todayWords } from "./today-words.ts"
import { useHome } from "./use-home.ts"
import classes from "./home-page.module.css"

/**
 * The first page of the day: what needs doing, and how the program stands. Each part loads, fails and is empty by
 * itself.
 * @param props.running work under way
 */
export function HomePage({ running }: { running: ReactNode }) {
  const home = useHome()
  const { program } = useSession()
  const today = todayWords(useNow("half-minute"), program.time_zone)
  const seesLedger = useCan("ledger.read")
  const work = useCan("jobs.read") && <div className={classes.running}>{running}</div>
  // Whoever ships sees neither people nor ranks: what is left is one column.
  const sided = home.parts.members || home.parts.boards
  return (
    <>
      <PageHeader
        title="Today"
        sum={today}
        actions={
          <div className={classes.stamp}>
            <AsOf
              at={home.at}
              refreshing={home.refreshing}
              requests={home.requests}
              onRefresh={home.refresh}
            />
          </div>
        }
      />
      {home.behind !== null && (
        <div className={classes.note}>
          <ErrorNotice
            error={home.behind}
            what="Some figures couldn’t be refreshed. Showing the last loaded ones."
            onRetry={home.refresh}
          />
        </div>
      )}
      <div className={classes.page} data-single={sided ? undefined : true}>
        <div className={classes.main}>
          <TodoList todos={useTodos(home)} />
          {!sided && work}
          {seesLedger && <PointsAwarded />}
          <Lately />
        </div>
        {sided && (
          <div className={classes.side}>
            {work}
            {home.parts.members && <MemberCounts {...home} />}
            {home.parts.boards && <BoardTop boards={home.boards} />}
          </div>
        )}
      </div>
    </>
  )
}
