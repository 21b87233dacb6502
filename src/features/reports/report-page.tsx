import { Box, Group, NativeSelect, Stack } from "@mantine/core"
import { IconArrowsLeftRight, IconChartBar, IconDownload, IconPrinter } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { Link, useSearch } from "@tanstack/react-router"
import { lazy, type ReactNode, Suspense, useState } from "react"
import type { Report, ReportRow } from "../../../contract/reports.ts"
import { grantOf } from "../../../contract/roles.ts"
import { reportQuery } from "../../api/reports.ts"
import { useSession } from "../../api/session.ts"
import { formatCount } from "../../lib/format.ts"
import { coverageOf, missingCoverage } from "../../lib/report-coverage.ts"
import { type FileFormat, saveTable } from "../../lib/table-file.ts"
import { rangeLabel } from "../../lib/time.ts"
import { filtersInUse, ListFilters, withoutFilters } from "../../lists/list-filters.tsx"
import { FilterRow, ListPage } from "../../lists/list-page.tsx"
import { useListState } from "../../lists/list-state.ts"
import { RequirePagePermission } from "../../lists/require-permission.tsx"
import { Button, buttonIcon, LinkButton } from "../../ui/button.tsx"
import { type DataColumn, DataTable } from "../../ui/data-table.tsx"
import { SelectChevron } from "../../ui/field-parts.tsx"
import { Notice } from "../../ui/notice.tsx"
import { Figures, PageHeader } from "../../ui/page-header.tsx"
import { Popover } from "../../ui/popover.tsx"
import { AsOf, EmptyState, QueryState, SkeletonRows } from "../../ui/query-state.tsx"
import { Truncate } from "../../ui/values.tsx"
import {
  cellOf,
  figureText,
  isTimed,
  type ReportDefinition,
  type ReportMeasure,
  rowLabel,
} from "./report-definition.ts"
import { groupOf, groupsFor, reportSearch, type ReportSearch, toReportQuery } from "./report-search.ts"
import classes from "./reports.module.css"

const PrintedReport = lazy(async () => ({ default: (await import("./report-paper.tsx")).PrintedReport }))
const ReportChart = lazy(async () => ({ default: (await import("./report-chart.tsx")).ReportChart }))

export const path = [{ label: "Reports", to: "/reports" }]
const rowsShown = 100

/** A report as it is shown. */
export interface Shown {
  readonly definition: ReportDefinition
  readonly by: string
  readonly report: Report
  readonly measures: readonly ReportMeasure[]
}

/** The page of every report: choices, figures, chart and table; its file, and the page as it is printed. */
export function ReportPage({ definition }: { definition: ReportDefinition }) {
  const { permission, title } = definition
  return (
    <RequirePagePermission permission="reports.read" title={title} noun="reports">
      <RequirePagePermission permission={permission} title={title} noun="this report">
        <Content definition={definition} />
      </RequirePagePermission>
    </RequirePagePermission>
  )
}

/** The choices of the open report. */
export const useReportSearch = () => reportSearch.parse(useSearch({ strict: false }))

function Content({ definition }: { definition: ReportDefinition }) {
  const { name, title, empty, note } = definition
  const search = useReportSearch()
  const { currency } = useSession().program
  const query = useQuery(reportQuery(name, toReportQuery(name, search)))
  const { data, isFetching, isPlaceholderData, refetch } = query
  const by = groupOf(name, search)
  if (search.view === "print")
    return (
      <Suspense fallback={<SkeletonRows rows={8} />}>
        <PrintedReport
          definition={definition}
          by={by}
          report={isPlaceholderData ? undefined : data?.report}
        />
      </Suspense>
    )
  return (
    <ListPage>
      <PageHeader
        title={title}
        path={path}
        sum={data && coverageText(definition, data.report)}
        actions={<Actions definition={definition} by={by} report={data?.report} search={search} />}
      />
      <Choices
        definition={definition}
        by={by}
        period={data?.report.period ?? undefined}
        end={<AsOf at={data?.at} refreshing={isFetching} onRefresh={() => void refetch()} />}
      />
      <div className={`grow line-above ${classes.rows}`} data-scroll-restoration-id={`list-report-${name}`}>
        <QueryState query={query} noun="report" rows={8}>
          {({ report }) => {
            const shown = { definition, by, report, measures: definition.measures(by, report, search) }
            return report.source === "off" ? (
              <OffNotice report={report} />
            ) : (
              <>
                <Incomplete report={report} />
                <div className={classes.totals}>
                  <Figures
                    items={totalsOf(shown, currency).map(({ label, value, before }) => ({
                      label,
                      value: (
                        <>
                          {value}
                          {before !== undefined && <span>before {before}</span>}
                        </>
                      ),
                    }))}
                  />
                </div>
                {note?.(report, search)}
                {report.rows.some(hasFigures) ? (
                  <>
                    <div className={classes.chart}>
                      <Suspense fallback={<SkeletonRows rows={5} />}>
                        <Chart {...shown} />
                      </Suspense>
                    </div>
                    <Rows {...shown} />
                  </>
                ) : (
                  <EmptyState icon={IconChartBar} title={empty.title} help={empty.help} />
                )}
              </>
            )
          }}
        </QueryState>
      </div>
    </ListPage>
  )
}

