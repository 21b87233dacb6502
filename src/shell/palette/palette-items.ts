import {
  IconCreditCard,
  IconFileSpreadsheet,
  IconExternalLink,
  IconMinus,
  IconPackage,
  IconPlus,
  IconId,
  IconPlugConnected,
  IconUserPlus,
  IconUserShield,
  type Icon,
} from "@tabler/icons-react"
import type { Session } from "../../../contract/users.ts"
import type { Member } from "../../../contract/program/member.ts"
import { shipmentOf } from "../../../contract/program/order.ts"
import type { Permission } from "../../../contract/roles.ts"
import { sessionCan } from "../../api/session.ts"
import { statusWord } from "../../ui/status.tsx"
import { navigationFor } from "../navigation.ts"
import { cardItems } from "./card-items.ts"
import type { OrderHit } from "./use-order-hit.ts"

/** Something the palette can open. `to` is an address of this desk. */
export type PaletteItem =
  | { readonly kind: "member"; readonly id: string; readonly to: string; readonly member: Member }
  | {
      readonly kind: "page"
      readonly id: string
      readonly to: string
      readonly label: string
      /** Beside the label, quieter. */
      readonly also?: string
      readonly icon: Icon
    }
  | {
      /** Opens a carrier's page about a parcel, in another tab. */
      readonly kind: "parcel"
      readonly id: string
      readonly href: string
      readonly label: string
      readonly icon: Icon
    }
  | {
      /** Opens the drawer of awards and deductions above the page that is there. */
      readonly kind: "points"
      readonly id: string
      readonly act: "award" | "deduct"
      readonly label: string
      readonly icon: Icon
    }

/** Items under one heading. */
export interface PaletteGroup {
  readonly label: string
  readonly items: readonly PaletteItem[]
}

interface Page {
  readonly label: string
  readonly to: string
  readonly icon: Icon
  readonly keywords: string
}

/** Pages below those of the navigation. */
const deeper: readonly (Page & { readonly permission: Permission })[] = [
  {
    label: "New member",
    to: "/members/new",
    icon: IconUserPlus,
    permission: "members.edit",
    keywords: "create add person",
  },
  {
    label: "Award from a file",
    to: "/members/points-file?kind=award",
    icon: IconFileSpreadsheet,
    permission: "points.write",
    keywords: "points bulk csv import upload",
  },
  {
    label: "Deduct from a file",
    to: "/members/points-file?kind=deduct",
    icon: IconFileSpreadsheet,
    permission: "points.write",
    keywords: "points bulk csv import upload",
  },
  {
    label: "Import members",
    to: "/members/import",
    icon: IconUserPlus,
    permission: "members.edit",
    keywords: "csv file create upload",
  },
  {
    label: "Import tracking numbers",
    to: "/orders/tracking-file",
    icon: IconFileSpreadsheet,
    permission: "orders.update",
    keywords: "import orders ship csv upload",
  },
  {
    label: "Look up a gift card",
    to: "/cards?open=look-up",
    icon: IconCreditCard,
    permission: "cards.read",
    keywords: "card reference find",
  },
  {
    label: "Issue a gift card",
    to: "/cards/issue",
    icon: IconCreditCard,
    permission: "cards.issue",
    keywords: "new send reward",
  },
  {
    label: "Issue gift cards from a file",
    to: "/cards/issue-file",
    icon: IconFileSpreadsheet,
    permission: "cards.issue",
    keywords: "bulk csv import upload paste",
  },
  {
    label: "Card templates and costs",
    to: "/settings/gift-cards",
    icon: IconCreditCard,
    permission: "cards.read",
    keywords: "settings gift fund fee gst amounts denominations",
  },
  {
    label: "Users and roles",
    to: "/settings/users",
    icon: IconUserShield,
    permission: "users.manage",
    keywords: "settings accounts password",
  },
  {
    label: "Service status",
    to: "/settings/status",
    icon: IconPlugConnected,
    permission: "status.read",
    keywords: "settings connections budget drift",
  },
]

