import * as z from "zod/mini"
import type { QueryValues } from "../../api/request.ts"
import type { ReportName } from "../../api/reports.ts"
import { choiceParam, dayParams, defined, textParam } from "../../lists/list-params.ts"

const daysParam = z.catch(z.optional(z.int().check(z.minimum(1), z.maximum(365))), undefined)

/** Search params of every report; a report uses some of them, and invalid values fall back. */
export const reportSearch = z.lazy(() =>
  z.object({
    by: textParam(40),
    ...dayParams,
    compare: choiceParam(["before"]),
    /** The page as it is printed. */
    view: choiceParam(["print"]),
    source: choiceParam(["laurel"]),
    type: textParam(200),
    reason: textParam(200),
    company: textParam(200),
    tier: textParam(200),
    late_days: daysParam,
    expiring_days: daysParam,
  }),
)
export type ReportSearch = z.output<typeof reportSearch>

type Choice = { readonly value: string; readonly label: string }

const month = { value: "month", label: "Month" }
const day = { value: "day", label: "Day" }

/** How rows of each report can be grouped, the usual one first. */
const reportGroups = {
  ledgers: [
    month,
    day,
    { value: "type", label: "Type" },
    { value: "reason", label: "Reason" },
    { value: "company", label: "Company" },
    { value: "tier", label: "Tier" },
    { value: "person", label: "Person" },
  ],
  outstanding: [month, day],
  activity: [
    { value: "tier", label: "Tier" },
    { value: "company", label: "Company" },
    { value: "status", label: "Status" },
  ],
  rewards: [{ value: "reward", label: "Reward" }, { value: "category", label: "Category" }, month, day],
  fulfilment: [month, { value: "carrier", label: "Carrier" }, { value: "reward", label: "Reward" }],
  "gift-cards": [month, day, { value: "template", label: "Template" }],
} as const satisfies Readonly<Record<ReportName, readonly Choice[]>>

const laurelGroups: ReadonlySet<string> = new Set(["month", "day", "reason", "person"])

/** Groups to choose from: what Laurel’s own jobs did is known by some of them only. */
export function groupsFor(name: ReportName, { source }: ReportSearch): readonly Choice[] {
  const groups: readonly Choice[] = reportGroups[name]
  return source === undefined ? groups : groups.filter(({ value }) => laurelGroups.has(value))
}

/** How the rows of a report are grouped. */
export function groupOf(name: ReportName, search: ReportSearch): string {
  const groups = groupsFor(name, search)
  return (groups.find(({ value }) => value === search.by) ?? groups[0])?.value ?? ""
}

const usualParams = ["from", "to", "compare"] as const
const ownParams = {
  ledgers: [...usualParams, "source", "type", "reason", "company", "tier"],
  outstanding: usualParams,
  activity: [],
  rewards: usualParams,
  fulfilment: [...usualParams, "late_days"],
  "gift-cards": [...usualParams, "expiring_days"],
} as const satisfies Readonly<Record<ReportName, readonly (keyof ReportSearch)[]>>

/** The query of a report as sent to the server. */
export function toReportQuery(name: ReportName, search: ReportSearch): QueryValues {
  const isLaurels = name === "ledgers" && (search.source === "laurel" || search.by === "person")
  const sent = isLaurels ? [...usualParams, "source" as const] : ownParams[name]
  return {
    by: groupOf(name, search),
    ...defined(Object.fromEntries(sent.map((param) => [param, search[param]]))),
    ...(isLaurels && { source: "laurel" }),
  }
}
