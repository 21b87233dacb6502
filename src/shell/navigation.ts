import {
  IconActivity,
  IconGift,
  IconHistory,
  IconSettings,
  IconTrophy,
  IconUsers,
  type Icon,
} from "@tabler/icons-react"
import type { Session } from "../../contract/desk/session.ts"
import type { Permission } from "../../contract/roles.ts"
import { sessionCan } from "../api/permissions.ts"

/** A page of the main navigation. */
export interface NavItem {
  readonly label: string
  readonly to: "/leaderboards" | "/members" | "/rewards" | "/jobs" | "/audit" | "/settings"
  readonly icon: Icon
  /** Without it the item is not shown. */
  readonly permission: Permission
  /** Further words that find it in the palette. */
  readonly keywords: string
}

/** The main navigation, in groups with a line between them. */
const groups: readonly (readonly NavItem[])[] = [
  [
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
      label: "Leaderboards",
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
    .map((items) => items.filter((item) => sessionCan(session, item.permission)))
    .filter((items) => items.length > 0)
}
