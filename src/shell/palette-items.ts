import { useDebouncedValue } from "@mantine/hooks"
import {
  type Icon,
  IconCreditCard,
  IconExternalLink,
  IconFileSpreadsheet,
  IconId,
  IconMinus,
  IconPackage,
  IconPlugConnected,
  IconPlus,
  IconUserPlus,
  IconUserShield,
} from "@tabler/icons-react"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import type { Member } from "../../contract/program/member.ts"
import { type Order, shipmentOf } from "../../contract/program/order.ts"
import type { Permission } from "../../contract/roles.ts"
import type { Session } from "../../contract/users.ts"
import { type ParcelLink, useParcelLink } from "../api/carriers.ts"
import { orderQuery, ordersInCache, ordersQuery } from "../api/orders.ts"
import { sessionCan, useCan } from "../api/session.ts"
import { fullName } from "../lib/names.ts"
import { namedOrder } from "../lib/order-ids.ts"
import { statusWord } from "../ui/status.tsx"
import { navigationFor } from "./navigation.ts"

/** Something the palette can open: an address of Laurel's, one of a carrier, or the points drawer. */
export interface PaletteItem {
  readonly id: string
  readonly label: string
  readonly also?: string
  /** A member has their initials instead. */
  readonly icon?: Icon
  readonly member?: Member
  readonly opens: { readonly to: string } | { readonly href: string } | { readonly act: "award" | "deduct" }
}

/** What a row of the tables below says: its name, where it leads, who may, and further words that find it. */
type Entry<T> = readonly [label: string, T, Icon, Permission, keywords: string]

const pages: readonly Entry<string>[] = [
  ["New member", "/members/new", IconUserPlus, "members.edit", "create add person"],
  ["Award from a file", file("award"), IconFileSpreadsheet, "points.write", "points bulk csv import upload"],
  [
    "Deduct from a file",
    file("deduct"),
    IconFileSpreadsheet,
    "points.write",
    "points bulk csv import upload",
  ],
  ["Import members", "/members/import", IconUserPlus, "members.edit", "csv file create upload"],
  [
    "Import tracking numbers",
    "/orders/tracking-file",
    IconFileSpreadsheet,
    "orders.update",
    "import orders ship csv upload",
  ],
  ["Look up a gift card", "/cards?open=look-up", IconCreditCard, "cards.read", "card reference find"],
  ["Issue a gift card", "/cards/issue", IconCreditCard, "cards.issue", "new send reward"],
  [
    "Issue gift cards from a file",
    "/cards/issue-file",
    IconFileSpreadsheet,
    "cards.issue",
    "bulk csv import upload paste",
  ],
  [
    "Card templates and costs",
    "/settings/gift-cards",
    IconCreditCard,
    "cards.read",
    "settings gift fund fee gst amounts denominations",
  ],
  ["Users and roles", "/settings/users", IconUserShield, "users.manage", "settings accounts password"],
  [
    "Service status",
    "/settings/status",
    IconPlugConnected,
    "status.read",
    "settings connections budget drift",
  ],
]

function file(kind: string) {
  return `/members/points-file?kind=${kind}`
}

const actions: readonly Entry<"award" | "deduct">[] = [
  ["Award points", "award", IconPlus, "points.write", "give bonus"],
  ["Deduct points", "deduct", IconMinus, "points.write", "take away correct"],
]

function isNamed(names: string, text: string): boolean {
  const known = names.toLocaleLowerCase().split(/\s+/)
  const words = text.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  return words.every((word) => known.some((name) => name.startsWith(word)))
}

function entriesFor<T>(entries: readonly Entry<T>[], session: Session, text: string) {
  return entries.filter(
    ([label, , , permission, keywords]) =>
      sessionCan(session, permission) && isNamed(`${label} ${keywords}`, text),
  )
}

function pagesFor(session: Session, text: string): PaletteItem[] {
  const main = navigationFor(session)
    .flat()
    .filter(({ label, keywords }) => isNamed(`${label} ${keywords}`, text))
  return [
    ...main.map(({ label, to, icon }) => pageItem(label, to, icon)),
    ...entriesFor(pages, session, text).map(([label, to, icon]) => pageItem(label, to, icon)),
  ]
}

function pageItem(label: string, to: string, icon: Icon, id = to): PaletteItem {
  return { id, label, icon, opens: { to } }
}

/** Cards of an e-mail's owner; what looks like an id or a reference is looked up at the service. */
function cardItems(session: Session, text: string): PaletteItem[] {
  if (!sessionCan(session, "cards.read")) return []
  if (/^[^\s@]+@[^\s@]+$/.test(text)) return [cardsPage(`Gift cards of ${text}`, { search: text })]
  if (!/^\S{4,}$/.test(text) || !/[_\d-]/.test(text)) return []
  return [cardsPage(`Look up card ${text}`, { open: "look-up", find: text })]
}

