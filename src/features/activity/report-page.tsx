import { Button, Group } from "@mantine/core"
import { IconChartBar, IconDownload } from "@tabler/icons-react"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { useEffect, useRef, useState } from "react"
import { limits } from "../../../contract/limits.ts"
import type { PointsReport } from "../../../contract/job.ts"
import type { Member } from "../../../contract/program/member.ts"
import { everyMemberQuery, membersQuery, readEveryMember } from "../../api/members.ts"
import { type EveryRow, type PageProgress, requestsFor } from "../../api/paging.ts"
import { pointsReportQuery } from "../../api/points.ts"
import { useSession } from "../../api/session.ts"
import { rangeWords } from "../../lib/days.ts"
import { cost, counted, formatCount, formatPoints, formatSigned } from "../../lib/format.ts"
import { saveFile } from "../../lib/save-file.ts"
import { shortMonths } from "../../lib/time.ts"
import { type ListFilter, ListFilters, withoutFilters } from "../../lists/list-filters.tsx"
import { FilterRow, ListPage } from "../../lists/list-page.tsx"
import { useListState } from "../../lists/list-state.ts"
import { RequirePagePermission } from "../../lists/require-permission.tsx"
import { type DataColumn, DataTable } from "../../ui/data-table.tsx"
import { ErrorNotice } from "../../ui/error-notice.tsx"
import { Meter } from "../../ui/meter.tsx"
import { Figures, PageHeader } from "../../ui/page-header.tsx"
import { AsOf, EmptyState, QueryState } from "../../ui/query-state.tsx"
import { Segmented } from "../../ui/segmented.tsx"
import { RelativeTime, Truncate } from "../../ui/values.tsx"
import classes from "./report.module.css"
import { reportQueryOf, type ReportSearch } from "./search.ts"

const route = getRouteApi("/_app/reports/points")
const groupLabels = { reason: "Reason", person: "Person", month: "Month" } as const
const groups = (["reason", "person", "month"] as const).map((value) => ({ value, label: groupLabels[value] }))

/** Points awarded and deducted with Laurel, and what the members have. */
export function ReportPage() {
  return (
    <RequirePagePermission permission="ledger.read" title="Points report" noun="points">
      <Report />
    </RequirePagePermission>
  )
}

function Report() {
  const search = route.useSearch()
  const state = useListState()
  const { program } = useSession()
  const query = useQuery(pointsReportQuery(reportQueryOf(search, program.time_zone)))
  const { data, isFetching, refetch } = query
  const filters: readonly ListFilter[] = [
    { type: "days", label: "Days", help: `Days in ${program.time_zone} time.` },
  ]
  const allDays = rangeWords(search) === undefined
  return (
    <ListPage>
      <PageHeader
        title="Points report"
        path={[{ label: "Activity", to: "/jobs" }]}
        sum="Points awarded and deducted with Laurel"
        actions={
          <Button
            leftSection={<IconDownload size={16} stroke={1.75} aria-hidden />}
            disabled={data === undefined || data.report.rows.length === 0}
            onClick={() => data !== undefined && void save(data.report, search)}
          >
            Download
          </Button>
        }
      />
      <FilterRow
        onClear={allDays ? undefined : () => state.set(withoutFilters(filters))}
        end={<AsOf at={data?.at} refreshing={isFetching} onRefresh={() => void refetch()} />}
      >
        <Segmented label="Group by" value={search.by} options={groups} onChange={(by) => state.set({ by })} />
        <ListFilters filters={filters} state={state} />
      </FilterRow>
      <div className={classes.body}>
        <div className={classes.main}>
          <QueryState query={query} noun="report" rows={6}>
            {({ report }) => (
              <>
                <ReportFigures total={report.total} />
                {report.rows.length > 0 ? (
                  <ReportTable report={report} by={search.by} />
                ) : (
                  <EmptyState
                    icon={IconChartBar}
                    title={allDays ? "No points awarded yet" : "No points in this period"}
                    help="Only confirmed awards and deductions made with Laurel are counted."
                  />
                )}
              </>
            )}
          </QueryState>
        </div>
        <Liability />
      </div>
    </ListPage>
  )
}

async function save(report: PointsReport, { by, from, to }: ReportSearch): Promise<void> {
  const { csvBlob, toCsv } = await import("../../lib/csv.ts")
  const csv = toCsv({
    columns: [groupLabels[by], "Awarded", "Awards", "Deducted", "Deductions"],
    rows: report.rows.map((row) => [
      groupName(by, row.group),
      row.awarded,
      row.awards,
      row.deducted,
      row.deductions,
    ]),
  })
  const days = [from, to].filter((day) => day !== undefined).join(" to ")
  saveFile(`Points by ${by}${days === "" ? "" : ` ${days}`}.csv`, csvBlob(csv))
}

function ReportFigures({ total }: { total: PointsReport["total"] }) {
  return (
    <Figures
      items={[
        { label: "Awarded", value: sum(total.awarded, counted(total.awards, "award")) },
        { label: "Deducted", value: sum(total.deducted, counted(total.deductions, "deduction")) },
        { label: "Net", value: formatSigned(total.awarded - total.deducted) },
      ]}
    />
  )
}

const sum = (points: number, count: string) => (
  <>
    {formatPoints(points)} <span className={classes.of}>in {count}</span>
  </>
)

type ReportRow = PointsReport["rows"][number]

