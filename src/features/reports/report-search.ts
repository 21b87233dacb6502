import * as z from "zod/mini"
import type { QueryValues } from "../../api/request.ts"
import type { ReportName } from "../../api/reports.ts"
import { choiceParam, dayParams, defined, textParam } from "../../lists/list-params.ts"

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
  }),
)
export type ReportSearch = z.output<typeof reportSearch>

type Choice = { readonly value: string; readonly label: string }

/** How rows of each report can be grouped, the usual one first. */
const reportGroups = {
  ledgers: [
    { value: "month", label: "Month" },
    { value: "day", label: "Day" },
    { value: "type", label: "Type" },
    { value: "reason", label: "Reason" },
    { value: "company", label: "Company" },
    { value: "tier", label: "Tier" },
    { value: "person", label: "Person" },
  ],
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
  ledgers: ["source", "type", "reason", "company", "tier"],
} as const satisfies Readonly<Record<ReportName, readonly (keyof ReportSearch)[]>>

/** The query of a report as sent to the server. */
export function toReportQuery(name: ReportName, search: ReportSearch): QueryValues {
  const params = [...usualParams, ...ownParams[name]]
  const isLaurels = name === "ledgers" && (search.source === "laurel" || search.by === "person")
  const sent = isLaurels ? [...usualParams, "source" as const] : params
  return {
    by: groupOf(name, search),
    ...defined(Object.fromEntries(sent.map((param) => [param, search[param]]))),
    ...(isLaurels && { source: "laurel" }),
  }
}
