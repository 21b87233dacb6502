import { Group } from "@mantine/core"
import { IconActivity, IconChartBar, IconCircleCheck, IconHistory } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { CellLink } from "../../ui/record-link.tsx"
import type { Job } from "../../../contract/job.ts"
import { jobKindDescriptors, jobKinds } from "../../../contract/job-kinds.ts"
import { type JobFilter, jobsQuery } from "../../api/jobs.ts"
import { useCan, useSession } from "../../api/session.ts"
import { momentsOf } from "../../lib/time.ts"
import { formatCount } from "../../lib/format.ts"
import { jobTitle } from "../../lib/job-title.ts"
import { layoutOf, type ListCell, type ListColumn } from "../../lists/list-columns.ts"
import { type ListFilter } from "../../lists/list-filters.tsx"
import { defined } from "../../lists/list-params.ts"
import { listQuery, useListState } from "../../lists/list-state.ts"
import links from "../../lists/list-table.module.css"
import { ResourceList } from "../../lists/resource-list.tsx"
import { RequirePagePermission } from "../../lists/require-permission.tsx"
import { RelativeTime, Truncate } from "../../ui/values.tsx"
import { StatusLabel } from "../../ui/status.tsx"
import { JobStatus, jobStatuses, ProgressBar, RowsDone, rowsDone } from "./job-status.tsx"
import { Person, usePersonFilter } from "./people.tsx"
import type { JobsSearch } from "./activity-search.ts"
import { buttonIcon, LinkButton } from "../../ui/button.tsx"

const route = getRouteApi("/_app/jobs")

/** All jobs: running, done, and those that need a person. */
export function JobsPage() {
  return (
    <RequirePagePermission permission="jobs.read" title="Activity" noun="jobs">
      <JobList />
    </RequirePagePermission>
  )
}

/** The job filter as sent to the server; days are in the program's zone. An unknown kind is ignored. */
export function toJobFilter(search: JobsSearch, timeZone: string): JobFilter {
  const { state, person } = search
  const kind = jobKinds.find((each) => each === search.kind)
  return defined({ kind, state, created_by: person, ...momentsOf(search, timeZone) })
}

const none: readonly Job[] = []

function JobList() {
  const search = route.useSearch()
  const { program, permissions } = useSession()
  const filter = toJobFilter(search, program.time_zone)
  const { values, ...params } = useListState()
  const state = { ...params, values: { ...values, kind: filter.kind } }
  const list = useQuery(jobsQuery(filter, search.parts))
  const jobs = list.data?.rows ?? none
  const mayAward = useCan("points.write")
  const onlyOwn = permissions["jobs.read"] === "own-orders"
  const creators = jobs.map((job) => job.created_by)
  const person = usePersonFilter("person", creators, search.person, onlyOwn)
  const filters: readonly ListFilter[] = [
    ...jobFilters,
    ...person,
    { type: "days", label: "Days", help: `Days in ${program.time_zone} time.` },
  ]
  return (
    <ResourceList
      title="Activity"
      label="Jobs"
      sum={onlyOwn ? "Your jobs and all order updates" : undefined}
      query={listQuery(list, state, { rows: jobs, more: list.data?.more })}
      columns={jobColumns}
      listKey="jobs"
      filters={filters}
      actions={<RelatedPages />}
      empty={{
        icon: IconActivity,
        title: "No jobs yet",
        help: mayAward
          ? "Select members and award points, or award from a file. Each becomes a job here, with the outcome of every row."
          : "Awards, deductions and other changes made in Laurel appear here, with the outcome of every row.",
        actions: mayAward && <LinkButton to="/members">Choose members</LinkButton>,
      }}
      noMatch={search.state === "attention" ? nothingOpen : undefined}
    />
  )
}

const nothingOpen = {
  icon: IconCircleCheck,
  title: "Nothing needs attention",
  help: "Jobs that can’t continue on their own, or have rows waiting for a decision, appear here.",
}

const jobFilters: readonly ListFilter[] = [
  {
    type: "choice",
    key: "state",
    label: "State",
    choices: [
      { value: "active", label: "In progress" },
      { value: "attention", label: "Needs attention" },
      { value: "failed", label: "With rows not done" },
      ...Object.entries(jobStatuses).map(([value, { word }]) => ({ value, label: word })),
    ],
  },
  {
    type: "choice",
    key: "kind",
    label: "Kind",
    choices: Object.entries(jobKindDescriptors).map(([value, { name }]) => ({ value, label: name })),
  },
]

function RelatedPages() {
  return (
    <>
      {useCan("audit.read") && (
        <LinkButton leftSection={<IconHistory {...buttonIcon} />} to="/audit">
          Audit log
        </LinkButton>
      )}
      {useCan("reports.read") && (
        <LinkButton leftSection={<IconChartBar {...buttonIcon} />} to="/reports/points">
          Points report
        </LinkButton>
      )}
    </>
  )
}

const jobColumns: readonly ListColumn<Job>[] = [
  { id: "title", header: "Job", cell: Title, meta: { minLayout: "phone" } },
  {
    id: "kind",
    header: "Kind",
    size: 104,
    cell: ({ row }) => jobKindDescriptors[row.original.kind].name,
    meta: { priority: 1, className: "text-secondary" },
  },
  {
    id: "state",
    header: "State",
    size: 144,
    cell: State,
    meta: { touchWidth: 160, minLayout: "phone" },
  },
  {
    id: "progress",
    header: "Progress",
    size: 208,
    cell: ({ row }) => (
      <Group gap={12} wrap="nowrap">
        <ProgressBar job={row.original} />
        <RowsDone job={row.original} />
      </Group>
    ),
    meta: { minLayout: "tablet" },
  },
  {
    id: "attention",
    header: "Needs attention",
    size: 128,
    cell: ({ row }) => <Attention count={row.original.attention} />,
    meta: { priority: 3 },
  },
  {
    id: "who",
    header: "Who",
    size: 144,
    cell: ({ row }) => <Person name={row.original.created_by.name} />,
    meta: { priority: 2 },
  },
  {
    id: "when",
    header: "When",
    size: 144,
    cell: ({ row }) => <RelativeTime at={row.original.created_at} />,
    meta: { align: "end", className: "text-muted" },
  },
]

function Title({ row: { original: job }, table }: ListCell<Job>) {
  const title = jobTitle(job)
  const wide = layoutOf(table) === "wide"
  return (
    <>
      <Truncate full={title}>
        <CellLink to="/jobs/$jobId" params={{ jobId: job.id }} data-row-link className={links.link}>
          {title}
        </CellLink>
        {wide && <span className="l-mono text-muted"> {job.id}</span>}
      </Truncate>
      {!wide && (
        <div className="caption truncate">
          {job.created_by.name}, <RelativeTime at={job.created_at} />
        </div>
      )}
    </>
  )
}

function State({ row: { original: job }, table }: ListCell<Job>) {
  const layout = layoutOf(table)
  return (
    <>
      <JobStatus job={job} />
      {layout === "phone" && (
        <div className="caption truncate">
          {formatCount(rowsDone(job))} of {formatCount(job.total)}
          {job.attention > 0 && `, ${formatCount(job.attention)} to decide`}
        </div>
      )}
      {layout === "tablet" && job.attention > 0 && (
        <div>
          <Attention count={job.attention} />
        </div>
      )}
    </>
  )
}

function Attention({ count }: { count: number }) {
  const word = `${formatCount(count)} to decide`
  return count > 0 && <StatusLabel status={{ icon: "help-circle", tone: "warning", word }} asks />
}
