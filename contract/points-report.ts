import * as z from "zod/mini"

/** By what points are summed: the reason as it was written, who awarded, the month or the day. */
export const pointsReportGroups = ["reason", "person", "month", "day"] as const

/** Query of `GET /api/reports/points`: confirmed awards and deductions of our own jobs. Times are ISO 8601. */
export const pointsReportQuery = z.strictObject({
  by: z.optional(z.enum(pointsReportGroups)),
  from: z.optional(z.iso.datetime({ offset: true })),
  to: z.optional(z.iso.datetime({ offset: true })),
})
/** How points are summed. */
export type PointsReportQuery = z.output<typeof pointsReportQuery>

/** One line of the report; points are positive in both columns. */
export const pointsReportRow = z.object({
  /** The reason, the person's name, or in the program's time zone a month such as `2026-11`, a day `2026-11-21`. */
  group: z.string(),
  awarded: z.int(),
  deducted: z.int(),
  awards: z.int(),
  deductions: z.int(),
})
/** Answer of `GET /api/reports/points`. */
export const pointsReport = z.object({ rows: z.array(pointsReportRow), total: pointsReportRow })
/** Points awarded and deducted by our own jobs. */
export type PointsReport = z.output<typeof pointsReport>
