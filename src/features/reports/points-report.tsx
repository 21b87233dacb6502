import { useQuery } from "@tanstack/react-query"
import type { LinkProps } from "@tanstack/react-router"
import { useMemo } from "react"
import type { ReportRow } from "../../../contract/reports.ts"
import { transactionTypes } from "../../../contract/program/points.ts"
import { memberFacetsQuery } from "../../api/members.ts"
import { useCan } from "../../api/session.ts"
import type { ListFilter } from "../../lists/list-filters.tsx"
import { segmentedFilter } from "../../lists/segmented-filter.tsx"
import { statusText } from "../../ui/status.tsx"
import { monthSearch, type ReportDefinition, type ReportMeasure } from "./report-definition.ts"
import { ReportPage } from "./report-page.tsx"
import type { ReportSearch } from "./report-search.ts"

const awarded: ReportMeasure = { key: "awarded", label: "Awarded", unit: "points", charted: true }
const net: ReportMeasure = { key: "net", label: "Net", unit: "signed" }
const entries: ReportMeasure = { key: "entries", label: "Entries", unit: "count", hideBelow: "phone" }
const deducted: ReportMeasure = {
  key: "deducted",
  label: "Deducted",
  unit: "points",
  only: "rows",
  hideBelow: "tablet",
}

const ofLedgers: readonly ReportMeasure[] = [
  awarded,
  { key: "redeemed", label: "Redeemed", unit: "points", charted: true },
  deducted,
  { ...deducted, key: "expired", label: "Expired" },
  { ...deducted, key: "adjusted", label: "Adjusted", unit: "signed" },
  net,
  entries,
]
const ofLaurel: readonly ReportMeasure[] = [
  awarded,
  { key: "deducted", label: "Deducted", unit: "points", charted: true },
  net,
  entries,
]
const ofTypes: readonly ReportMeasure[] = [{ ...net, label: "Points", charted: true }, entries]

const bySource = segmentedFilter("source", "What is counted", "All entries", [
  { value: "laurel", label: "Made with Laurel" },
])
const typeName = (type: string) => statusText("transaction", type).word
const byType: ListFilter = {
  type: "choice",
  key: "type",
  label: "Type",
  choices: transactionTypes.map((value) => ({ value, label: typeName(value) })),
}

/** What of the points report is known without members’ tiers and companies. */
export const pointsReport: ReportDefinition = {
  name: "ledgers",
  title: "Points",
  about: "Points awarded, redeemed and taken by month, reason, company, tier or person.",
  permission: "ledger.read",
  counts: "Made with Laurel only",
  to: "/reports/points",
  measures: (by, { source }, { type }) => {
    if (source === "laurel") return ofLaurel
    return by === "type" || type !== undefined ? ofTypes : ofLedgers
  },
  filters: () => [bySource, byType],
  labelOf: (by, label) => (by === "type" && label !== "" ? typeName(label) : label),
  linkOf,
  missing: (by) => (by === "reason" ? "No reason" : by === "company" ? "No company" : "Not given"),
  empty: {
    title: "No points in this period",
    help: "Entries of members’ ledgers are counted, without awards and deductions that were reversed.",
  },
}

/** Points by month, day, type, reason, company, tier and person. */
export function PointsReportPage() {
  const seesMembers = useCan("members.search")
  const { data } = useQuery({ ...memberFacetsQuery(), enabled: seesMembers })
  const definition = useMemo((): ReportDefinition => {
    const { tiers = [], companies = [] } = data?.data ?? {}
    const named = (values: typeof tiers) => values.map(({ value }) => ({ value, label: value }))
    const byMember: readonly ListFilter[] = [
      {
        type: "text",
        key: "company",
        label: "Company",
        seen: named(companies),
        help: "As members have it today, with every name merged into it.",
      },
      { type: "text", key: "tier", label: "Tier", seen: named(tiers), help: "As members have it today." },
      {
        type: "text",
        key: "reason",
        label: "Reason",
        seen: [],
        help: "As it was written, whatever the case.",
      },
    ]
    return {
      ...pointsReport,
      filters: ({ source }, by) => {
        if (by === "person") return []
        return source === "laurel" ? [bySource] : [bySource, byType, ...byMember]
      },
    }
  }, [data])
  return <ReportPage definition={definition} />
}

/** A month leads to its days, a type or reason to its months, a company to its page and a tier to its members. */
function linkOf({ group, label }: ReportRow, by: string, search: ReportSearch): LinkProps | undefined {
  const to = "/reports/points"
  if (by === "month") return { to, search: monthSearch(search, group) }
  if (label === "") return undefined
  if (by === "type" || by === "reason") return { to, search: { ...search, by: undefined, [by]: label } }
  if (by === "company") return { to: "/companies/$name", params: { name: label } }
  return by === "tier" ? { to: "/members", search: { tier: label } } : undefined
}
