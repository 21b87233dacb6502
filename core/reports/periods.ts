import type { ReportPeriod } from "../../contract/reports.ts"
import { addDays, addMonths, startOfDay, type ZoneOffsets, zoneOffsets } from "../../contract/zoned-days.ts"
import { badRequest } from "../errors.ts"

/** Whether rows are months or days. */
export function isTimed(by: string): by is "month" | "day" {
  return by === "month" || by === "day"
}

const dayMs = 86_400_000
/** Months that a report shows unless a period is chosen. */
const usualMonths = 12
const mostDays = 366
const mostMonths = 120

/** The days that a report is about. @throws AppError 400 where it ends before it begins, or is too long */
export function periodOf(
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
  by: string,
  today: string,
): ReportPeriod {
  const last = to ?? (from !== undefined && from > today ? from : today)
  const first = from ?? addMonths(`${last.slice(0, 7)}-01`, by === "day" ? 0 : 1 - usualMonths)
  if (first > last) throw badRequest("The period ends before it begins. Choose other days. Nothing was read.")
  const period = { from: first, to: last }
  if (by === "day" && daysIn(period) > mostDays)
    throw badRequest(`By day a report has at most ${mostDays} days. Group by month, or choose fewer days.`)
  if (groupsIn(period, "month").length > mostMonths)
    throw badRequest(`A report has at most ${mostMonths} months. Choose a shorter period.`)
  return period
}

/** The period before, as long: as many months where it is of whole months, otherwise as many days. */
export function periodBefore(period: ReportPeriod): ReportPeriod {
  const to = addDays(period.from, -1)
  const coversMonths = period.from.endsWith("-01") && addDays(period.to, 1).endsWith("-01")
  if (!coversMonths) return { from: addDays(period.from, -daysIn(period)), to }
  return { from: addMonths(period.from, -groupsIn(period, "month").length), to }
}

/** The moments of a period in a time zone, ms; `to` is not included. */
export function momentsOf(
  { from, to }: ReportPeriod,
  timeZone: string,
): { readonly from: number; readonly to: number; readonly offsets: ZoneOffsets } {
  const span = { from: startOfDay(from, timeZone), to: startOfDay(addDays(to, 1), timeZone) }
  return { ...span, offsets: zoneOffsets(span.from, span.to, timeZone) }
}

/** Every month (`2026-11`) or day of a period, in order. */
export function groupsIn({ from, to }: ReportPeriod, by: "day" | "month"): readonly string[] {
  if (by === "day") return Array.from({ length: daysIn({ from, to }) }, (_, at) => addDays(from, at))
  const groups: string[] = []
  for (let month = `${from.slice(0, 7)}-01`; month <= to; month = addMonths(month, 1))
    groups.push(month.slice(0, 7))
  return groups
}

function daysIn({ from, to }: ReportPeriod): number {
  return (Date.parse(to) - Date.parse(from)) / dayMs + 1
}
