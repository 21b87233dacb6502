import type { Report, ReportCoverage, ReportPeriod } from "../../contract/reports.ts"
import type { MergedCompanies } from "../../contract/companies.ts"
import type { CopyStore } from "../copy/copy-store.ts"
import { stored } from "../errors.ts"
import type { BookStore } from "../books/book-store.ts"
import { isoTimeOrNull } from "../runtime.ts"
import { byFigure } from "./order-reports.ts"
import { groupsIn } from "./periods.ts"
import { additive, mergedSums, type ReportReader } from "./report.ts"
import type { ActivitySum } from "./report-store.ts"

const nobody = { members: 0, d30: 0, d90: 0, d365: 0, older: 0, never: 0, unread: 0 }

/** Counts members by their last entry or order. It is about today and has no period. */
export async function activityReport(
  { reports }: Pick<CopyStore, "reports">,
  by: "tier" | "company" | "status",
  now: number,
  merged: MergedCompanies,
): Promise<Pick<Report, "rows" | "total">> {
  const found = await stored(reports.activity({ by, now }))
  const sums = by === "company" ? mergedSums(found, merged) : found
  const rows = [...Map.groupBy(sums, ({ group }) => group)].map(([group, some]) => ({
    group,
    label: some[0]?.label ?? group,
    values: added(some),
    before: null,
  }))
  return { rows: rows.toSorted(byFigure("members")), total: additive(rows, nobody).total }
}

function added(sums: readonly ActivitySum[]): typeof nobody {
  const figures = { ...nobody }
  for (const sum of sums) {
    figures.members += sum.members
    figures.d30 += sum.d30
    figures.d90 += sum.d90
    figures.d365 += sum.d365
    figures.older += sum.older
    figures.never += sum.never
    figures.unread += sum.unread
  }
  return figures
}

/** Points outstanding at the daily snapshots; of a month the last one. A day without one is a gap, not zero. */
export function outstandingReader(books: BookStore, by: "month" | "day"): ReportReader {
  const length = by === "month" ? 7 : 10
  return async (period) => {
    const days = await stored(books.days(period.from, period.to))
    const last = new Map(days.map((day) => [day.day.slice(0, length), day]))
    const rows = groupsIn(period, by).map((group) => {
      const { points = null, members = null } = last.get(group) ?? {}
      return { group, label: group, values: { points, members } }
    })
    const [first, latest] = [days[0], days.at(-1)]
    const change = first === undefined || latest === undefined ? null : latest.points - first.points
    const { points = null, members = null } = latest ?? {}
    return { rows, total: { points, members, change } }
  }
}

/** How many days of a period, up to today, have a snapshot. */
export async function daysCoverage(
  books: BookStore,
  { from, to }: ReportPeriod,
  today: string,
): Promise<ReportCoverage> {
  const last = to < today ? to : today
  const found = await stored(books.days(from, last))
  const total = last < from ? 0 : groupsIn({ from, to: last }, "day").length
  const as_of = isoTimeOrNull(found.at(-1)?.at ?? null)
  return { of: "days", read: found.length, total, complete: found.length >= total, as_of }
}
