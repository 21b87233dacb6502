import { Button } from "@mantine/core"
import { IconChartBar, IconDownload, IconLock } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { lazy, Suspense } from "react"
import type { PointsReport } from "../../../contract/job.ts"
import { pointsReportQuery } from "../../api/points.ts"
import { useCan, useSession } from "../../api/session.ts"
import { rowsText } from "./job-status.tsx"
import { Liability } from "./liability.tsx"
import { reportQueryOf } from "./search.ts"
import type { ReportSearch } from "./search.ts"
import { rangeWords } from "../../lib/days.ts"
import { formatCount, formatPoints, formatSigned } from "../../lib/format.ts"
import { saveFile } from "../../lib/save-file.ts"
import { shortMonths } from "../../lib/time.ts"
import { PanelFilter } from "../../lists/filters.tsx"
import { FilterRow, ListNotes, ListPage } from "../../lists/list-page.tsx"
import { ErrorNotice } from "../../ui/error-notice.tsx"
import { Figures, PageHeader } from "../../ui/page-header.tsx"
import { AsOf, EmptyState, SkeletonRows } from "../../ui/query-state.tsx"
import { Segmented } from "../../ui/segmented.tsx"
import { Truncate } from "../../ui/values.tsx"
import classes from "./report.module.css"
import heads from "../../ui/table-head.module.css"

const DaysChoice = lazy(async () => ({
  default: (await import("../../lists/filter-panels.tsx")).DaysChoice,
}))

const route = getRouteApi("/_app/reports/points")
/** The head of the first column. */
const groupHeads: Readonly<Record<ReportSearch["by"], string>> = {
  reason: "Reason",
  person: "Person",
  month: "Month",
}
const groups = (["reason", "person", "month"] as const).map((value) => ({ value, label: groupHeads[value] }))
const path = [{ label: "Activity", to: "/jobs" }]

/** Points this desk awarded and deducted, and what the members have. */
export function ReportPage() {
  if (useCan("ledger.read")) return <Report />
  return (
    <ListPage>
      <PageHeader title="Points report" path={path} />
      <EmptyState
        icon={IconLock}
        title="Your role can’t view points"
        help="Ask an administrator to change your role."
      />
    </ListPage>
  )
}

function Report() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { program } = useSession()
  const { data, error, isPending, isFetching, refetch } = useQuery(
    pointsReportQuery(reportQueryOf(search, program.time_zone)),
  )
  const set = (change: Partial<ReportSearch>) => void navigate({ search: (now) => ({ ...now, ...change }) })
  const days = rangeWords(search)
  const report = data?.report
  return (
    <ListPage>
      <PageHeader
        title="Points report"
        path={path}
        sum="Points awarded and deducted with Laurel"
        actions={
          <Button
            leftSection={<IconDownload size={16} stroke={1.75} aria-hidden />}
            disabled={report === undefined || report.rows.length === 0}
            onClick={() => report !== undefined && void save(report, search)}
          >
            Download
          </Button>
        }
      />
      <FilterRow
        onClear={days === undefined ? undefined : () => set({ from: undefined, to: undefined })}
        end={<AsOf at={data?.at} refreshing={isFetching} onRefresh={() => void refetch()} />}
      >
        <Segmented label="Group by" value={search.by} options={groups} onChange={(by) => set({ by })} />
        <PanelFilter label="Days" value={days} onRemove={() => set({ from: undefined, to: undefined })}>
          {(close) => (
            <DaysChoice
              value={search}
              help={`Days in ${program.time_zone} time.`}
              onChoose={({ from, to }) => {
                set({ from, to })
                close()
              }}
            />
          )}
        </PanelFilter>
      </FilterRow>
      <ListNotes>
        {error !== null && (
          <ErrorNotice
            error={error}
            what={data === undefined ? "Couldn’t load the report." : "Couldn’t refresh the report."}
            onRetry={() => void refetch()}
          />
        )}
      </ListNotes>
      <div className={classes.body}>
        <div className={classes.main}>
          {isPending && <SkeletonRows rows={6} />}
          {report !== undefined && <ReportFigures total={report.total} />}
          {report !== undefined && report.rows.length > 0 && <ReportTable report={report} by={search.by} />}
          {report?.rows.length === 0 && (
            <EmptyState
              icon={IconChartBar}
              title={days === undefined ? "No points awarded yet" : "No points in this period"}
              help="Only confirmed awards and deductions made with Laurel are counted."
            />
          )}
        </div>
        <Suspense>
          <Liability />
        </Suspense>
      </div>
    </ListPage>
  )
}

async function save(report: PointsReport, { by, from, to }: ReportSearch): Promise<void> {
  const { csvBlob, toCsv } = await import("../../lib/csv.ts")
  const csv = toCsv({
    columns: [groupHeads[by], "Awarded", "Awards", "Deducted", "Deductions"],
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

/** The sums of the report. */
function ReportFigures({ total }: { total: PointsReport["total"] }) {
  return (
    <Figures
      items={[
        {
          label: "Awarded",
          value: (
            <>
              {formatPoints(total.awarded)}{" "}
              <span className={classes.of}>in {rowsText(total.awards, "award")}</span>
            </>
          ),
        },
        {
          label: "Deducted",
          value: (
            <>
              {formatPoints(total.deducted)}{" "}
              <span className={classes.of}>in {rowsText(total.deductions, "deduction")}</span>
            </>
          ),
        },
        { label: "Net", value: formatSigned(total.awarded - total.deducted) },
      ]}
    />
  )
}

/** One line for each group; the bar stands in the row and the figures beside it say the same. */
function ReportTable({ report, by }: { report: PointsReport; by: ReportSearch["by"] }) {
  const largest = Math.max(...report.rows.map((row) => Math.max(row.awarded, row.deducted)))
  return (
    <div className={classes.scroller} data-scroll-restoration-id="list-report">
      <table className={classes.table} aria-label={`Points by ${by}`}>
        <thead className={`${heads.head} ${heads.stays}`}>
          <tr>
            <th scope="col">{groupHeads[by]}</th>
            <th scope="col" className={classes.barHead}>
              <span className="visually-hidden">Share of the largest</span>
            </th>
            <th scope="col" data-end>
              Awarded
            </th>
            <th scope="col" data-end className={classes.wide}>
              Awards
            </th>
            <th scope="col" data-end>
              Deducted
            </th>
            <th scope="col" data-end className={classes.wide}>
              Deductions
            </th>
          </tr>
        </thead>
        <tbody>
          {report.rows.map((row) => (
            <tr key={row.group}>
              <th scope="row">
                <Truncate>{groupName(by, row.group)}</Truncate>
              </th>
              {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- a cell, not a control */}
              <td className={classes.barHead}>
                <span className={classes.bars} aria-hidden>
                  <span className={classes.awarded} style={{ width: `${barWidth(row.awarded, largest)}%` }} />
                  <span
                    className={classes.deducted}
                    style={{ width: `${barWidth(row.deducted, largest)}%` }}
                  />
                </span>
              </td>
              <td data-end className="l-medium">
                {row.awarded === 0 ? <span className="text-muted">0</span> : formatPoints(row.awarded)}
              </td>
              <td data-end className={`text-secondary ${classes.wide}`}>
                {formatCount(row.awards)}
              </td>
              <td data-end className="l-medium">
                {row.deducted === 0 ? <span className="text-muted">0</span> : formatPoints(row.deducted)}
              </td>
              <td data-end className={`text-secondary ${classes.wide}`}>
                {formatCount(row.deductions)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

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
