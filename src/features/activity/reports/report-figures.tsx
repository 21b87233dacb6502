import type { PointsReport } from "../../../../contract/points-report.ts"
import { formatPoints, formatSigned } from "../../../lib/format.ts"
import { Figures } from "../../../ui/page-header.tsx"
import { rowsText } from "../jobs/job-words.ts"
import classes from "./report.module.css"

/** The sums of the report. */
export function ReportFigures({ total }: { total: PointsReport["total"] }) {
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
