import type { PointsReport, PointsReportQuery } from "../../contract/points-report.ts"

/** Confirmed points that belong together: one kind, and one reason, one person or one quarter of an hour. */
export interface PointsSum {
  readonly kind: "award" | "deduct"
  /** The reason, the person's name, or the start of a quarter of an hour in ms since 1970. */
  readonly group: string | number
  /** Signed. */
  readonly points: number
  readonly rows: number
}

/** Every time zone is a whole number of these away from UTC, so none of them lies in two days. */
export const quarterHourMs = 900_000

type ReportRow = PointsReport["rows"][number]

/** Lines of the report: months and days in their order, reasons and people by how many points they stand for. */
export function pointsReportOf(
  sums: readonly PointsSum[],
  by: NonNullable<PointsReportQuery["by"]>,
  timeZone: string,
): PointsReport["rows"] {
  const timed = by === "month" || by === "day"
  const nameOf = timed ? namesIn(timeZone, by) : String
  const lines = new Map<string, ReportRow>()
  for (const sum of sums) {
    const group = nameOf(sum.group)
    const line = lines.get(group) ?? { group, awarded: 0, deducted: 0, awards: 0, deductions: 0 }
    lines.set(group, withSum(line, sum))
  }
  return [...lines.values()].toSorted((one, other) => {
    const more = other.awarded + other.deducted - one.awarded - one.deducted
    if (!timed && more !== 0) return more
    return one.group < other.group ? -1 : 1
  })
}

function withSum(line: ReportRow, { kind, points, rows }: PointsSum): ReportRow {
  return kind === "award"
    ? { ...line, awarded: line.awarded + Math.abs(points), awards: line.awards + rows }
    : { ...line, deducted: line.deducted + Math.abs(points), deductions: line.deductions + rows }
}

/** Names the month or the day of a time in a zone, such as `2026-11` or `2026-11-21`. */
function namesIn(timeZone: string, by: "month" | "day"): (at: string | number) => string {
  const format = new Intl.DateTimeFormat("en-CA", {
    timeZone,
    calendar: "iso8601",
    numberingSystem: "latn",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  })
  return (at) => {
    const parts = format.formatToParts(Number(at))
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((one) => one.type === type)?.value ?? ""
    const month = `${part("year")}-${part("month")}`
    return by === "month" ? month : `${month}-${part("day")}`
  }
}