/** Whether a row has anything but zeros. */
export const hasFigures = ({ values, before }: ReportRow) =>
  [...Object.values(values), ...Object.values(before ?? {})].some((value) => value !== null && value !== 0)

/** What of the services’ records the report counts. */
export function coverageText(
  { counts }: Pick<ReportDefinition, "counts">,
  { coverage, source }: Report,
): string {
  if (source === "laurel" && counts !== undefined) return counts
  return coverage.map(coverageOf).join(", ")
}

function Incomplete({ report }: { report: Report }) {
  const missing = missingCoverage(report)
  const { undated } = report
  if (missing.length === 0 && undated === 0) return null
  return (
    <Stack gap={8} px="gutter" pt={12}>
      {missing.length > 0 && (
        <Notice tone="info" title="Not everything has been read yet">
          {missing.map(coverageOf).join(", ")}.{" "}
          {report.source === "laurel"
            ? "Until the first one is read, only entries made with Laurel are counted."
            : "The figures grow until the rest has been read."}
        </Notice>
      )}
      {undated > 0 && report.source === "copy" && (
        <Notice tone="info" title={`${formatCount(undated)} without a date`}>
          The service sent no time for them, so they are in no period.
        </Notice>
      )}
    </Stack>
  )
}

function OffNotice({ report: { coverage } }: { report: Report }) {
  return coverage.length === 0 ? (
    <EmptyState
      icon={IconChartBar}
      title="This report isn’t available"
      help="It is made from the local copy of the service’s records, which is off on this server."
    />
  ) : (
    <EmptyState
      icon={IconChartBar}
      title="Records are being synced"
      help={`${coverage.map(coverageOf).join(", ")}. The report fills as they are read.`}
    />
  )
}

/** Without parcels there is no time; points without a record are not none. */
const unknown = ({ unit }: ReportMeasure) => (unit === "ms" ? "None" : "Not recorded")

/** The figures above the table, with those of the period before. */
export function totalsOf({ measures, report: { total, total_before: before } }: Shown, currency: string) {
  return measures
    .filter(({ only }) => only !== "rows")
    .map((measure) => ({
      label: measure.label,
      value: figureText(measure, total, currency) || unknown(measure),
      before: before === null ? undefined : figureText(measure, before, currency) || "none",
    }))
}

/** The report’s chart; `width`, in px, on paper. */
export function Chart({ width, ...shown }: Shown & { width?: number }) {
  const { definition, by, report, measures } = shown
  const { program } = useSession()
  return (
    <ReportChart
      rows={report.rows}
      measures={measures}
      kind={definition.chart}
      labelOf={(row) => rowLabel(definition, by, row)}
      timed={isTimed(by)}
      compared={report.before !== null}
      currency={program.currency}
      {...(width !== undefined && { width })}
    />
  )
}

/** Actions of a report: the period before, its file, and paper. */
function Actions(props: {
  definition: ReportDefinition
  by: string
  report: Report | undefined
  search: ReportSearch
}) {
  const { definition, by, report, search } = props
  const { program } = useSession()
  const isEmpty = report === undefined || report.rows.length === 0
  const save = (format: FileFormat, shown: Report) => {
    const measures = definition.measures(by, shown, search)
    void saveTable({ ...fileOf({ definition, by, report: shown, measures }, program.currency), format })
  }
  return (
    <>
      <LinkButton
        to="."
        search={(now: object) => ({ ...now, view: "print" })}
        leftSection={<IconPrinter {...buttonIcon} />}
      >
        Print
      </LinkButton>
      <Popover
        label="Download"
        align="end"
        button={
          <Button leftSection={<IconDownload {...buttonIcon} />} disabled={isEmpty}>
            Download
          </Button>
        }
      >
        {(close) => (
          <Box component="ul" miw={176} m={-12}>
            {downloads.map(([format, label]) => (
              <li key={format}>
                <Button
                  variant="choice"
                  onClick={() => {
                    if (report !== undefined) save(format, report)
                    close()
                  }}
                >
                  {label}
                </Button>
              </li>
            ))}
          </Box>
        )}
      </Popover>
    </>
  )
}

const downloads = [
  ["comma", "CSV"],
  ["semicolon", "CSV with semicolons"],
  ["xlsx", "Excel (.xlsx)"],
] as const satisfies readonly (readonly [FileFormat, string])[]

function groupLabel({ name }: ReportDefinition, by: string): string {
  return groupsFor(name, {}).find(({ value }) => value === by)?.label ?? "Group"
}

