import type { Report, ReportCoverage } from "../../contract/reports.ts"
import { counted, formatCount } from "./format.ts"
import { timeOfDay } from "./time.ts"

/** How much of some records a report counts: "161 of 2,006 ledgers read, as of 09:41". */
export function coverageOf({ of, read, total, complete, as_of: at }: ReportCoverage): string {
  const noun = of.slice(0, -1)
  const progress = total === null ? counted(read, noun) : `${formatCount(read)} of ${counted(total, noun)}`
  const time = at === null ? "" : `, as of ${timeOfDay(at)}`
  if (of === "ledgers") return `${progress} read${time}`
  if (of === "days") return `${progress} recorded${time}`
  return complete ? `${counted(read, noun)}${time}` : `${progress} synced`
}

/** Below that share of records figures are far from complete. */
const fewRead = 0.98

/** Coverage of a report whose figures still grow: what has not been read. */
export function missingCoverage({ coverage }: Pick<Report, "coverage">): ReportCoverage[] {
  return coverage.filter(
    ({ of, complete, read, total }) =>
      of !== "days" && !complete && (total === null || read < total * fewRead),
  )
}
