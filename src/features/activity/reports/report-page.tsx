import { Button } from "@mantine/core"
import { IconChartBar, IconDownload, IconLock } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { lazy, Suspense } from "react"
import type { PointsReport } from "../../../../contract/points-report.ts"
import { useCan, useSession } from "../../../api/session.ts"
import { pointsReportQuery } from "../../../api/points.ts"
import { csvBlob, toCsv } from "../../../lib/csv.ts"
import { rangeWords } from "../../../lib/days.ts"
import { saveFile } from "../../../lib/save-file.ts"
import { FilterRow, ListNotes, ListPage } from "../../../lists/list-page.tsx"
import { PanelFilter } from "../../../lists/filters.tsx"
import { AsOf, EmptyState, SkeletonRows } from "../../../ui/query-state.tsx"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { PageHeader } from "../../../ui/page-header.tsx"
import { Segmented } from "../../../ui/segmented.tsx"
import { Liability } from "./liability.tsx"
import { reportQueryOf } from "./report-query.ts"
import { ReportFigures } from "./report-figures.tsx"
import { ReportTable } from "./report-table.tsx"
import { groupHeads, groupName } from "./report-words.ts"
import type { ReportSearch } from "./report-search.ts"
import classes from "./report.module.css"

const DaysChoice = lazy(async () => ({
  default: (await import("../../../lists/filter-panels.tsx")).DaysChoice,
}))

const route = getRouteApi("/_desk/reports/points")
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
            onClick={() => report !== undefined && save(report, search)}
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

function save(report: PointsReport, { by, from, to }: ReportSearch): void {
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