function cardsPage(label: string, search: Readonly<Record<string, string>>): PaletteItem {
  const quoted = Object.entries(search).map(([name, value]) => [name, asParameter(value)])
  const to = `/cards?${new URLSearchParams(Object.fromEntries(quoted)).toString()}`
  return pageItem(label, to, IconCreditCard, `cards:${to}`)
}

/** The router reads a parameter as JSON where it is some: a number with twenty digits would not come back whole. */
function asParameter(text: string): string {
  try {
    JSON.parse(text)
    return JSON.stringify(text)
  } catch {
    return text
  }
}

/** A pasted id opens its member or order, for those who may not search too. */
function byId(session: Session, text: string): PaletteItem[] {
  if (!/^[^\s@]{6,}$/.test(text) || !/[_\d]/.test(text) || /^\.+$/.test(text)) return []
  const open = (what: string, to: string, icon: Icon) =>
    pageItem(`Open the ${what} with the id ${text}`, to, icon, `id:${to}`)
  const member = open("member", memberAddress(text), IconId)
  if (!sessionCan(session, "orders.read")) return [member]
  return [member, open("order", orderAddress(text), IconPackage)]
}

function orderItems({ order, parcel }: OrderHit): PaletteItem[] {
  if (order === undefined) return []
  const { order_id: id, reward_name: name, status } = order
  const also = [name, status && statusWord("order", status).word].filter(Boolean).join(", ")
  const found = { ...pageItem(id, orderAddress(id), IconPackage, `order:${id}`), also }
  if (parcel === undefined) return [found]
  const label = `Track ${shipmentOf(order).tracking_number ?? ""} at ${parcel.carrier}`
  return [found, { id: `parcel:${id}`, label, icon: IconExternalLink, opens: { href: parcel.href } }]
}

const orderAddress = (id: string) => `/orders/${encodeURIComponent(id)}`
const memberAddress = (id: string) => `/members/${encodeURIComponent(id)}`

/** What the palette offers for a text: the order it names, members (best first), then what can be done here, then pages. */
export function paletteGroups(session: Session, text: string, members: readonly Member[], order: OrderHit) {
  const actionGroup = {
    label: "Actions",
    items: entriesFor(actions, session, text).map(([label, act, icon]): PaletteItem => {
      return { id: `points:${act}`, label, icon, opens: { act } }
    }),
  }
  const pageGroup = { label: "Pages", items: pagesFor(session, text) }
  const found = members.map((member): PaletteItem => {
    return { id: member.id, label: fullName(member), member, opens: { to: memberAddress(member.id) } }
  })
  // What Enter does before anything is typed only goes somewhere.
  const groups =
    text === ""
      ? [pageGroup, actionGroup]
      : [
          { label: "Orders", items: orderItems(order) },
          { label: "Members", items: found },
          actionGroup,
          pageGroup,
          { label: "Gift cards", items: cardItems(session, text) },
          { label: "By id", items: byId(session, text) },
        ]
  return groups.filter(({ items }) => items.length > 0)
}

interface OrderHit {
  readonly order: Order | undefined
  readonly parcel: ParcelLink | undefined
  readonly searching: boolean
}

/** The first page of the list, as the list reads it: it shows how orders are numbered, and is warm for their page. */
const someOrders = ordersQuery({ page: 1, per_page: 25 })

/**
 * The order whose number was typed, whole or only its digits. The document does not say how orders are numbered
 * (docs/api/program.md, Order), so the letters before the digits are those of orders that were read.
 */
export function useOrderHit(text: string): OrderHit {
  const client = useQueryClient()
  const allowed = useCan("orders.read")
  const [rested] = useDebouncedValue(text, 200)
  const digits = /^\d{3,}$/.test(rested)
  const known = allowed ? ordersInCache(client) : []
  const first = useQuery({ ...someOrders, enabled: allowed && digits && known.length === 0 })
  const example = (known[0] ?? first.data?.data[0])?.order_id
  const id = allowed ? namedOrder(rested, example) : undefined
  const found = useQuery({ ...orderQuery(id ?? "none"), enabled: id !== undefined, retry: false })
  const order = id !== undefined && rested === text && found.error === null ? found.data?.data : undefined
  const shipment = order === undefined ? undefined : shipmentOf(order)
  const parcel = useParcelLink(shipment?.tracking_number, shipment?.carrier)
  const pending = /^\d{3,}$/.test(text) || namedOrder(text, example) !== undefined
  return {
    order,
    parcel,
    searching: allowed && pending && (rested !== text || first.isFetching || found.isLoading),
  }
}
