import type { MergedCompanies } from "../../contract/companies.ts"
import type { Report, ReportCoverage, ReportPeriod, ReportRow, ReportValues } from "../../contract/reports.ts"
import { companyFinder } from "../members/merged-companies.ts"
import { periodBefore } from "./periods.ts"

/** One period of a report. */
export interface ReportSums {
  readonly rows: readonly Omit<ReportRow, "before">[]
  readonly total: ReportValues
}

/** Reads one period of a report. */
export type ReportReader = (period: ReportPeriod) => Promise<ReportSums>

/** Rows whose figures add up to the total. */
export function additive(rows: ReportSums["rows"], none: Readonly<Record<string, number>>): ReportSums {
  const total = { ...none }
  for (const { values } of rows)
    for (const name of Object.keys(none)) total[name] = (total[name] ?? 0) + (values[name] ?? 0)
  return { rows, total }
}

/** What a report is made of besides its rows. */
export interface Reading {
  readonly source: Report["source"]
  readonly period: ReportPeriod
  readonly compare: boolean
  /** Rows are months or days: those of two periods are compared by their place. */
  readonly timed: boolean
  readonly coverage: readonly ReportCoverage[]
  readonly undated?: number
}

/** A report, with the period before if requested. */
export async function reportOf(reader: ReportReader, reading: Reading): Promise<Report> {
  const { source, period, compare, timed, coverage, undated = 0 } = reading
  const now = await reader(period)
  const answer = { source, period, coverage: [...coverage], undated, total: now.total }
  if (!compare) {
    const rows = now.rows.map((row) => ({ ...row, before: null }))
    return { ...answer, before: null, total_before: null, rows }
  }
  const before = periodBefore(period)
  const then = await reader(before)
  return {
    ...answer,
    before,
    total_before: then.total,
    rows: timed ? byPlace(now.rows, then.rows) : byName(now.rows, then.rows),
  }
}

function byPlace(rows: ReportSums["rows"], before: ReportSums["rows"]): ReportRow[] {
  return rows.map((row, at) => ({ ...row, before: before[at]?.values ?? null }))
}

const noneOf = (values: ReportValues) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value === null ? null : 0]))

/** Groups of the period before only come last, with nothing in this one. */
function byName(rows: ReportSums["rows"], before: ReportSums["rows"]): ReportRow[] {
  const then = new Map(before.map((row) => [row.group, row]))
  const now = new Set(rows.map(({ group }) => group))
  return [
    ...rows.map((row) => {
      const values = then.get(row.group)?.values
      return { ...row, before: values ?? noneOf(row.values) }
    }),
    ...before
      .filter(({ group }) => !now.has(group))
      .map((row) => ({ ...row, values: noneOf(row.values), before: row.values })),
  ]
}

/** A report that only a local copy has, without one. */
export const offReport: Report = {
  source: "off",
  period: null,
  before: null,
  rows: [],
  total: {},
  total_before: null,
  coverage: [],
  undated: 0,
}

/** Sums of companies under the names that theirs are merged into. */
export function mergedSums<T extends { readonly group: string; readonly label: string }>(
  sums: readonly T[],
  merged: MergedCompanies,
): T[] {
  const companyOf = companyFinder(merged)
  return sums.map((sum) => {
    const { company, written = sum.label } = companyOf(sum.group)
    return { ...sum, group: company, label: written }
  })
}
