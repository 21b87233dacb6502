import { NativeSelect } from "@mantine/core"
import { Link, type LinkProps } from "@tanstack/react-router"
import type { ReactNode } from "react"
import type { Report } from "../../../contract/reports.ts"
import { addDays, dayAt } from "../../../contract/zoned-days.ts"
import { useSession } from "../../api/session.ts"
import { counted, formatMoney } from "../../lib/format.ts"
import type { ListFilter } from "../../lists/list-filters.tsx"
import { SelectChevron } from "../../ui/field-parts.tsx"
import { useServerNow } from "../../ui/hooks.ts"
import { monthSearch, type ReportDefinition, type ReportMeasure } from "./report-definition.ts"
import { ReportPage } from "./report-page.tsx"

const usualLate = 3
const usualSoon = 30

/** Days that a figure of a report depends on, as a select. */
function daysFilter(
  key: "late_days" | "expiring_days",
  usual: number,
  words: string,
  choices: readonly number[],
): ListFilter {
  return {
    type: "custom",
    keys: [key],
    render: (set, { [key]: chosen = usual }) => (
      <NativeSelect
        aria-label={words}
        value={String(chosen)}
        data={[...new Set([...choices, Number(chosen)])]
          .toSorted((one, other) => one - other)
          .map((days) => ({ value: String(days), label: `${words} ${counted(days, "day")}` }))}
        rightSection={<SelectChevron />}
        onChange={({ currentTarget: { value } }) =>
          set({ [key]: Number(value) === usual ? undefined : Number(value) })
        }
      />
    ),
  }
}

/** Rewards by popularity and points. */
export const rewardsReport: ReportDefinition = {
  name: "rewards",
  title: "Redemptions",
  about: "Which rewards are redeemed, how often and for how many points; cancelled orders apart.",
  permission: "orders.read",
  to: "/reports/rewards",
  measures: () => [
    { key: "orders", label: "Orders", unit: "count", charted: true },
    { key: "points", label: "Points", unit: "points" },
    { key: "cancelled", label: "Cancelled", unit: "count", charted: true },
    { key: "cancelled_points", label: "Points cancelled", unit: "points", hideBelow: "tablet" },
  ],
  filters: () => [],
  linkOf: ({ group }, by, search) => {
    if (by === "month") return { to: "/reports/rewards", search: monthSearch(search, group) }
    return by === "reward" ? toReward(group) : undefined
  },
  missing: (by) => (by === "category" ? "No category" : "No reward"),
  empty: { title: "No orders in this period", help: "Orders count on the day they were placed." },
}

const toReward = (id: string): LinkProps | undefined =>
  id === "" ? undefined : { to: "/rewards/$rewardId", params: { rewardId: id } }

const shipped: ReportMeasure = { key: "shipped", label: "Shipped", unit: "count" }
const times: readonly ReportMeasure[] = [
  { key: "median", label: "Half within", unit: "ms" },
  { key: "p90", label: "9 in 10 within", unit: "ms" },
]
const openOrders: readonly ReportMeasure[] = [
  { key: "open", label: "To ship now", unit: "count", only: "total" },
  { key: "late", label: "Late now", unit: "count", only: "total" },
]

/** Time from order to shipped, late orders and carriers. */
export const fulfilmentReport: ReportDefinition = {
  name: "fulfilment",
  title: "Fulfilment",
  about: "How long orders take from order to shipped, by month, carrier or reward, and which are late.",
  permission: "orders.read",
  to: "/reports/fulfilment",
  measures: (by) =>
    by === "month"
      ? [...times.map((measure) => ({ ...measure, charted: true })), shipped, ...openOrders]
      : [{ ...shipped, charted: true }, ...times, ...openOrders],
  filters: () => [daysFilter("late_days", usualLate, "Late after", [1, 2, 3, 5, 7, 14, 30])],
  note: (report, search) => <LateOrders report={report} days={search.late_days ?? usualLate} />,
  linkOf: ({ group }, by) => (by === "reward" ? toReward(group) : undefined),
  missing: (by) => (by === "carrier" ? "No carrier" : "No reward"),
  empty: {
    title: "Nothing shipped in this period",
    help: "Orders that need a parcel count on the day they were shipped. Digital and cancelled ones don’t.",
  },
}

function LateOrders({ report, days }: { report: Report; days: number }) {
  const { program } = useSession()
  const today = dayAt(useServerNow("half-minute"), program.time_zone)
  const late = report.total["late"] ?? 0
  if (late === 0) return null
  return (
    <Note>
      {counted(late, "order")} open longer than {counted(days, "day")}.{" "}
      <Link to="/orders" search={{ status: "to-ship", to: addDays(today, -days - 1) }} className="l-link">
        Show {late === 1 ? "it" : "them"}
      </Link>
    </Note>
  )
}

function Note({ children }: { children: ReactNode }) {
  return (
    <p className="text-secondary" style={{ padding: "0 var(--l-gutter) 12px" }}>
      {children}
    </p>
  )
}

/** Gift-card spend by template and month. */
export const cardsReport: ReportDefinition = {
  name: "gift-cards",
  title: "Gift cards",
  about: "What was spent on gift cards by month and template, and which cards expire soon.",
  permission: "cards.read",
  to: "/reports/gift-cards",
  counts: "Cards of the register",
  measures: () => [
    { key: "cents", label: "Spent", unit: "cents", charted: true },
    { key: "cards", label: "Cards", unit: "count" },
    { key: "tests", label: "Test cards", unit: "count", hideBelow: "phone" },
    { key: "expiring", label: "Expiring soon", unit: "count", only: "total" },
  ],
  filters: () => [daysFilter("expiring_days", usualSoon, "Expiring within", [7, 14, 30, 60, 90])],
  note: (report, search) => <ExpiringCards report={report} days={search.expiring_days ?? usualSoon} />,
  linkOf: ({ group }, by, search) => {
    if (by === "month") return { to: "/reports/gift-cards", search: monthSearch(search, group) }
    return by === "template" && group !== "" ? { to: "/cards", search: { template: group } } : undefined
  },
  missing: () => "No template",
  empty: {
    title: "No gift cards in this period",
    help: "Cards of Laurel’s register count on the day they were issued.",
  },
}

function ExpiringCards({ report: { total }, days }: { report: Report; days: number }) {
  const { program } = useSession()
  const cards = total["expiring"] ?? 0
  if (cards === 0) return null
  return (
    <Note>
      {counted(cards, "card")} worth {formatMoney(total["expiring_cents"] ?? 0, program.currency)}{" "}
      {cards === 1 ? "expires" : "expire"} within {counted(days, "day")}.{" "}
      <Link to="/cards" search={{ expiring: days, sort: "expiring", test: "no" }} className="l-link">
        Show {cards === 1 ? "it" : "them"}
      </Link>
    </Note>
  )
}

export const RewardsReportPage = () => <ReportPage definition={rewardsReport} />
export const FulfilmentReportPage = () => <ReportPage definition={fulfilmentReport} />
export const CardsReportPage = () => <ReportPage definition={cardsReport} />
