import { useMediaQuery } from "@mantine/hooks"
import { Button } from "@mantine/core"
import { IconChartBar, IconHistory, IconLock } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { useRef, useState } from "react"
import type { Job } from "../../../../contract/job.ts"
import { jobsQuery } from "../../../api/jobs.ts"
import { useCan, useSession } from "../../../api/session.ts"
import { jobTitle } from "../../../lib/job-title.ts"
import { FilterRow, ListNotes, ListPage } from "../../../lists/list-page.tsx"
import { ListTableView } from "../../../lists/list-table.tsx"
import { useLate, useListLayout, useListTable } from "../../../lists/list-columns.ts"
import { useListKeys } from "../../../lists/list-keys.ts"
import { EmptyState } from "../../../ui/query-state.tsx"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { PageHeader } from "../../../ui/page-header.tsx"
import { jobColumns } from "./jobs-columns.tsx"
import { NoJobs } from "./jobs-empty.tsx"
import { jobFilterOf } from "./jobs-filter.ts"
import { JobsFilters } from "./jobs-filters.tsx"
import { JobsFoot } from "./jobs-foot.tsx"
import type { JobsFilterChange } from "./jobs-search.ts"

const route = getRouteApi("/_desk/jobs")
const none: readonly Job[] = []
const idOf = (job: Job) => job.id

/** What work is under way, what is done, and what needs somebody. */
export function JobsPage() {
  if (useCan("jobs.read")) return <JobList />
  return (
    <ListPage>
      <PageHeader title="Activity" />
      <EmptyState
        icon={IconLock}
        title="Your role can’t view jobs"
        help="Ask an administrator to change your role."
      />
    </ListPage>
  )
}

function JobList() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { program, permissions } = useSession()
  const filter = jobFilterOf(search, program.time_zone)
  const list = useQuery(jobsQuery(filter, search.parts))
  const jobs = list.data?.jobs ?? none
  const given = useListLayout()
  const narrow = useMediaQuery("(width < 1100px)", undefined, { getInitialValueInEffect: false })
  // Two lines a row, rather than a job's name cut to a letter.
  const layout = given === "wide" && narrow ? "tablet" : given
  const table = useListTable({ columns: jobColumns, rows: jobs, idOf, layout, choice: {} })
  const root = useRef<HTMLDivElement>(null)
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  useListKeys(root, nothing)
  const late = useLate(list.isPending)

  const setFilter = (change: JobsFilterChange) =>
    void navigate({ search: (before) => ({ ...before, ...change, parts: 1 }) })
  const filtered = Object.keys(filter).length > 0
  const clear = filtered ? () => void navigate({ search: {} }) : undefined
  return (
    <ListPage ref={root}>
      <PageHeader
        title="Activity"
        sum={permissions["jobs.read"] === "own-orders" ? "Your jobs and all order updates" : undefined}
        actions={<Elsewhere />}
      />
      <FilterRow onClear={clear}>
        <JobsFilters search={search} jobs={jobs} onChange={setFilter} />
      </FilterRow>
      <ListNotes>
        {list.error !== null && (
          <ErrorNotice
            error={list.error}
            what={list.data === undefined ? "Couldn’t load the jobs." : "Couldn’t refresh the jobs."}
            onRetry={() => void list.refetch()}
          />
        )}
      </ListNotes>
      <ListTableView
        table={table}
        label="Jobs"
        layout={layout}
        nameOf={jobTitle}
        waiting={late ? "late" : list.isPending || list.isPlaceholderData ? "yes" : "no"}
        scroller={scroller}
        onScroller={setScroller}
        raised={false}
        empty={list.data === undefined ? undefined : <NoJobs state={search.state} onClear={clear} />}
      />
      <JobsFoot
        list={list}
        parts={search.parts}
        onOlder={() =>
          void navigate({
            search: (before) => ({ ...before, parts: before.parts + 1 }),
            replace: true,
            resetScroll: false,
          })
        }
      />
    </ListPage>
  )
}

/** Where else one looks for what was done. */
function Elsewhere() {
  const mayReadAudit = useCan("audit.read")
  const mayReport = useCan("ledger.read")
  return (
    <>
      {mayReadAudit && (
        <Button
          leftSection={<IconHistory size={16} stroke={1.75} aria-hidden />}
          renderRoot={(props) => <Link to="/audit" {...props} />}
        >
          Audit log
        </Button>
      )}
      {mayReport && (
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

function nothing() {}
