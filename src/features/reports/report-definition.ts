import type { LinkProps } from "@tanstack/react-router"
import type { ReactNode } from "react"
import type { Report, ReportRow, ReportValues } from "../../../contract/reports.ts"
import type { Permission } from "../../../contract/roles.ts"
import { addDays } from "../../../contract/zoned-days.ts"
import type { ReportName } from "../../api/reports.ts"
import { formatCount, formatMoney, formatPoints, formatSigned, shortPoints } from "../../lib/format.ts"
import { dayLabel, duration, shortMonths } from "../../lib/time.ts"
import type { ListFilter } from "../../lists/list-filters.tsx"
import type { ReportSearch } from "./report-search.ts"

/** A figure of a report: a column of its table, and one of the figures above it. */
export interface ReportMeasure {
  /** Of the figure in the server’s response. */
  readonly key: string
  readonly label: string
  readonly unit: "points" | "signed" | "count" | "cents" | "ms"
  /** Drawn in the chart. */
  readonly charted?: boolean
  /** Not among the figures above the table, or only there. */
  readonly only?: "rows" | "total"
  readonly hideBelow?: "tablet" | "phone"
}

/** What one report shows; `ReportPage` does the rest. */
export interface ReportDefinition {
  readonly name: ReportName
  readonly title: string
  /** One line for the overview of all reports. */
  readonly about: string
  /** Needed besides `reports.read`. */
  readonly permission: Permission
  readonly to: `/reports/${"activity" | "fulfilment" | "gift-cards" | "outstanding" | "points" | "rewards"}`
  readonly measures: (by: string, report: Report, search: ReportSearch) => readonly ReportMeasure[]
  /** Bars unless stated; a line has gaps where nothing is known. */
  readonly chart?: "line" | "stacked"
  /** It is about today: it has no period. */
  readonly isOfToday?: boolean
  /** What it counts where that is no records of the copy. */
  readonly counts?: string
  readonly filters: (search: ReportSearch, by: string) => readonly ListFilter[]
  /** How a label reads, where the server’s is no word for people. */
  readonly labelOf?: (by: string, label: string) => string
  /** Below the figures. */
  readonly note?: (report: Report, search: ReportSearch) => ReactNode
  /** Where a row leads. */
  readonly linkOf?: (row: ReportRow, by: string, search: ReportSearch) => LinkProps | undefined
  /** The label of a row without one. */
  readonly missing: (by: string) => string
  readonly empty: { readonly title: string; readonly help: string }
}

export const isTimed = (by: string) => by === "month" || by === "day"

/** A row’s label: months and days by name, others as received. */
export function rowLabel(
  { missing, labelOf }: Pick<ReportDefinition, "missing" | "labelOf">,
  by: string,
  row: Pick<ReportRow, "group" | "label">,
): string {
  if (by === "day") return `${dayLabel(row.group)} ${row.group.slice(0, 4)}`
  const [, year, month] = (by === "month" && /^(\d{4})-(\d{2})$/.exec(row.group)) || []
  const name = shortMonths[Number(month) - 1]
  if (name !== undefined) return `${name} ${year}`
  if (row.label === "") return missing(by)
  return labelOf?.(by, row.label) ?? row.label
}

/** A figure as text; empty where it is not known. */
export function figureText(
  { key, unit }: Pick<ReportMeasure, "key" | "unit">,
  values: ReportValues | null,
  currency: string,
): string {
  const value = values?.[key] ?? null
  if (value === null) return ""
  if (unit === "cents") return formatMoney(value, currency)
  if (unit === "ms") return duration(value)
  if (unit === "signed") return formatSigned(value)
  return unit === "count" ? formatCount(value) : formatPoints(value)
}

/** A figure on an axis; times are in days. */
export function axisText(unit: ReportMeasure["unit"], value: number): string {
  if (unit === "ms") return value === 0 ? "0" : `${value} d`
  return shortPoints(unit === "cents" ? value / 100 : value)
}

/** A figure in a file: money in its currency, times in days. */
export function cellOf({ key, unit }: ReportMeasure, values: ReportValues | null): number | null {
  const value = values?.[key] ?? null
  if (value === null) return null
  if (unit === "cents") return value / 100
  return unit === "ms" ? Math.round(value / 8_640_000) / 10 : value
}

/** The choices that show the days of a month. */
export function monthSearch(search: ReportSearch, month: string): ReportSearch {
  const first = `${month}-01`
  return { ...search, by: "day", from: first, to: addDays(`${addDays(first, 31).slice(0, 7)}-01`, -1) }
}
