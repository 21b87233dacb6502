import { Box, Stack } from "@mantine/core"
import { useNavigate } from "@tanstack/react-router"
import { Suspense, useState } from "react"
import type { Report } from "../../../contract/reports.ts"
import { useSession } from "../../api/session.ts"
import { A4Paper, Drawn, PrintButton, PrintedHeader, UnreadyPaper } from "../../forms/paper.tsx"
import { counted } from "../../lib/format.ts"
import { rangeLabel } from "../../lib/time.ts"
import { Button } from "../../ui/button.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { SkeletonRows } from "../../ui/query-state.tsx"
import { figureText, isTimed, type ReportDefinition, rowLabel } from "./report-definition.ts"
import {
  Chart,
  columnsOf,
  coverageText,
  hasFigures,
  isOfRows,
  path,
  type Shown,
  totalsOf,
  useReportSearch,
} from "./report-page.tsx"
import classes from "./reports.module.css"

/** What fits below the chart. */
const rowsPrinted = { timed: 31, named: 22 }

/** A report on one A4 page, as it is printed. */
export function PrintedReport(props: {
  definition: ReportDefinition
  by: string
  report: Report | undefined
}) {
  const { definition, by, report } = props
  const [drawn, setDrawn] = useState(false)
  const navigate = useNavigate()
  const search = useReportSearch()
  const ready = report !== undefined && drawn
  return (
    <Stack gap={0} flex={1}>
      <PageHeader
        title={definition.title}
        path={path}
        actions={
          <>
            <Button
              onClick={() =>
                void navigate({ to: ".", search: (now: object) => ({ ...now, view: undefined }) })
              }
            >
              Back to the report
            </Button>
            <PrintButton ready={ready} />
          </>
        }
      />
      <UnreadyPaper ready={ready} />
      <Box flex={1} px="gutter" py={24} className="line-above" bg="var(--l-bg-sunken)">
        {report === undefined ? (
          <SkeletonRows rows={8} />
        ) : (
          <Suspense fallback={<SkeletonRows rows={8} />}>
            <Paper
              definition={definition}
              by={by}
              report={report}
              measures={definition.measures(by, report, search)}
            />
            <Drawn onDrawn={setDrawn} />
          </Suspense>
        )}
      </Box>
    </Stack>
  )
}

const paperWidth = 688

function Paper(shown: Shown) {
  const { definition, by, report, measures } = shown
  const { program } = useSession()
  const search = useReportSearch()
  const { type, reason, company, tier } = search
  const filters = [type, reason, company, tier].filter((filter) => filter !== undefined)
  const columns = columnsOf(shown, program.currency, search)
  // Of months and days the latest are printed.
  const rows = isTimed(by) ? report.rows.slice(-rowsPrinted.timed) : report.rows.slice(0, rowsPrinted.named)
  const left = report.rows.length - rows.length
  return (
    <A4Paper label={definition.title}>
      <PrintedHeader title={definition.title} />
      <p>
        {[report.period && rangeLabel(report.period), `by ${by}`, ...filters].filter(Boolean).join(", ")}
        {report.before && <span className={classes.quiet}> compared with {rangeLabel(report.before)}</span>}
      </p>
      <dl className={classes.figures}>
        {totalsOf(shown, program.currency).map(({ label, value, before }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
            {before !== undefined && <dd className={classes.quiet}>before {before}</dd>}
          </div>
        ))}
      </dl>
      {report.rows.some(hasFigures) && <Chart {...shown} width={paperWidth} />}
      <section
        className={classes.paper}
        aria-label="Figures"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- on a phone it scrolls, also by keyboard
        tabIndex={0}
      >
        <table>
          <thead>
            <tr>
              {columns.map(({ label, end }) => (
                <th key={label} scope="col" data-end={end || undefined}>
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.group}>
                <th scope="row">{rowLabel(definition, by, row)}</th>
                {measures.filter(isOfRows).flatMap((measure) => [
                  <td key={measure.key} data-end>
                    {figureText(measure, row.values, program.currency)}
                  </td>,
                  ...(report.before !== null && measure.charted === true
                    ? [
                        <td key={`${measure.key} before`} data-end>
                          {figureText(measure, row.before, program.currency)}
                        </td>,
                      ]
                    : []),
                ])}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p className={classes.quiet}>
        {coverageText(definition, report)}.
        {left > 0 && ` ${counted(left, "more row")} in the file of this report.`}
      </p>
    </A4Paper>
  )
}
