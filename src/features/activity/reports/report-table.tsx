import type { PointsReport } from "../../../../contract/points-report.ts"
import { formatCount, formatPoints } from "../../../lib/format.ts"
import { Truncate } from "../../../ui/values.tsx"
import heads from "../../../ui/table-head.module.css"
import type { ReportSearch } from "./report-search.ts"
import { barWidth, groupHeads, groupName } from "./report-words.ts"
import classes from "./report.module.css"

/** One line for each group; the bar stands in the row and the figures beside it say the same. */
export function ReportTable({ report, by }: { report: PointsReport; by: ReportSearch["by"] }) {
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
