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
import { keepPreviousData, type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query"
import type { Member } from "../../contract/program/member.ts"
import { type Order, shipmentOf } from "../../contract/program/order.ts"
import type { Permission } from "../../contract/roles.ts"
import type { Session } from "../../contract/users.ts"
import { type ParcelLink, useParcelLink } from "../api/carriers.ts"
import { cachedMembers, memberSearchQuery } from "../api/members.ts"
import { orderQuery, ordersKey, ordersQuery } from "../api/orders.ts"
import type { Answer } from "../api/request.ts"
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

/** Something the palette can open. `to` is an address of this desk. */
export type PaletteItem =
  | { readonly kind: "member"; readonly id: string; readonly to: string; readonly member: Member }
  | {
      readonly kind: "page"
      readonly id: string
      readonly to: string
      readonly label: string
      readonly also?: string
      readonly icon: Icon
    }
  | {
      readonly kind: "parcel"
      readonly id: string
      readonly href: string
      readonly label: string
      readonly icon: Icon
    }
  | {
      readonly kind: "points"
      readonly id: string
      readonly act: "award" | "deduct"
      readonly label: string
      readonly icon: Icon
    }

/** Items under one heading. */
interface PaletteGroup {
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

/** The members found so far. */
export interface MemberHits {
  readonly members: readonly Member[]
  readonly searching: boolean
  readonly error: Error | null
  /** Seconds since the service answered; null before an answer. 0 means that a request was spent. */
  readonly age: number | null
  readonly allowed: boolean
}

/** The shortest text that is searched. */
export const shortestSearch = 2

/**
 * Members for a text: those this browser knows at once, then the answer of one request, asked when the typing rests
 * for 200 ms.
 */
export function useMemberHits(text: string): MemberHits {
  const queryClient = useQueryClient()
  const allowed = useCan("members.search")
  const long = allowed && text.length >= shortestSearch
  const [rested] = useDebouncedValue(text, 200)
  const { data, error, isFetching, isPlaceholderData } = useQuery({
    ...memberSearchQuery(rested),
    enabled: allowed && rested.length >= shortestSearch,
    placeholderData: keepPreviousData,
  })
  const answered = long && rested === text && data !== undefined && !isPlaceholderData
  return {
    members: !long ? [] : answered ? data.data : cachedMembers(queryClient, text),
    searching: long && !answered && error === null && (rested !== text || isFetching),
    error: long && rested === text ? error : null,
    age: answered ? data.age : null,
    allowed,
  }
}

/** The order a text names. */
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

/** Ids of the orders in the lists this browser holds. */
function knownIds(client: QueryClient): string[] {
  const pages = client.getQueriesData<Answer<Order[]>>({ queryKey: [...ordersKey, "page"] })
  return pages.flatMap(([, answer]) => answer?.data.map(({ order_id }) => order_id) ?? [])
}
