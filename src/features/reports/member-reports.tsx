import type { ReportMeasure, ReportDefinition } from "./report-definition.ts"
import { monthSearch } from "./report-definition.ts"
import { ReportPage } from "./report-page.tsx"

const buckets: readonly (readonly [key: string, label: string])[] = [
  ["d30", "Last 30 days"],
  ["d90", "31 to 90 days"],
  ["d365", "91 to 365 days"],
  ["older", "Longer ago"],
  ["never", "Never"],
  ["unread", "Ledger not read"],
]

/** Members by when they were last active. */
export const activityReport: ReportDefinition = {
  name: "activity",
  title: "Member activity",
  about: "When members last had an entry in their ledger or an order, by tier, company or status.",
  permission: "ledger.read",
  to: "/reports/activity",
  chart: "stacked",
  isOfToday: true,
  measures: () => [
    { key: "members", label: "Members", unit: "count" },
    ...buckets.map(([key, label], at): ReportMeasure => ({
      key,
      label,
      unit: "count",
      charted: true,
      ...(key === "unread" && { only: "rows" }),
      ...(at > 0 && { hideBelow: at > 2 ? "tablet" : "phone" }),
    })),
  ],
  filters: () => [],
  linkOf: ({ label, group }, by) => {
    if (group === "") return undefined
    if (by === "company") return { to: "/companies/$name", params: { name: label } }
    return { to: "/members", search: by === "tier" ? { tier: label } : { status: group } }
  },
  missing: (by) => (by === "company" ? "No company" : "Not given"),
  empty: { title: "No members yet", help: "Members appear here once they are synced." },
}

/** The total of all balances over time. */
export const outstandingReport: ReportDefinition = {
  name: "outstanding",
  title: "Outstanding points",
  about: "All members’ balances together over time, from one snapshot a day.",
  permission: "ledger.read",
  to: "/reports/outstanding",
  chart: "line",
  measures: () => [
    { key: "points", label: "Points", unit: "points", charted: true },
    { key: "change", label: "Change", unit: "signed", only: "total" },
    { key: "members", label: "Members", unit: "count" },
  ],
  filters: () => [],
  linkOf: ({ group, values }, by, search) =>
    by === "month" && values["points"] !== null
      ? { to: "/reports/outstanding", search: monthSearch(search, group) }
      : undefined,
  missing: () => "Not given",
  empty: {
    title: "No snapshots in this period",
    help: "The total of all balances is recorded once a day, for the first time some minutes after all members are synced.",
  },
}

export const ActivityReportPage = () => <ReportPage definition={activityReport} />
export const OutstandingReportPage = () => <ReportPage definition={outstandingReport} />
