import {
  IconActivity,
  IconBarcode,
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
import type { Session } from "../../contract/users.ts"
import type { Permission } from "../../contract/roles.ts"
import { sessionCan } from "../api/session.ts"

/** A page of the main navigation. */
export interface NavItem {
  readonly label: string
  /** The word for the bar of a phone, where the label is too long for it. */
  readonly short?: string
  readonly to:
    | "/"
    | "/cards"
    | "/leaderboards"
    | "/members"
    | "/orders"
    | "/orders/ship"
    | "/rewards"
    | "/jobs"
    | "/audit"
    | "/settings"
  readonly icon: Icon
  /** Without it the item is not shown; null: everybody has the page. */
  readonly permission: Permission | null
  readonly keywords: string
}

/** The main navigation, in groups with a line between them. */
const groups: readonly (readonly NavItem[])[] = [
  [
    {
      label: "Home",
      to: "/",
      icon: IconHome,
      permission: null,
      keywords: "today start to do queue",
    },
    {
      label: "Members",
      to: "/members",
      icon: IconUsers,
      permission: "members.read",
      keywords: "people participants list",
    },
    {
      label: "Rewards",
      to: "/rewards",
      icon: IconGift,
      permission: "rewards.read",
      keywords: "catalogue stock redeem prizes",
    },
    {
      label: "Orders",
      to: "/orders",
      icon: IconClipboardList,
      permission: "orders.read",
      keywords: "redemptions fulfilment tracking parcels shipped to ship",
    },
    {
      label: "Ship desk",
      short: "Ship",
      to: "/orders/ship",
      icon: IconBarcode,
      permission: "orders.update",
      keywords: "scan scanner parcels packing fulfilment send",
    },
    {
      label: "Gift cards",
      short: "Cards",
      to: "/cards",
      icon: IconCreditCard,
      permission: "cards.read",
      keywords: "register issued look up expiring links",
    },
    {
      label: "Leaderboards",
      short: "Boards",
      to: "/leaderboards",
      icon: IconTrophy,
      permission: "leaderboards.read",
      keywords: "rankings places top standings wall display",
    },
  ],
  [
    {
      label: "Activity",
      to: "/jobs",
      icon: IconActivity,
      permission: "jobs.read",
      keywords: "jobs running batches bulk awards decisions",
    },
    {
      label: "Audit log",
      to: "/audit",
      icon: IconHistory,
      permission: "audit.read",
      keywords: "history who did what",
    },
  ],
  [
    {
      label: "Settings",
      to: "/settings",
      icon: IconSettings,
      permission: "status.read",
      keywords: "users roles status connections budget drift",
    },
  ],
]

/** The groups with what this person may open. */
export function navigationFor(session: Session): readonly (readonly NavItem[])[] {
  return groups
    .map((items) => items.filter(({ permission }) => permission === null || sessionCan(session, permission)))
    .filter((items) => items.length > 0)
}

/**
 * How a link of the navigation knows that it leads to the page one is on: also from the pages below it, unless the
 * navigation names one of those itself.
 */
export function activeOptions(to: NavItem["to"], pathname: string) {
  const deeper = groups
    .flat()
    .some((item) => item.to !== to && isWithin(item.to, to) && isWithin(pathname, item.to))
  return { exact: to === "/" || deeper, includeSearch: false }
}

/** Whether an address is a page or below it. */
export function isWithin(pathname: string, page: NavItem["to"]): boolean {
  return pathname === page || pathname.startsWith(`${page}/`)
}

/** Pages that stand in the bar of a phone; the rest is behind "More". */
const barPages = 5

/** The navigation of a phone: the first pages in the bar, the others behind "More". */
export function phoneNavigationFor(session: Session) {
  const items = navigationFor(session).flat()
  return { bar: items.slice(0, barPages), more: items.slice(barPages) }
}
