import { Button, Group } from "@mantine/core"
import { useMediaQuery } from "@mantine/hooks"
import { IconActivity, IconChartBar, IconCircleCheck, IconHelpCircle, IconHistory } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import type { Job } from "../../../contract/job.ts"
import { jobKindDescriptors } from "../../../contract/job-kinds.ts"
import { jobsQuery } from "../../api/jobs.ts"
import { useCan, useSession } from "../../api/session.ts"
import { formatCount } from "../../lib/format.ts"
import { jobTitle } from "../../lib/job-title.ts"
import { millis } from "../../lib/time.ts"
import { type ListColumn, type ListLayout, useListLayout } from "../../lists/list-columns.ts"
import { type ListFilter, withoutFilters } from "../../lists/list-filters.tsx"
import { listSource, useListState } from "../../lists/list-state.ts"
import links from "../../lists/list-table.module.css"
import { ResourceList } from "../../lists/resource-list.tsx"
import { EmptyState } from "../../ui/query-state.tsx"
import { RequirePagePermission } from "../../lists/require-permission.tsx"
import { Avatar, RelativeTime, Truncate } from "../../ui/values.tsx"
import { StatusLabel } from "../../ui/status.tsx"
import { JobStatus, jobStatuses, ProgressBar, RowsDone, rowsDone } from "./job-status.tsx"
import { usePersonFilter } from "./people.ts"
import { jobFilterOf } from "./search.ts"

const route = getRouteApi("/_app/jobs")

/** Which work is in progress, what is done, and what needs a person. */
export function JobsPage() {
  return (
    <RequirePagePermission permission="jobs.read" title="Activity" noun="jobs">
      <JobList />
    </RequirePagePermission>
  )
}

const none: readonly Job[] = []

function JobList() {
  const search = route.useSearch()
  const state = useListState()
  const { program, permissions } = useSession()
  const list = useQuery(jobsQuery(jobFilterOf(search, program.time_zone), search.parts))
  const jobs = list.data?.jobs ?? none
  const layout = useListLayout()
  // Two lines a row, rather than a job's name cut to a letter.
  const narrow = useMediaQuery("(width < 1100px)", undefined, { getInitialValueInEffect: false })
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
      noun="jobs"
      sum={onlyOwn ? "Your jobs and all order updates" : undefined}
      source={listSource(list, { rows: jobs, more: list.data?.more })}
      state={state}
      idOf={idOf}
      nameOf={jobTitle}
      columns={jobColumns}
      layout={layout === "wide" && narrow ? "tablet" : layout}
      filters={filters}
      actions={<RelatedPages />}
      empty={<NoJobs />}
      {...(search.state === "attention" && {
        noMatch: (
          <EmptyState
            icon={IconCircleCheck}
            title="Nothing needs attention"
            help="Jobs that can’t continue on their own, or have rows waiting for a decision, appear here."
            actions={
              <Button onClick={() => state.setFilter(withoutFilters(filters))}>Clear the filters</Button>
            }
          />
        ),
      })}
    />
  )
}

const idOf = (job: Job) => job.id

const jobFilters: readonly ListFilter[] = [
  {
    type: "choice",
    key: "state",
    label: "State",
    choices: [
      { value: "active", label: "In progress" },
      { value: "attention", label: "Needs attention" },
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
        <Button
          leftSection={<IconHistory size={16} stroke={1.75} aria-hidden />}
          renderRoot={(props) => <Link to="/audit" {...props} />}
        >
          Audit log
        </Button>
      )}
      {useCan("ledger.read") && (
        <Button
          leftSection={<IconChartBar size={16} stroke={1.75} aria-hidden />}
          renderRoot={(props) => <Link to="/reports/points" {...props} />}
        >
          Points report
        </Button>
      )}
    </>
  )
}

function NoJobs() {
  const mayAward = useCan("points.write")
  return (
    <EmptyState
      icon={IconActivity}
      title="No jobs yet"
      help={
        mayAward
          ? "Select members and award points, or award from a file. Each becomes a job here, with the outcome of every row."
          : "Awards, deductions and other changes made in Laurel appear here, with the outcome of every row."
      }
      actions={
        mayAward && <Button renderRoot={(props) => <Link to="/members" {...props} />}>Choose members</Button>
      }
    />
  )
}

const jobColumns: readonly ListColumn<Job>[] = [
  {
    id: "title",
    label: "Job",
    touch: "phone",
    value: jobTitle,
    cell: (job, layout) => <Title job={job} layout={layout} />,
  },
  {
    id: "kind",
    label: "Kind",
    width: 104,
    value: (job) => jobKindDescriptors[job.kind].name,
    cell: (job) => <span className="text-secondary">{jobKindDescriptors[job.kind].name}</span>,
  },
  {
    id: "state",
    label: "State",
    width: 144,
    touch: "phone",
    value: (job) => job.state,
    cell: (job, layout) => <State job={job} layout={layout} />,
  },
  {
    id: "progress",
    label: "Progress",
    width: 208,
    touch: "tablet",
    value: rowsDone,
    cell: (job) => (
      <Group gap={12} wrap="nowrap">
        <ProgressBar job={job} />
        <RowsDone job={job} />
      </Group>
    ),
  },
  {
    id: "attention",
    label: "Needs attention",
    width: 128,
    value: (job) => job.attention,
    cell: (job) => <Attention count={job.attention} />,
  },
  {
    id: "who",
    label: "Who",
    width: 144,
    value: (job) => job.created_by.name,
    cell: ({ created_by: { name } }) => (
      <Group gap="sm" wrap="nowrap">
        <Avatar name={name} />
        <Truncate>{name}</Truncate>
      </Group>
    ),
  },
  {
    id: "when",
    label: "When",
    width: 104,
    end: true,
    value: (job) => millis(job.created_at),
    cell: (job) => (
      <span className="text-muted">
        <RelativeTime at={job.created_at} />
      </span>
    ),
  },
]

function Title({ job, layout }: { job: Job; layout: ListLayout }) {
  const title = jobTitle(job)
  return (
    <>
      <Truncate full={title}>
        <Link to="/jobs/$jobId" params={{ jobId: job.id }} data-row-link className={links.link}>
          {title}
        </Link>
        {layout === "wide" && <span className="l-mono text-muted"> {job.id}</span>}
      </Truncate>
      {layout !== "wide" && (
        <div className="caption truncate">
          {job.created_by.name}, <RelativeTime at={job.created_at} />
        </div>
      )}
    </>
  )
}

function State({ job, layout }: { job: Job; layout: ListLayout }) {
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
  return count > 0 && <StatusLabel status={{ icon: IconHelpCircle, tone: "warning", word }} asks />
}