const actions = [
  { act: "award", label: "Award points", icon: IconPlus, keywords: "give bonus" },
  { act: "deduct", label: "Deduct points", icon: IconMinus, keywords: "take away correct" },
] as const

function actionsFor(session: Session, text: string): PaletteItem[] {
  if (!sessionCan(session, "points.write")) return []
  return actions
    .filter((action) => isNamed(action, text))
    .map(({ act, label, icon }) => ({ kind: "points", id: `points:${act}`, act, label, icon }))
}

/** Whether every word of the text begins a word of the name or the keywords. */
function isNamed({ label, keywords }: Pick<Page, "label" | "keywords">, text: string): boolean {
  const told = `${label} ${keywords}`.toLocaleLowerCase().split(/\s+/)
  const words = text.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  return words.every((word) => told.some((name) => name.startsWith(word)))
}

/** Pages whose name or keywords begin with every word of the text; all of them without a text. */
function pagesFor(session: Session, text: string): PaletteItem[] {
  const pages: readonly Page[] = [
    ...navigationFor(session).flat(),
    ...deeper.filter(({ permission }) => sessionCan(session, permission)),
  ]
  return pages
    .filter((page) => isNamed(page, text))
    .map(({ label, to, icon }) => ({ kind: "page", id: to, to, label, icon }))
}

/** A pasted id opens its member or order, for those who may not search too. */
function byId(session: Session, text: string): PaletteItem[] {
  if (!/^[^\s@]{6,}$/.test(text) || !/[_\d]/.test(text) || /^\.+$/.test(text)) return []
  const open = (what: string, to: string, icon: Icon): PaletteItem => {
    return { kind: "page", id: `id:${to}`, to, label: `Open the ${what} with the id ${text}`, icon }
  }
  const member = open("member", memberAddress(text), IconId)
  if (!sessionCan(session, "orders.read")) return [member]
  return [member, open("order", orderAddress(text), IconPackage)]
}

/** The order whose number was typed, and its parcel at the carrier. */
function orderItems({ order, parcel }: OrderHit): PaletteItem[] {
  if (order === undefined) return []
  const { order_id: id, reward_name: name, status } = order
  const also = [name, status ? statusWord("order", status).word : undefined].filter(Boolean).join(", ")
  const page: PaletteItem = {
    kind: "page",
    id: `order:${id}`,
    to: orderAddress(id),
    label: id,
    also,
    icon: IconPackage,
  }
  if (parcel === undefined) return [page]
  const { tracking_number: number = "" } = shipmentOf(order)
  const label = `Track ${number} at ${parcel.carrier}`
  return [page, { kind: "parcel", id: `parcel:${id}`, href: parcel.href, label, icon: IconExternalLink }]
}

/** Where an order's page is. */
function orderAddress(id: string): string {
  return `/orders/${encodeURIComponent(id)}`
}

/** Where a member's page is. */
function memberAddress(id: string): string {
  return `/members/${encodeURIComponent(id)}`
}

/**
 * What the palette offers for a text: the order it names, members, then what can be done here, then pages.
 * @param members hits of the search, best first
 */
export function paletteGroups(
  session: Session,
  text: string,
  members: readonly Member[],
  order: OrderHit,
): PaletteGroup[] {
  const hits = members.map((member): PaletteItem => {
    return { kind: "member", id: member.id, to: memberAddress(member.id), member }
  })
  const named: PaletteGroup = { label: "Orders", items: orderItems(order) }
  const found: PaletteGroup = { label: "Members", items: hits }
  const actionGroup: PaletteGroup = { label: "Actions", items: actionsFor(session, text) }
  const pages: PaletteGroup = { label: "Pages", items: pagesFor(session, text) }
  // What Enter does before anything is typed only goes somewhere.
  const groups =
    text === ""
      ? [pages, actionGroup]
      : [
          named,
          found,
          actionGroup,
          pages,
          { label: "Gift cards", items: cardItems(session, text) },
          { label: "By id", items: byId(session, text) },
        ]
  return groups.filter(({ items }) => items.length > 0)
}
