import type { pointsReportGroups } from "../../../../contract/points-report.ts"
import * as z from "zod/mini"
import { dayParam } from "../../../lists/list-params.ts"

// Named here, not imported: the router needs this file at sign-in already, and the contract would come with it.
const groups = ["reason", "person", "month"] as const satisfies readonly (typeof pointsReportGroups)[number][]

/** The report's state in the address. Values that make no sense fall back; they never break the page. */
export const reportSearch = z.object({
  by: z._default(z.catch(z.enum(groups), "reason"), "reason"),
  from: dayParam,
  to: dayParam,
})
/** The report's state in the address. */
export type ReportSearch = z.output<typeof reportSearch>

/** What is left out of the address. */
export const reportDefaults = { by: "reason" } as const
