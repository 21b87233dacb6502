import { Box } from "@mantine/core"
import type { ReactNode } from "react"
import { useCan, useSession } from "../../api/session.ts"
import { PointsAwarded } from "./points-awarded.tsx"
import { LeaderboardTop, MemberCounts } from "./program-panels.tsx"
import { useHome } from "./home-data.ts"
import { RecentActivity } from "./recent-activity.tsx"
import { TodoList } from "./todo.tsx"
import { ErrorNotice } from "../../ui/error-notice.tsx"
import { useServerNow } from "../../ui/hooks.ts"
import { PageHeader } from "../../ui/page-header.tsx"
import { AsOf } from "../../ui/query-state.tsx"
import classes from "./home.module.css"

/** The first page of the day: to-do list, running jobs and program panels; each part loads independently. */
export function HomePage({ running }: { running: ReactNode }) {
  const home = useHome()
  const { program } = useSession()
  const today = todayWords(useServerNow("half-minute"), program.time_zone)
  const seesLedger = useCan("ledger.read")
  const work = useCan("jobs.read") && <div className={`hide-empty ${classes.running}`}>{running}</div>
  // Without members and leaderboards a single column remains.
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
              updating={home.updating}
              onRefresh={home.refresh}
            />
          </div>
        }
      />
      {home.behind !== null && (
        <Box px="gutter" pb={12}>
          <ErrorNotice
            error={home.behind}
            what="Some figures couldn’t be refreshed. Showing the last loaded ones."
            onRetry={home.refresh}
          />
        </Box>
      )}
      <div className={`line-above ${classes.page}`} data-single={sided ? undefined : true}>
        <div className={classes.main}>
          <TodoList home={home} />
          {!sided && work}
          {seesLedger && <PointsAwarded />}
          <RecentActivity />
        </div>
        {sided && (
          <div className={classes.side}>
            {work}
            {home.parts.members && <MemberCounts {...home} />}
            {home.parts.boards && <LeaderboardTop boards={home.boards} />}
          </div>
        )}
      </div>
    </>
  )
}

function todayWords(now: number, timeZone: string): string {
  const format = new Intl.DateTimeFormat("en-AU", {
    timeZone,
    weekday: "long",
    day: "numeric",
    month: "long",
  })
  return format.format(now).replace(",", "")
}
