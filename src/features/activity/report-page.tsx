import { Stack, SegmentedControl } from "@mantine/core"
import { IconChartBar, IconDownload } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import type { PointsReport } from "../../../contract/job.ts"
import { memberFacetsQuery, copyMetaOf } from "../../api/members.ts"
import { pointsReportQuery } from "../../api/points.ts"
import { useSession } from "../../api/session.ts"
import { rangeLabel, shortMonths } from "../../lib/time.ts"
import { counted, formatCount, formatPoints, formatSigned } from "../../lib/format.ts"
import { type ListFilter, ListFilters, withoutFilters } from "../../lists/list-filters.tsx"
import { FilterRow, ListPage } from "../../lists/list-page.tsx"
import { useListState } from "../../lists/list-state.ts"
import { RequirePagePermission } from "../../lists/require-permission.tsx"
import { type DataColumn, DataTable } from "../../ui/data-table.tsx"
import { ErrorNotice } from "../../ui/notice.tsx"
import { figureOf, Figures, PageHeader } from "../../ui/page-header.tsx"
import { AsOf, EmptyState, QueryState } from "../../ui/query-state.tsx"
import { RelativeTime, Truncate } from "../../ui/values.tsx"
import classes from "./report.module.css"
import { toReportQuery, type ReportSearch } from "./activity-search.ts"
import { Button, buttonIcon } from "../../ui/button.tsx"

const route = getRouteApi("/_app/reports/points")
const groupLabels = { reason: "Reason", person: "Person", month: "Month" } as const
const groups = (["reason", "person", "month"] as const).map((value) => ({ value, label: groupLabels[value] }))

/** Points awarded and deducted with Laurel, and the members' balances. */
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
  const query = useQuery(pointsReportQuery(toReportQuery(search, program.time_zone)))
  const { data, isFetching, refetch } = query
  const filters: readonly ListFilter[] = [
    { type: "days", label: "Days", help: `Days in ${program.time_zone} time.` },
  ]
  const allDays = rangeLabel(search) === undefined
  return (
    <ListPage>
      <PageHeader
        title="Points report"
        path={[{ label: "Activity", to: "/jobs" }]}
        sum="Points awarded and deducted with Laurel"
        actions={
          <Button
            leftSection={<IconDownload {...buttonIcon} />}
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
        <SegmentedControl
          aria-label="Group by"
          value={search.by}
          data={groups}
          onChange={(by) => state.set({ by })}
        />
        <ListFilters filters={filters} state={state} />
      </FilterRow>
      <div className={`grow line-above ${classes.body}`}>
        <Stack gap={0} miw={0} mih={0}>
          <QueryState query={query} noun="report" rows={6}>
            {({ report: { rows, total } }) => (
              <>
                <Figures
                  items={[
                    { label: "Awarded", value: sum(total.awarded, counted(total.awards, "award")) },
                    { label: "Deducted", value: sum(total.deducted, counted(total.deductions, "deduction")) },
                    { label: "Net", value: formatSigned(total.awarded - total.deducted) },
                  ]}
                />
                {rows.length > 0 ? (
                  <div className={`grow scroll ${classes.rows}`} data-scroll-restoration-id="list-report">
                    <DataTable
                      label={`Points by ${search.by}`}
                      columns={reportColumns(rows, search.by)}
                      rows={rows}
                      keyOf={({ group }) => group}
                      wide
                    />
                  </div>
                ) : (
                  <EmptyState
                    icon={IconChartBar}
                    title={allDays ? "No points awarded yet" : "No points in this period"}
                    help="Only awards and deductions made with Laurel are counted."
                  />
                )}
              </>
            )}
          </QueryState>
        </Stack>
        <Liability />
      </div>
    </ListPage>
  )
}

async function save({ rows }: PointsReport, { by, from, to }: ReportSearch): Promise<void> {
  const { saveTable } = await import("../../lib/table-file.ts")
  const days = [from, to].filter((day) => day !== undefined).join(" to ")
  await saveTable({
    name: `Points by ${by}${days === "" ? "" : ` ${days}`}`,
    columns: [groupLabels[by], "Awarded", "Awards", "Deducted", "Deductions"],
    rows: rows.map(({ group, awarded, awards, deducted, deductions }) => [
      groupName(by, group),
      awarded,
      awards,
      deducted,
      deductions,
    ]),
  })
}

const sum = (points: number, count: string) => figureOf(formatPoints(points), `in ${count}`)

type ReportRow = PointsReport["rows"][number]

/** Columns of a group; the bar is decorative, its figures are in the row. */
function reportColumns(rows: readonly ReportRow[], by: ReportSearch["by"]): readonly DataColumn<ReportRow>[] {
  const largest = Math.max(...rows.map((row) => Math.max(row.awarded, row.deducted)))
  // A non-zero value is always visible.
  const bar = (points: number, tone?: "info") => (
    <span
      className="fill"
      data-tone={tone}
      style={{ width: points <= 0 ? 0 : `${Math.max(0.5, (points / largest) * 100)}%` }}
    />
  )
  return [
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
          {bar(awarded)}
          {deducted > 0 && bar(deducted, "info")}
        </span>
      ),
    },
    pointsColumn("Awarded", "awarded"),
    countColumn("Awards", "awards"),
    pointsColumn("Deducted", "deducted"),
    countColumn("Deductions", "deductions"),
  ]
}

const figure = { width: 96, end: true } as const

const pointsColumn = (label: string, key: "awarded" | "deducted"): DataColumn<ReportRow> => ({
  ...figure,
  label,
  cell: ({ [key]: points }) => (
    <span className={points === 0 ? "text-muted" : "l-medium"}>{formatPoints(points)}</span>
  ),
})

const countColumn = (label: string, key: "awards" | "deductions"): DataColumn<ReportRow> => ({
  ...figure,
  label,
  hideBelow: "tablet",
  cell: ({ [key]: count }) => <span className="text-secondary">{formatCount(count)}</span>,
})

/** A group's label: months by name, `2026-11` as `Nov 2026`; others as received. */
function groupName(by: ReportSearch["by"], group: string): string {
  const [, year, month] = (by === "month" && /^(\d{4})-(\d{2})$/.exec(group)) || []
  const name = shortMonths[Number(month) - 1]
  if (name !== undefined) return `${name} ${year}`
  return group === "" ? "Not given" : group
}

/** The total of all balances, from the local copy. Overdrawn ones count negative, as in the program's books. */
function Liability() {
  const { data, error } = useQuery(memberFacetsQuery())
  const meta = copyMetaOf(data?.meta)
  return (
    <Stack
      component="aside"
      gap={12}
      px="gutter"
      py={20}
      className={classes.side}
      aria-label="Outstanding points"
    >
      <h2>Outstanding points</h2>
      <p className="text-secondary">
        The total of all members’ balances: points that can be redeemed at any time.
      </p>
      {data !== undefined && meta?.complete === true && (
        <div>
          <p className="figure-text">{formatPoints(data.data.points.sum)}</p>
          <p className="caption">
            {counted(data.data.total, "member")}, synced <RelativeTime at={meta.synced_at} />
            {data.data.points.without > 0 && `, ${formatCount(data.data.points.without)} without a balance`}
          </p>
        </div>
      )}
      {meta?.complete === false && <p className="text-muted">Shown once all members are synced.</p>}
      <ErrorNotice error={error} what="Couldn’t load the balances." />
    </Stack>
  )
}
