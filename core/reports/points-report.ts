import type { PointsReport, PointsReportQuery } from "../../contract/job.ts"
import { isLaurelGroup, type LedgerReportQuery, type ReportPeriod } from "../../contract/reports.ts"
import { dayOfNumber } from "../../contract/zoned-days.ts"
import type { CoreContext } from "../context.ts"
import type { LocalCopy } from "../copy/local-copy.ts"
import { stored } from "../errors.ts"
import { namesOfCompany, readMerged } from "../members/merged-companies.ts"
import { groupsIn, isTimed, momentsOf } from "./periods.ts"
import { additive, mergedSums, type ReportReader, type ReportSums } from "./report.ts"
import type { EntriesSum, EntryCorrection, Reversal } from "./report-store.ts"

/** Figures by the type of their entries; all other types are adjustments. Points spent or taken are positive. */
const figuresByType: Readonly<
  Record<string, { readonly name: keyof typeof noFigures; readonly sign: 1 | -1 }>
> = {
  award: { name: "awarded", sign: 1 },
  redeem: { name: "redeemed", sign: -1 },
  deduct: { name: "deducted", sign: -1 },
  expire: { name: "expired", sign: -1 },
}
const adjusted = { name: "adjusted", sign: 1 } as const
const noFigures = { awarded: 0, redeemed: 0, deducted: 0, expired: 0, adjusted: 0, net: 0, entries: 0 }

/** Sums the entries of ledgers in the local copy, without what Laurel’s own jobs took back. */
export async function entriesReader(
  context: CoreContext,
  { copy }: LocalCopy,
  query: LedgerReportQuery,
  timeZone: string,
): Promise<ReportReader> {
  const { by = "month", type, reason, tier } = query
  if (by === "person") throw new Error("Ledgers do not say who awarded.")
  const corrections = correctionsOf(await stored(context.store.jobs.reversals()))
  const company = query.company === undefined ? undefined : await namesOfCompany(context, query.company)
  const merged = by === "company" ? await readMerged(context.store.settings) : []
  return async (period) => {
    const sums = await stored(
      copy.reports.entries({
        by: isTimed(by) ? "day" : by,
        ...momentsOf(period, timeZone),
        type,
        reason,
        tier,
        company,
        corrections,
      }),
    )
    const named = by === "company" ? mergedSums(sums, merged) : sums
    const rows = isTimed(by) ? rowsByTime(sums, period, by) : rowsByName(named)
    return additive(rows, noFigures)
  }
}

/** A reversal and what it takes back leave each other's entries without those points. */
function correctionsOf(reversals: readonly Reversal[]): EntryCorrection[] {
  return reversals.flatMap(({ memberId, reversedId, reversingMemberId, reversingId, points }) => [
    { memberId, entryId: reversedId, points },
    { memberId: reversingMemberId, entryId: reversingId, points: -points },
  ])
}

function figuresOf(sums: readonly EntriesSum[]): typeof noFigures {
  const figures = { ...noFigures }
  for (const { type, points, entries } of sums) {
    const { name, sign } = figuresByType[type] ?? adjusted
    figures[name] += sign * points
    figures.net += points
    figures.entries += entries
  }
  return figures
}

function rowsByTime(
  sums: readonly EntriesSum[],
  period: ReportPeriod,
  by: "day" | "month",
): ReportSums["rows"] {
  const length = by === "month" ? 7 : 10
  const found = Map.groupBy(sums, ({ group }) => dayOfNumber(Number(group)).slice(0, length))
  return groupsIn(period, by).map((group) => ({
    group,
    label: group,
    values: figuresOf(found.get(group) ?? []),
  }))
}

function rowsByName(sums: readonly EntriesSum[]): ReportSums["rows"] {
  const rows = [...Map.groupBy(sums, ({ group }) => group)].map(([group, some]) => ({
    group,
    label: some[0]?.label ?? group,
    values: figuresOf(some),
  }))
  return rows
    .filter(({ values }) => values.entries > 0 || moved(values) > 0)
    .toSorted(
      (one, other) =>
        other.values.awarded - one.values.awarded ||
        moved(other.values) - moved(one.values) ||
        (one.group < other.group ? -1 : 1),
    )
}

const moved = ({ awarded, redeemed, deducted, expired, adjusted: rest }: typeof noFigures) =>
  awarded + redeemed + deducted + expired + Math.abs(rest)

/** Sums what Laurel’s own jobs awarded and deducted, without what was reversed. */
export function laurelReader(
  { store }: Pick<CoreContext, "store">,
  { by = "month" }: LedgerReportQuery,
  timeZone: string,
): ReportReader {
  if (!isLaurelGroup(by)) throw new Error(`Laurel’s own jobs are not summed by ${by}.`)
  return async (period) => {
    const { from, to } = momentsOf(period, timeZone)
    const span = { from: new Date(from).toISOString(), to: new Date(to - 1).toISOString() }
    const found = await stored(store.jobs.pointsReport({ by, ...span }, timeZone))
    const byGroup = new Map(found.map((row) => [row.group, row]))
    const groups = isTimed(by) ? groupsIn(period, by) : found.map(({ group }) => group)
    const rows = groups.map((group) => ({ group, label: group, values: laurelFigures(byGroup.get(group)) }))
    return additive(rows, laurelFigures())
  }
}

function laurelFigures(row?: PointsReport["rows"][number]) {
  const { awarded, deducted, awards, deductions } = row ?? nothing
  return { awarded, deducted, net: awarded - deducted, entries: awards + deductions }
}

const nothing = { awarded: 0, deducted: 0, awards: 0, deductions: 0 }

/** What Laurel’s own jobs awarded and deducted, as the home page and forms read it. */
export async function laurelPoints(
  { store, settings }: CoreContext,
  query: PointsReportQuery,
): Promise<PointsReport> {
  const { time_zone } = await settings.get("program")
  const rows = await stored(store.jobs.pointsReport(query, time_zone))
  const total = { group: "total", ...nothing }
  for (const row of rows) {
    for (const sum of ["awarded", "deducted", "awards", "deductions"] as const) total[sum] += row[sum]
  }
  return { rows, total }
}
