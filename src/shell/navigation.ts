import {
  IconActivity,
  IconBarcode,
  IconBook2,
  IconBuilding,
  IconChartBar,
  IconClipboardList,
  IconCreditCard,
  IconGift,
  IconHistory,
  IconHome,
  IconSettings,
  IconTrophy,
  IconUsers,
  type Icon,
} from "@tabler/icons-react"
import type { Session } from "../../contract/session.ts"
import type { Permission } from "../../contract/roles.ts"
import { sessionCan } from "../api/session.ts"

/** A page of the main navigation. */
export interface NavItem {
  readonly label: string
  readonly short: string
  readonly to: Address
  readonly icon: Icon
  readonly permission: Permission | null
  readonly keywords: string
}

type Address =
  `/${"" | "books" | "cards" | "companies" | "leaderboards" | "members" | "orders" | "orders/ship" | "rewards" | "reports" | "jobs" | "audit" | "settings"}`

function item(
  label: string,
  to: Address,
  icon: Icon,
  permission: Permission | null,
  keywords: string,
  short = label,
): NavItem {
  return { label, to, icon, permission, keywords, short }
}

const groups: readonly (readonly NavItem[])[] = [
  [
    item("Home", "/", IconHome, null, "today start to do queue"),
    item("Members", "/members", IconUsers, "members.read", "people participants list"),
    item("Rewards", "/rewards", IconGift, "rewards.read", "catalogue stock redeem prizes"),
    item(
      "Orders",
      "/orders",
      IconClipboardList,
      "orders.read",
      "redemptions fulfilment tracking parcels shipped to ship",
    ),
    item(
      "Ship desk",
      "/orders/ship",
      IconBarcode,
      "orders.update",
      "scan scanner parcels packing fulfilment send",
      "Ship",
    ),
    item(
      "Gift cards",
      "/cards",
      IconCreditCard,
      "cards.read",
      "register issued look up expiring links",
      "Cards",
    ),
    item(
      "Leaderboards",
      "/leaderboards",
      IconTrophy,
      "leaderboards.read",
      "rankings places top standings wall display",
      "Boards",
    ),
    item("Companies", "/companies", IconBuilding, "companies.read", "employers firms customers merged names"),
    item("Reports", "/reports", IconChartBar, "reports.read", "figures totals charts statistics analysis"),
    item(
      "Books",
      "/books",
      IconBook2,
      "reports.read",
      "close the month statement ledger differences finance",
    ),
  ],
  [
    item("Activity", "/jobs", IconActivity, "jobs.read", "jobs running batches bulk awards decisions"),
    item("Audit log", "/audit", IconHistory, "audit.read", "history who did what"),
  ],
  [item("Settings", "/settings", IconSettings, "status.read", "users roles status connections budget drift")],
]

/** The groups of pages that the user can open. */
export function navigationFor(session: Session): readonly (readonly NavItem[])[] {
  return groups
    .map((items) => items.filter(({ permission }) => permission === null || sessionCan(session, permission)))
    .filter((items) => items.length > 0)
}

/** Active on its subpages too, unless the navigation has an item for one of them. */
export function activeOptions(to: NavItem["to"], pathname: string) {
  const deeper = groups
    .flat()
    .some((page) => page.to !== to && isWithin(page.to, to) && isWithin(pathname, page.to))
  return { exact: to === "/" || deeper, includeSearch: false }
}

/** Whether an address is a page or below it. */
export function isWithin(pathname: string, page: NavItem["to"]): boolean {
  return pathname === page || pathname.startsWith(`${page}/`)
}

const barPages = 5

/** The navigation of a phone: the first pages in the bar, the others behind "More". */
export function phoneNavigationFor(session: Session) {
  const items = navigationFor(session).flat()
  return { bar: items.slice(0, barPages), more: items.slice(barPages) }
}