/** One line for each group; the bar stands in the row and the figures beside it say the same. */
function ReportTable({ report, by }: { report: PointsReport; by: ReportSearch["by"] }) {
  const largest = Math.max(...report.rows.map((row) => Math.max(row.awarded, row.deducted)))
  const columns: readonly DataColumn<ReportRow>[] = [
    {
      label: groupLabels[by],
      rowHeader: true,
      cell: ({ group }) => <Truncate>{groupName(by, group)}</Truncate>,
    },
    {
      label: "Share of the largest",
      quiet: true,
      hideBelow: "phone",
      cell: ({ awarded, deducted }) => (
        <span className={classes.bars} aria-hidden>
          <span style={{ width: `${barWidth(awarded, largest)}%` }} />
          <span style={{ width: `${barWidth(deducted, largest)}%` }} />
        </span>
      ),
    },
    pointsColumn("Awarded", "awarded"),
    countColumn("Awards", "awards"),
    pointsColumn("Deducted", "deducted"),
    countColumn("Deductions", "deductions"),
  ]
  return (
    <div className={classes.scroller} data-scroll-restoration-id="list-report">
      <DataTable
        label={`Points by ${by}`}
        columns={columns}
        rows={report.rows}
        keyOf={({ group }) => group}
        wide
      />
    </div>
  )
}

const pointsColumn = (label: string, key: "awarded" | "deducted"): DataColumn<ReportRow> => ({
  label,
  width: 112,
  end: true,
  cell: ({ [key]: points }) => (
    <span className={points === 0 ? "text-muted" : "l-medium"}>{formatPoints(points)}</span>
  ),
})

const countColumn = (label: string, key: "awards" | "deductions"): DataColumn<ReportRow> => ({
  label,
  width: 112,
  end: true,
  hideBelow: "tablet",
  cell: ({ [key]: count }) => <span className="text-secondary">{formatCount(count)}</span>,
})

/** One line's name: months are written out, `2026-11` as `Nov 2026`; the rest as it comes. */
function groupName(by: ReportSearch["by"], group: string): string {
  const month = by === "month" ? /^(\d{4})-(\d{2})$/.exec(group) : null
  const name = month === null ? undefined : shortMonths[Number(month[2]) - 1]
  if (name !== undefined) return `${name} ${month?.[1] ?? ""}`
  return group === "" ? "Not given" : group
}

/** A bar's width in percent of the largest; something is always seen of what is not nothing. */
function barWidth(points: number, largest: number): number {
  if (points <= 0 || largest <= 0) return 0
  return Math.max(0.5, (points / largest) * 100)
}

const everybody = {}

function Liability() {
  const client = useQueryClient()
  const { data: every } = useQuery(everyMemberQuery(everybody))
  const reading = useEveryBalance()
  // Known only where the list was open; asking for it would itself cost a request.
  const first = client.getQueryData(membersQuery({ page: 1, per_page: limits.perPage.default }).queryKey)
  const total = every?.rows.length ?? first?.meta?.total
  return (
    <aside className={classes.side} aria-label="Points liability">
      <h2>Points liability</h2>
      <p className="text-secondary">
        The total of all members’ balances: points that can be redeemed at any time.
      </p>
      {every ? <Sum every={every} /> : <p className="text-muted">Not loaded yet.</p>}
      {reading.error !== null && (
        <ErrorNotice error={reading.error} what="Couldn’t load the balances. Showing earlier figures." />
      )}
      {reading.progress === null ? (
        <Group gap="8px 12px">
          <Button onClick={reading.start}>{every ? "Refresh" : "Load all balances"}</Button>
          <span className="caption">
            {total === undefined
              ? "One request per 100 members"
              : cost(requestsFor(total, limits.perPage.max))}
          </span>
        </Group>
      ) : (
        <Meter label="Loading all balances…" progress={reading.progress} onCancel={reading.cancel} />
      )}
    </aside>
  )
}

/** An overdrawn balance counts against the others, as it does in the program's books; one that did not come is named. */
function Sum({ every: { rows, at } }: { every: EveryRow<Member> }) {
  const balances = rows
    .map((member) => member.points_balance)
    .filter((balance) => typeof balance === "number")
  const unknown = rows.length - balances.length
  return (
    <div>
      <p className={classes.figure}>{formatPoints(balances.reduce((sum, balance) => sum + balance, 0))}</p>
      <p className="caption">
        {counted(rows.length, "member")}, read <RelativeTime at={at} />
        {unknown > 0 && `, ${formatCount(unknown)} without a balance`}
      </p>
    </div>
  )
}

function useEveryBalance() {
  const client = useQueryClient()
  const running = useRef<AbortController>(undefined)
  const [progress, setProgress] = useState<PageProgress | null>(null)
  const [error, setError] = useState<unknown>(null)
  useEffect(() => () => running.current?.abort(), [])

  const start = async () => {
    const controller = new AbortController()
    running.current = controller
    const { signal } = controller
    setError(null)
    setProgress({ done: 0, of: null, restarts: 0 })
    try {
      await readEveryMember(client, everybody, {
        signal,
        onProgress: (now) => {
          if (!signal.aborted) setProgress(now)
        },
      })
    } catch (failed) {
      if (!signal.aborted) setError(failed)
    }
    if (!signal.aborted) setProgress(null)
  }
  return {
    progress,
    error,
    start: () => void start(),
    cancel: () => {
      running.current?.abort()
      setProgress(null)
    },
  }
}
