import * as z from "zod/mini"
import { limits } from "./limits.ts"

const day = z.iso.date()
const text = z.optional(z.string().check(z.maxLength(limits.shortText)))

/** Days in the program's time zone, both included; by default the last twelve months. `before`: with the period before. */
const period = { from: z.optional(day), to: z.optional(day), compare: z.optional(z.literal("before")) }

/** By what the entries of ledgers are summed. Who awarded is known of Laurel's own jobs only. */
const ledgerReportGroups = ["month", "day", "type", "reason", "company", "tier", "person"] as const
/** What Laurel's own jobs are summed by as well. */
export const laurelGroups = ["month", "day", "reason", "person"] as const

export function isLaurelGroup(group: string): group is (typeof laurelGroups)[number] {
  return laurelGroups.some((one) => one === group)
}

/** Query of `GET /api/reports/ledgers`. `laurel`: only what Laurel's own jobs did, without further filters. */
export const ledgerReportQuery = z
  .strictObject({
    ...period,
    by: z.optional(z.enum(ledgerReportGroups)),
    source: z.optional(z.literal("laurel")),
    type: text,
    reason: text,
    company: text,
    tier: text,
  })
  .check(
    z.refine(
      ({ by = "month", source, type, reason, company, tier }) =>
        (source === undefined && by !== "person") ||
        (isLaurelGroup(by) && [type, reason, company, tier].every((filter) => filter === undefined)),
      {
        path: ["by"],
        error: "What was done with Laurel is summed by month, day, reason or person, unfiltered.",
      },
    ),
  )
export type LedgerReportQuery = z.output<typeof ledgerReportQuery>

/** Query of `GET /api/reports/outstanding`: daily snapshots. */
export const outstandingReportQuery = z.strictObject({ ...period, by: z.optional(z.enum(["month", "day"])) })

/** Query of `GET /api/reports/activity`: about today. */
export const activityReportQuery = z.strictObject({
  by: z.optional(z.enum(["tier", "company", "status"])),
})

/** Query of `GET /api/reports/rewards`, by when orders were placed. */
export const rewardsReportQuery = z.strictObject({
  ...period,
  by: z.optional(z.enum(["reward", "category", "month", "day"])),
})

const someDays = z.optional(z.int().check(z.minimum(1), z.maximum(365)))
/** An order open longer is late, in days; a card that expires within that many expires soon. */
export const lateDays = 3
export const soonDays = 30

/** Query of `GET /api/reports/fulfilment`, by when orders were shipped. */
export const fulfilmentReportQuery = z.strictObject({
  ...period,
  by: z.optional(z.enum(["month", "carrier", "reward"])),
  late_days: someDays,
})

/** Query of `GET /api/reports/gift-cards`, by when cards were issued. */
export const cardReportQuery = z.strictObject({
  ...period,
  by: z.optional(z.enum(["month", "day", "template"])),
  expiring_days: someDays,
})

/** Figures of a row by name; null: not known. */
const values = z.record(z.string(), z.nullable(z.number()))
export type ReportValues = z.output<typeof values>

const row = z.object({
  /** What the row sums, as it is compared: `2026-11`, a type, a name without case and accents; empty: none. */
  group: z.string(),
  /** As it is written. */
  label: z.string(),
  values,
  /** The same of the period before; months and days by their place in it. */
  before: z.nullable(values),
})
export type ReportRow = z.output<typeof row>

/** How much of what a report counts has been read. */
const coverage = z.object({
  of: z.enum(["members", "ledgers", "orders", "days"]),
  read: z.int(),
  /** null: the service doesn’t say. */
  total: z.nullable(z.int()),
  complete: z.boolean(),
  /** ISO 8601. */
  as_of: z.nullable(z.string()),
})
export type ReportCoverage = z.output<typeof coverage>

const days = z.object({ from: day, to: day })
export type ReportPeriod = z.output<typeof days>

/** A report. `copy`: of the local copy; `laurel`: of Laurel’s own store; `off`: there is no local copy, and no rows. */
export const report = z.object({
  source: z.enum(["copy", "laurel", "off"]),
  period: z.nullable(days),
  before: z.nullable(days),
  rows: z.array(row),
  total: values,
  total_before: z.nullable(values),
  coverage: z.array(coverage),
  /** Records without a time: they are in no period. */
  undated: z.int(),
})
export type Report = z.output<typeof report>
