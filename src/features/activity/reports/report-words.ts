import { shortMonths } from "../../../lib/time.ts"
import type { ReportSearch } from "./report-search.ts"

/** The head of the first column. */
export const groupHeads: Readonly<Record<ReportSearch["by"], string>> = {
  reason: "Reason",
  person: "Person",
  month: "Month",
}

/** One line's name: months are written out, `2026-11` as `Nov 2026`; the rest as it comes. */
export function groupName(by: ReportSearch["by"], group: string): string {
  const month = by === "month" ? /^(\d{4})-(\d{2})$/.exec(group) : null
  const name = month === null ? undefined : shortMonths[Number(month[2]) - 1]
  if (name !== undefined) return `${name} ${month?.[1] ?? ""}`
  return group === "" ? "Not given" : group
}

/** A bar's width in percent of the largest; something is always seen of what is not nothing. */
export function barWidth(points: number, largest: number): number {
  if (points <= 0 || largest <= 0) return 0
  return Math.max(0.5, (points / largest) * 100)
}