function fileOf({ definition, by, report, measures }: Shown, currency: string) {
  const { period, before } = report
  const unit = { cents: ` (${currency})`, ms: " (days)" }
  const labelOf = (measure: ReportMeasure) =>
    measure.label + (measure.unit === "cents" || measure.unit === "ms" ? unit[measure.unit] : "")
  return {
    name: [definition.title, "by", by, period && `${period.from} to ${period.to}`].filter(Boolean).join(" "),
    columns: [
      groupLabel(definition, by),
      ...measures
        .filter(isOfRows)
        .flatMap((measure) => [labelOf(measure), ...(before ? [`${labelOf(measure)} before`] : [])]),
    ],
    rows: report.rows.map((row) => [
      isTimed(by) ? row.group : rowLabel(definition, by, row),
      ...measures
        .filter(isOfRows)
        .flatMap((measure) => [
          cellOf(measure, row.values),
          ...(before ? [cellOf(measure, row.before)] : []),
        ]),
    ]),
  }
}

function Choices(props: {
  definition: ReportDefinition
  by: string
  period: Report["period"] | undefined
  end: ReactNode
}) {
  const { definition, by, period, end } = props
  const { isOfToday = false } = definition
  const { user, program } = useSession()
  const state = useListState()
  const search = useReportSearch()
  const { compare } = search
  const sees = grantOf(user.role, "reports.read") === "yes"
  const groups = groupsFor(definition.name, search).filter(({ value }) => sees || value !== "person")
  const filters = [
    ...(isOfToday
      ? []
      : [{ type: "days", label: "Days", help: `Days in ${program.time_zone} time.` } as const]),
    ...definition.filters(search, by),
  ]
  const used = Object.keys(filtersInUse(filters, state.values)).length > 0
  return (
    <FilterRow onClear={used ? () => state.set(withoutFilters(filters)) : undefined} end={end}>
      <NativeSelect
        aria-label="Group by"
        value={by}
        data={groups.map(({ value, label }) => ({ value, label: `By ${label.toLowerCase()}` }))}
        rightSection={<SelectChevron />}
        onChange={({ currentTarget: { value } }) =>
          state.set({ by: value === groups[0]?.value ? undefined : value })
        }
      />
      <ListFilters filters={filters} state={state} />
      {!isOfToday && (
        <Button
          variant={compare === undefined ? "subtle" : "light"}
          leftSection={<IconArrowsLeftRight {...buttonIcon} />}
          aria-pressed={compare !== undefined}
          onClick={() => state.set({ compare: compare === undefined ? "before" : undefined })}
        >
          Compare with the period before
        </Button>
      )}
      {period && !("from" in filtersInUse(filters, state.values)) && (
        <span className="caption l-num">{rangeLabel(period)}</span>
      )}
    </FilterRow>
  )
}

/** Whether a figure has a column. */
export const isOfRows = ({ only }: ReportMeasure) => only !== "total"

/** Columns of a report’s table. */
export function columnsOf(
  { definition, by, report, measures }: Shown,
  currency: string,
  search: ReportSearch,
) {
  const label: DataColumn<ReportRow> = {
    label: groupLabel(definition, by),
    rowHeader: true,
    cell: (row) => {
      const text = <Truncate>{rowLabel(definition, by, row)}</Truncate>
      const link = definition.linkOf?.(row, by, search)
      return link === undefined ? (
        text
      ) : (
        <Link {...link} className="hover-underline">
          {text}
        </Link>
      )
    },
  }
  return [
    label,
    ...measures.filter(isOfRows).flatMap((measure, at): DataColumn<ReportRow>[] => [
      figureColumn(measure.label, measure, currency, at === 0 ? "l-medium" : "text-secondary"),
      ...(report.before !== null && measure.charted === true
        ? [
            {
              ...figureColumn(`${measure.label} before`, measure, currency, "text-muted", true),
              hideBelow: "tablet" as const,
            },
          ]
        : []),
    ]),
  ]
}

function figureColumn(
  label: string,
  measure: ReportMeasure,
  currency: string,
  look: string,
  ofBefore = false,
): DataColumn<ReportRow> {
  return {
    label,
    end: true,
    ...(measure.hideBelow !== undefined && { hideBelow: measure.hideBelow }),
    cell: ({ values, before }) => {
      const shown = ofBefore ? before : values
      return (
        <span className={shown?.[measure.key] === 0 ? "text-muted" : look}>
          {figureText(measure, shown, currency)}
        </span>
      )
    },
  }
}

function Rows(shown: Shown) {
  const { report, by } = shown
  const { program } = useSession()
  const search = useReportSearch()
  const [all, setAll] = useState(false)
  const rows = all ? report.rows : report.rows.slice(0, rowsShown)
  return (
    <>
      <DataTable
        label={`${shown.definition.title} by ${by}`}
        columns={columnsOf(shown, program.currency, search)}
        rows={rows}
        keyOf={({ group }) => group}
        wide
      />
      {rows.length < report.rows.length && (
        <Group px="gutter" py={12} gap="sm" className="caption">
          {formatCount(rows.length)} of {formatCount(report.rows.length)} rows
          <Button size="xs" onClick={() => setAll(true)}>
            Show all
          </Button>
        </Group>
      )}
    </>
  )
}
