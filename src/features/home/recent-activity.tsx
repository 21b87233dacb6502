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
import { useQuery } from "@tanstack/react-query"
import { Link, type LinkProps } from "@tanstack/react-router"
import type { AuditEntry } from "../../../contract/audit.ts"
import { auditQuery } from "../../api/audit.ts"
import { jobsQuery } from "../../api/jobs.ts"
import { useCan, useSession } from "../../api/session.ts"
import { useKnownName } from "./home-data.ts"
import { actionName } from "../../lib/action-name.ts"
import { jobTitle } from "../../lib/job-title.ts"
import { Section } from "../../ui/page-header.tsx"
import { SkeletonRows } from "../../ui/query-state.tsx"
import { RelativeTime } from "../../ui/values.tsx"
import { Loaded } from "./loaded.tsx"
import classes from "./home.module.css"

const linesShown = 6

interface ActivityLine {
  readonly id: string
  readonly icon: Icon
  readonly what: string
  readonly on: string
  readonly link: LinkProps | undefined
  readonly who: string
  readonly at: string
}

/** What was done recently, newest first: changes from the audit log, else the jobs this role sees. */
export function RecentActivity() {
  const readsAudit = useCan("audit.read")
  const seesJobs = useCan("jobs.read")
  if (readsAudit) return <RecentChanges />
  return seesJobs ? <RecentJobs /> : null
}

/** The newest changes of the program; signing in and out is none. */
function RecentChanges() {
  const { user } = useSession()
  const nameOf = useKnownName()
  const query = useQuery(auditQuery({}, 1))
  return (
    <Section
      title="Recent activity"
      end={
        <Link to="/audit" className="l-link">
          Audit log
        </Link>
      }
    >
      <Loaded query={query} what="Couldn’t load recent activity." placeholder={placeholder}>
        {({ entries }) => (
          <Lines
            lines={entries
              .filter(({ area }) => area === "program")
              .map(({ id, action, on, outcome, actor, at }) => ({
                id,
                icon: actionIcon(action),
                what: `${actionName(action)}${outcome === "done" ? "" : `, ${outcomeWords[outcome]}`}`,
                on: on.label ?? (on.kind === "member" ? nameOf(on.id) : undefined) ?? on.id,
                link: linkOf(on),
                who: actor.id === user.id ? "you" : actor.name,
                at,
              }))}
          />
        )}
      </Loaded>
    </Section>
  )
}

const outcomeWords = { refused: "refused", failed: "failed", unknown: "not known" } as const

function linkOf({ kind, id }: AuditEntry["on"]): LinkProps | undefined {
  if (id === "") return undefined
  if (kind === "job") return { to: "/jobs/$jobId", params: { jobId: id } }
  return { to: "/audit", search: { id } }
}

/** The newest jobs, for those who do not read the audit log. */
function RecentJobs() {
  const { user } = useSession()
  const query = useQuery(jobsQuery({}))
  return (
    <Section
      title="Recent activity"
      end={
        <Link to="/jobs" className="l-link">
          Activity
        </Link>
      }
    >
      <Loaded query={query} what="Couldn’t load recent activity." placeholder={placeholder}>
        {({ jobs }) => (
          <Lines
            lines={jobs.map((job) => ({
              id: job.id,
              icon: IconActivity,
              what: jobTitle(job),
              on: "",
              link: { to: "/jobs/$jobId", params: { jobId: job.id } },
              who: job.created_by.id === user.id ? "you" : job.created_by.name,
              at: job.created_at,
            }))}
          />
        )}
      </Loaded>
    </Section>
  )
}

const placeholder = <SkeletonRows rows={linesShown} columns={[240, 120]} />

function Lines({ lines }: { lines: readonly ActivityLine[] }) {
  if (lines.length === 0) return <p className="text-secondary">No activity yet.</p>
  return (
    <ul className="line-above ruled">
      {lines.slice(0, linesShown).map((line) => (
        <Line key={line.id} line={line} />
      ))}
    </ul>
  )
}

function Line({ line: { icon: Icon, what, on, link, who, at } }: { line: ActivityLine }) {
  const text = [what, on].filter(Boolean).join(": ")
  return (
    <li className={classes.activityLine}>
      <Icon size={16} stroke={1.75} aria-hidden className="text-muted" />
      {link === undefined ? (
        <span className="truncate" title={text}>
          {text}
        </span>
      ) : (
        <Link {...link} className={`${classes.lineLink} truncate hover-underline`} title={text}>
          {text}
        </Link>
      )}
      <span className="text-secondary l-meta">
        {who}, <RelativeTime at={at} />
      </span>
    </li>
  )
}

const icons: Readonly<Record<string, Icon>> = {
  card: IconCreditCard,
  export: IconDownload,
  job: IconActivity,
  member: IconUsers,
  order: IconPackage,
  points: IconCoin,
  reward: IconGift,
}

function actionIcon(action: string): Icon {
  const [about = ""] = action.split(".")
  return (Object.hasOwn(icons, about) ? icons[about] : undefined) ?? IconPencil
}
