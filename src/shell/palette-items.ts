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
import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query"
import type { Member } from "../../contract/program/member.ts"
import { type Order, shipmentOf } from "../../contract/program/order.ts"
import type { Permission } from "../../contract/roles.ts"
import type { Session } from "../../contract/users.ts"
import { type ParcelLink, useParcelLink } from "../api/carriers.ts"
import { orderQuery, ordersKey, ordersQuery } from "../api/orders.ts"
import type { ApiResponse } from "../api/request.ts"
import { sessionCan, useCan } from "../api/session.ts"
import { navigationFor } from "./navigation.ts"
import { statusWord } from "../ui/status.tsx"

/**
 * What a text may mean for gift cards: an e-mail finds the cards of who has it in the register, what looks like an id or
 * a reference (one word with a digit, `_` or `-`) is looked up at the service.
 */
function cardItems(session: Session, text: string): PaletteItem[] {
  if (!sessionCan(session, "cards.read")) return []
  if (/^[^\s@]+@[^\s@]+$/.test(text)) return [cardsPage(`Gift cards of ${text}`, { search: text })]
  if (!/^\S{4,}$/.test(text) || !/[_\d-]/.test(text)) return []
  return [cardsPage(`Look up card ${text}`, { open: "look-up", find: text })]
}

function cardsPage(label: string, search: Readonly<Record<string, string>>): PaletteItem {
  const quoted = Object.entries(search).map(([name, value]) => [name, asParameter(value)])
  const to = `/cards?${new URLSearchParams(Object.fromEntries(quoted)).toString()}`
  return { kind: "page", id: `cards:${to}`, to, label, icon: IconCreditCard }
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

interface Listed {
  readonly id: string
  readonly label: string
  readonly icon: Icon
}

/** Something the palette can open. `to` is an address of Laurel's, `href` one of a carrier, `act` opens the points drawer. */
export type PaletteItem =
  | { readonly kind: "member"; readonly id: string; readonly to: string; readonly member: Member }
  | (Listed & { readonly kind: "page"; readonly to: string; readonly also?: string })
  | (Listed & { readonly kind: "parcel"; readonly href: string })
  | (Listed & { readonly kind: "points"; readonly act: "award" | "deduct" })

interface Page {
  readonly label: string
  readonly to: string
  readonly icon: Icon
  readonly permission: Permission | null
  readonly keywords: string
}

function page(label: string, to: string, icon: Icon, permission: Permission, keywords: string): Page {
  return { label, to, icon, permission, keywords }
}

const deeper = [
  page("New member", "/members/new", IconUserPlus, "members.edit", "create add person"),
  page(
    "Award from a file",
    "/members/points-file?kind=award",
    IconFileSpreadsheet,
    "points.write",
    "points bulk csv import upload",
  ),
  page(
    "Deduct from a file",
    "/members/points-file?kind=deduct",
    IconFileSpreadsheet,
    "points.write",
    "points bulk csv import upload",
  ),
  page("Import members", "/members/import", IconUserPlus, "members.edit", "csv file create upload"),
  page(
    "Import tracking numbers",
    "/orders/tracking-file",
    IconFileSpreadsheet,
    "orders.update",
    "import orders ship csv upload",
  ),
  page("Look up a gift card", "/cards?open=look-up", IconCreditCard, "cards.read", "card reference find"),
  page("Issue a gift card", "/cards/issue", IconCreditCard, "cards.issue", "new send reward"),
  page(
    "Issue gift cards from a file",
    "/cards/issue-file",
    IconFileSpreadsheet,
    "cards.issue",
    "bulk csv import upload paste",
  ),
  page(
    "Card templates and costs",
    "/settings/gift-cards",
    IconCreditCard,
    "cards.read",
    "settings gift fund fee gst amounts denominations",
  ),
  page("Users and roles", "/settings/users", IconUserShield, "users.manage", "settings accounts password"),
  page(
    "Service status",
    "/settings/status",
    IconPlugConnected,
    "status.read",
    "settings connections budget drift",
  ),
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

function isNamed({ label, keywords }: Pick<Page, "label" | "keywords">, text: string): boolean {
  const told = `${label} ${keywords}`.toLocaleLowerCase().split(/\s+/)
  const words = text.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  return words.every((word) => told.some((name) => name.startsWith(word)))
}

function pagesFor(session: Session, text: string): PaletteItem[] {
  const more = deeper.filter(({ permission }) => permission === null || sessionCan(session, permission))
  return [...navigationFor(session).flat(), ...more]
    .filter((each) => isNamed(each, text))
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

function orderItems({ order, parcel }: OrderHit): PaletteItem[] {
  if (order === undefined) return []
  const { order_id: id, reward_name: name, status } = order
  const also = [name, status && statusWord("order", status).word].filter(Boolean).join(", ")
  const found: PaletteItem = {
    kind: "page",
    id: `order:${id}`,
    to: orderAddress(id),
    label: id,
    also,
    icon: IconPackage,
  }
  if (parcel === undefined) return [found]
  const label = `Track ${shipmentOf(order).tracking_number ?? ""} at ${parcel.carrier}`
  return [found, { kind: "parcel", id: `parcel:${id}`, href: parcel.href, label, icon: IconExternalLink }]
}

const orderAddress = (id: string) => `/orders/${encodeURIComponent(id)}`
const memberAddress = (id: string) => `/members/${encodeURIComponent(id)}`

/** What the palette offers for a text: the order it names, members (best first), then what can be done here, then pages. */
export function paletteGroups(session: Session, text: string, members: readonly Member[], order: OrderHit) {
  const actionGroup = { label: "Actions", items: actionsFor(session, text) }
  const pages = { label: "Pages", items: pagesFor(session, text) }
  const found = members.map((member): PaletteItem => {
    return { kind: "member", id: member.id, to: memberAddress(member.id), member }
  })
  // What Enter does before anything is typed only goes somewhere.
  const groups =
    text === ""
      ? [pages, actionGroup]
      : [
          { label: "Orders", items: orderItems(order) },
          { label: "Members", items: found },
          actionGroup,
          pages,
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

/** The first page of the list, as the list asks for it: it shows how orders are numbered, and is warm for their page. */
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
  const known = allowed ? knownIds(client) : []
  const first = useQuery({ ...someOrders, enabled: allowed && digits && known.length === 0 })
  const ids = known.length > 0 ? known : (first.data?.data.map(({ order_id }) => order_id) ?? [])
  const id = allowed ? namedOrder(rested, ids) : undefined
  const found = useQuery({ ...orderQuery(id ?? "none"), enabled: id !== undefined, retry: false })
  const order = id !== undefined && rested === text && found.error === null ? found.data?.data : undefined
  const shipment = order === undefined ? undefined : shipmentOf(order)
  const parcel = useParcelLink(shipment?.tracking_number, shipment?.carrier)
  const pending = /^\d{3,}$/.test(text) || namedOrder(text, ids) !== undefined
  return {
    order,
    parcel,
    searching: allowed && pending && (rested !== text || first.isFetching || found.isLoading),
  }
}

/** The id a text means: itself where it begins as orders do, else its digits behind the letters of an order. */
function namedOrder(text: string, ids: readonly string[]): string | undefined {
  const letters = /^\D+/.exec(ids[0] ?? "")?.[0]
  if (/^\d{3,}$/.test(text)) return ids.length === 0 ? undefined : `${letters ?? ""}${text}`
  if (/\s/.test(text) || !/\d/.test(text)) return undefined
  const begins = letters ?? "ord"
  return text.toLowerCase().startsWith(begins.toLowerCase())
    ? `${begins}${text.slice(begins.length)}`
    : undefined
}

function knownIds(client: QueryClient): string[] {
  const pages = client.getQueriesData<ApiResponse<Order[]>>({ queryKey: [...ordersKey, "page"] })
  return pages.flatMap(([, answer]) => answer?.data.map(({ order_id }) => order_id) ?? [])
}
