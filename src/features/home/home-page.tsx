import { Box, Group } from "@mantine/core"
import {
  type Icon,
  IconActivity,
  IconCoin,
  IconCreditCard,
  IconDownload,
  IconGift,
  IconPackage,
  IconPencil,
  IconUsers,
} from "@tabler/icons-react"
import { useQuery, type UseQueryResult } from "@tanstack/react-query"
import { Link, type LinkProps } from "@tanstack/react-router"
import type { ReactNode } from "react"
import type { AuditEntry } from "../../../contract/audit.ts"
import { activityText, auditQuery } from "../../api/audit.ts"
import { jobsQuery } from "../../api/jobs.ts"
import { useCan, useSession } from "../../api/session.ts"
import { jobTitle, savedOrdersText } from "../../lib/job-title.ts"
import { useServerNow } from "../../ui/hooks.ts"
import { ErrorNotice } from "../../ui/notice.tsx"
import { PageHeader, Section } from "../../ui/page-header.tsx"
import { AsOf, SkeletonRows } from "../../ui/query-state.tsx"
import { RelativeTime } from "../../ui/values.tsx"
import { useHome, useKnownName } from "./home-data.ts"
import classes from "./home.module.css"
import { PointsAwarded } from "./points-awarded.tsx"
import { LeaderboardTop, Loaded, MemberCounts } from "./program-panels.tsx"
import { TodoList } from "./todo.tsx"

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

const linesShown = 6

interface ActivityLine {
  readonly id: string
  readonly icon: Icon
  readonly text: string
  readonly link: LinkProps | undefined
  readonly who: string
  readonly at: string
}

/** Recent activity, newest first: changes from the audit log, or the jobs that this role sees. */
function RecentActivity() {
  const seesJobs = useCan("jobs.read")
  if (useCan("audit.read")) return <RecentChanges />
  return seesJobs && <RecentJobs />
}

/** The newest changes of the program, without sign-ins and sign-outs. */
function RecentChanges() {
  const { user, program } = useSession()
  const nameOf = useKnownName()
  return (
    <Recent query={useQuery(auditQuery({}, 1))} to="/audit" label="Audit log">
      {({ rows: entries }) =>
        newestOfEachJob(entries)
          .filter(({ area }) => area === "program")
          .map(({ id, on, outcome, actor, at, ...entry }) => ({
            id,
            icon: icons[entry.action.split(".")[0] ?? ""] ?? IconPencil,
            text: activityText(
              { ...entry, outcome },
              on.label ?? (on.kind === "member" ? nameOf(on.id) : undefined) ?? on.id,
              program.currency,
            ),
            link: linkOf(on),
            who: actor.id === user.id ? "you" : actor.name,
            at,
          }))
      }
    </Recent>
  )
}

/** The ship desk writes an entry for each parcel of its job: of the saved ones only the newest is shown. */
function newestOfEachJob(entries: readonly AuditEntry[]): readonly AuditEntry[] {
  const jobs = new Set<string>()
  return entries.filter(({ action, outcome, request_id: job }) => {
    if (action !== "order.update" || outcome !== "done") return true
    const isFirst = !jobs.has(job)
    jobs.add(job)
    return isFirst
  })
}

function linkOf({ kind, id }: AuditEntry["on"]): LinkProps | undefined {
  if (id === "") return undefined
  if (kind === "job") return { to: "/jobs/$jobId", params: { jobId: id } }
  return { to: "/audit", search: { id } }
}

function RecentJobs() {
  const { user } = useSession()
  return (
    <Recent query={useQuery(jobsQuery({}))} to="/jobs" label="Activity">
      {({ rows: jobs }) =>
        jobs.map((job) => ({
          id: job.id,
          icon: IconActivity,
          text: savedOrdersText(job) ?? jobTitle(job),
          link: { to: "/jobs/$jobId", params: { jobId: job.id } },
          who: job.created_by.id === user.id ? "you" : job.created_by.name,
          at: job.created_at,
        }))
      }
    </Recent>
  )
}

function Recent<T>(props: {
  query: UseQueryResult<T>
  to: "/audit" | "/jobs"
  label: string
  children: (data: T) => readonly ActivityLine[]
}) {
  const { query, to, label, children } = props
  const all = (
    <Link to={to} className="l-link">
      {label}
    </Link>
  )
  return (
    <Section title="Recent activity" end={all}>
      <Loaded
        query={query}
        what="Couldn’t load recent activity."
        placeholder={<SkeletonRows rows={linesShown} columns={[240, 120]} />}
      >
        {(data) => {
          const lines = children(data).slice(0, linesShown)
          if (lines.length === 0) return <p className="text-secondary">No activity yet.</p>
          return <ul className="line-above ruled">{lines.map(drawLine)}</ul>
        }}
      </Loaded>
    </Section>
  )
}

function drawLine({ id, icon: Icon, text, link, who, at }: ActivityLine) {
  return (
    <Group component="li" key={id} gap={12} wrap="nowrap" mih={36}>
      <Icon size={16} stroke={1.75} aria-hidden className="text-muted" />
      {link === undefined ? (
        <span className="grow truncate" title={text}>
          {text}
        </span>
      ) : (
        <Link {...link} className={`${classes.lineLink} grow truncate hover-underline`} title={text}>
          {text}
        </Link>
      )}
      <span className="text-secondary l-meta nowrap">
        {who}, <RelativeTime at={at} />
      </span>
    </Group>
  )
}

const icons: Readonly<Record<string, Icon | undefined>> = {
  card: IconCreditCard,
  export: IconDownload,
  job: IconActivity,
  member: IconUsers,
  order: IconPackage,
  points: IconCoin,
  reward: IconGift,
}
