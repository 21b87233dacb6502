import { useDebouncedValue } from "@mantine/hooks"
import {
  IconActivity,
  IconChartBar,
  IconCreditCard,
  IconDownload,
  IconExternalLink,
} from "@tabler/icons-react"
import { IconFileUpload, IconGift, IconMinus, IconPackage, IconPencil, IconPlus } from "@tabler/icons-react"
import { type Icon, IconSearch, IconSettings, IconTrophy, IconUser, IconUserPlus } from "@tabler/icons-react"
import {
  type DataTag,
  type QueryClient,
  type QueryKey,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query"
import { useRouterState } from "@tanstack/react-router"
import type { RegisteredCard } from "../../contract/cards.ts"
import type { Job } from "../../contract/job.ts"
import type { Member } from "../../contract/program/member.ts"
import { type Order, shipmentOf } from "../../contract/program/order.ts"
import type { Reward } from "../../contract/program/reward.ts"
import type { Permission } from "../../contract/roles.ts"
import type { Session } from "../../contract/session.ts"
import { orderQuery, useParcelLink } from "../api/orders.ts"
import { cardQuery, cardsQuery } from "../api/gift-cards.ts"
import { jobAccess, jobQuery, jobsInCache } from "../api/jobs.ts"
import { leaderboardsQuery, readBoards } from "../api/leaderboards.ts"
import { memberQuery } from "../api/members.ts"
import { useOrderSearch } from "../api/order-lookup.ts"
import { everyRewardQuery, rewardQuery, rewardsInCache } from "../api/rewards.ts"
import { sessionCan, useSession } from "../api/session.ts"
import { sectionsFor } from "../features/settings/settings-search.ts"
import { useMemberSuggestions } from "../forms/member-suggestions.ts"
import { ApiError } from "../lib/errors.ts"
import { jobTitle } from "../lib/job-title.ts"
import { containsWords, fullName } from "../lib/names.ts"
import { recentRecords, type RecordKind, recordOpen, type RecordRef } from "../lib/recent-records.ts"
import { statusText } from "../ui/status.tsx"
import { navigationFor } from "./navigation.ts"

/** Something the palette can open: an address (of Laurel or a carrier), or a drawer above the current page. */
export interface PaletteItem {
  readonly id: string
  readonly label: string
  readonly description?: string
  readonly keywords?: string
  readonly icon: Icon
  readonly member?: Member
  readonly opens:
    | { readonly to: string }
    | { readonly href: string }
    | { readonly act: "award" | "deduct" | "redeem"; readonly memberId: string | undefined }
  /** The record it opens, if its actions can be listed. */
  readonly record?: RecordRef
}

/** `searching`: further items may follow. */
export interface PaletteGroup {
  readonly label: string
  readonly items: readonly PaletteItem[]
  readonly searching?: boolean
  readonly error?: Error | null
}

/** An entry for everyone with the permission; in its address `$` is the record's id. */
type Entry = readonly [label: string, to: string, Icon, Permission | null, keywords?: string]

const memberActions: readonly Entry[] = [
  ["Award points", "award", IconPlus, "points.write", "give bonus adjust"],
  ["Deduct points", "deduct", IconMinus, "points.write", "take away correct adjust"],
  ["Redeem a reward", "redeem", IconGift, "rewards.redeem", "for member order"],
]

const [file, download] = ["csv excel xlsx upload bulk", "download csv excel xlsx"]
const actions: readonly Entry[] = [
  ["Points report", "/reports/points", IconChartBar, "reports.read", "awarded totals"],
  ...memberActions,
  ["Issue a gift card", "/cards/issue", IconCreditCard, "cards.issue", "new send reward"],
  ["New member", "/members/new", IconUserPlus, "members.edit", "create add person"],
  ["New user", "/settings/users/new", IconUserPlus, "users.manage", "create add account invite"],
  ["Import members", "/members/import", IconFileUpload, "members.edit", file],
  ["Change members from a file", "/members/change", IconFileUpload, "members.edit", file],
  ["Import tracking numbers", "/orders/tracking-file", IconFileUpload, "orders.update", file],
  ["Award from a file", "/members/points-file?kind=award", IconFileUpload, "points.write", file],
  ["Deduct from a file", "/members/points-file?kind=deduct", IconFileUpload, "points.write", file],
  ["Issue gift cards from a file", "/cards/issue-file", IconFileUpload, "cards.issue", file],
  ["Look up a gift card", "/cards?open=look-up", IconSearch, "cards.read", "reference find"],
  ["Export members", "/members?open=export", IconDownload, "exports.people", download],
  ["Export orders", "/orders?open=export", IconDownload, "exports.people", download],
  ["Export gift cards", "/cards?open=export", IconDownload, "exports.people", download],
  ["Export the audit log", "/audit?open=export", IconDownload, "exports.people", download],
]

const records: Readonly<Record<RecordKind, Entry>> = {
  member: ["Member", "/members/$", IconUser, "members.read"],
  order: ["Order", "/orders/$", IconPackage, "orders.read"],
  card: ["Gift card", "/cards/$", IconCreditCard, "cards.read"],
  job: ["Job", "/jobs/$", IconActivity, "jobs.read"],
  reward: ["Reward", "/rewards/$", IconGift, "rewards.read"],
  board: ["Leaderboard", "/leaderboards/$", IconTrophy, "leaderboards.read"],
}

const [pause, resume, slip] = ["/jobs/$?open=pause", "/jobs/$?open=resume", "/orders/print?ids=$"]
const recordActions: Readonly<Record<RecordKind, readonly Entry[]>> = {
  member: [
    ...memberActions,
    ["Issue a gift card", "/cards/issue?for=$", IconCreditCard, "cards.issue", "new send"],
    ["Edit", "/members/$/edit", IconPencil, "members.edit", "change details"],
    ["Orders", "/members/$/orders", IconPackage, "orders.read", "redemptions"],
    ["Gift cards", "/members/$/cards", IconCreditCard, "cards.read", "issued"],
  ],
  order: [
    ["Change status or tracking", "/orders/$/edit", IconPencil, "orders.update", "edit ship number"],
    ["Print packing slip", slip, IconPackage, "orders.update"],
  ],
  card: [["Look up at the service", "/cards?open=look-up&find=$", IconSearch, "cards.read", "refresh"]],
  job: [
    ["Pause", pause, IconActivity, "jobs.control", "stop"],
    ["Resume", resume, IconActivity, "jobs.control", "continue"],
  ],
  reward: [["Redeem for a member", "/rewards/$?act=redeem&reward_id=$", IconGift, "rewards.redeem"]],
  board: [["Wall display", "/leaderboards/$/wall", IconTrophy, "leaderboards.read", "full screen tv"]],
}

/** The router parses a search parameter as JSON, so an id that looks like JSON is sent as a JSON string. */
const asParameter = (id: string) => (/^[-\d"[{]|^(true|false|null)$/.test(id) ? JSON.stringify(id) : id)

function toItem([label, to, icon, , keywords = ""]: Entry, id = ""): PaletteItem {
  if (to === "award" || to === "deduct" || to === "redeem")
    return { id: to, label, icon, keywords, opens: { act: to, memberId: id || undefined } }
  const address = to.replaceAll(/([/=])\$/g, (_, sign: string) => {
    return sign + encodeURIComponent(sign === "=" ? asParameter(id) : id)
  })
  return { id: address, label, icon, keywords, opens: { to: address } }
}

const isAllowed = (session: Session, [, , , permission]: Entry) =>
  permission === null || sessionCan(session, permission)

const itemsFor = (session: Session, entries: readonly Entry[], id?: string) =>
  entries.filter((entry) => isAllowed(session, entry)).map((entry) => toItem(entry, id))

/** The pages of the navigation and the settings, and the actions. */
function pagesAndActions(session: Session): PaletteItem[] {
  const main = navigationFor(session).flat()
  return [
    ...main.map(({ label, to, icon, keywords }) => toItem([label, to, icon, null, keywords])),
    ...sectionsFor(session).map(({ label, to }) => ({
      ...toItem([label, to, IconSettings, null, "settings"]),
      description: "Settings",
    })),
    ...itemsFor(session, actions),
  ]
}

const hasWords = ({ label, keywords = "" }: PaletteItem, text: string) =>
  containsWords(`${label} ${keywords}`, text)

const canSee = (session: Session, kind: RecordKind) => isAllowed(session, records[kind])

/** Opens a record, described by its kind unless more is known. */
const recordItem = (record: RecordRef, label = record.id, description = records[record.kind][0]) => {
  return { ...toItem(records[record.kind], record.id), label, description, record }
}
const memberItem = (member: Member): PaletteItem => ({
  ...recordItem({ kind: "member", id: member.id }, fullName(member), member.company || member.email || ""),
  member,
})
const orderItem = ({ order_id: id, reward_name: reward, status }: Order) => {
  const known = [reward, status && statusText("order", status).word].filter(Boolean)
  return recordItem({ kind: "order", id }, id, known.join(", ") || undefined)
}
const cardItem = ({ id, member, reference, own_reference: own }: RegisteredCard) =>
  recordItem({ kind: "card", id }, own ?? reference ?? id, member.name ?? member.email ?? undefined)
const jobItem = (job: Job) => {
  const title = jobTitle(job)
  return { ...recordItem({ kind: "job", id: job.id }, job.id, title), keywords: title }
}
const rewardItem = ({ id, name }: Reward) => recordItem({ kind: "reward", id }, name || id)

function cachedBoards(client: QueryClient): PaletteItem[] {
  const boards = readBoards(client.getQueryData(leaderboardsQuery().queryKey)?.data) ?? []
  return boards.flatMap(({ id, name }) => (id === null ? [] : recordItem({ kind: "board", id }, name ?? id)))
}

/** A record with its cached name, else by its id; undefined if the service has no such record. */
function cachedItem(client: QueryClient, record: RecordRef): PaletteItem | undefined {
  const { kind, id } = record
  const from = <T>(queryKey: DataTag<QueryKey, T, Error>, toItem: (data: T) => PaletteItem) => {
    const { data, error } = client.getQueryState<T>(queryKey) ?? {}
    if (error instanceof ApiError && error.status === 404) return undefined
    return data === undefined ? recordItem(record) : toItem(data)
  }
  if (kind === "member") return from(memberQuery(id).queryKey, ({ data }) => memberItem(data))
  if (kind === "order") return from(orderQuery(id).queryKey, ({ data }) => orderItem(data))
  if (kind === "card") return from(cardQuery(id).queryKey, ({ data }) => cardItem(data))
  if (kind === "job") return from(jobQuery(id).queryKey, jobItem)
  if (kind === "reward") return from(rewardQuery(id).queryKey, ({ data }) => rewardItem(data))
  return cachedBoards(client).find((board) => board.record?.id === id) ?? recordItem(record)
}

/** The records that the user opened last, except the open one; no request. */
function recentItems(client: QueryClient, session: Session, open: RecordRef | undefined) {
  return recentRecords(session.user.id)
    .filter(({ kind, id }) => canSee(session, kind) && (kind !== open?.kind || id !== open.id))
    .flatMap((record) => cachedItem(client, record) ?? [])
    .slice(0, 6)
}

/** What is offered for a text: a record's actions, or the matches, after the recent records if there is no text. */
export function usePaletteGroups(text: string, item: PaletteItem | undefined): readonly PaletteGroup[] {
  const session = useSession()
  const client = useQueryClient()
  const page = useRouterState({ select: recordOpen, structuralSharing: true })
  const found = useRecordGroups(item === undefined ? text : "")
  const actionGroup = useRecordActions(item, text)
  if (actionGroup !== undefined) return [actionGroup]
  const recent = { label: "Recent", items: text === "" ? recentItems(client, session, page) : [] }
  return [recent, ...groupsFor(session, text, text === "" ? [] : found)]
}

/** What a text names: pages and actions by their labels, the records found, then pages and actions by keywords. */
function groupsFor(session: Session, text: string, found: readonly PaletteGroup[]): PaletteGroup[] {
  const known = pagesAndActions(session)
  const starts = ({ label }: PaletteItem) => label.toLocaleLowerCase().startsWith(text.toLocaleLowerCase())
  const named = known.filter(({ label }) => containsWords(label, text))
  const isFound = found.some(({ items }) => items.length > 0)
  return [
    { label: "Pages and actions", items: named.toSorted((a, b) => Number(starts(b)) - Number(starts(a))) },
    ...found,
    { label: "Related", items: known.filter((item) => !named.includes(item) && hasWords(item, text)) },
    { label: "By id", items: isFound ? [] : itemsById(session, text) },
  ]
}

/** The job that a text names. */
const jobIdIn = (text: string) => (/^j-\d+$/i.test(text) ? text.toUpperCase() : undefined)

/** Orders and members can be opened by id without a search. */
function itemsById(session: Session, text: string): PaletteItem[] {
  if (!/^(?!\.+$)[^\s@]{6,}$/.test(text) || !/[_\d]/.test(text) || jobIdIn(text) !== undefined) return []
  const kinds = (["order", "member"] as const).filter((kind) => canSee(session, kind))
  return kinds.map((kind) => ({ ...toItem(records[kind], text), label: `Open the ${kind} ${text}` }))
}

/** What can be done with a record, as named by a text. An order or job that is not cached is read. */
function useRecordActions(item: PaletteItem | undefined, text: string): PaletteGroup | undefined {
  const session = useSession()
  const { kind, id = "" } = item?.record ?? {}
  const order = useQuery({ ...orderQuery(id), staleTime: Infinity, enabled: kind === "order" }).data?.data
  const job = useQuery({ ...jobQuery(id), enabled: kind === "job" }).data
  const { tracking_number: number, carrier } = shipmentOf(order ?? {})
  const parcel = useParcelLink(number, carrier)
  if (item === undefined || kind === undefined) return undefined
  const isControlled = job !== undefined && jobAccess(session, job).control
  const possible = recordActions[kind].filter(([, to]) => {
    if (to === pause || to === resume)
      return isControlled && job.state === (to === pause ? "running" : "paused")
    return to !== slip || order?.fulfillment?.type !== "digital"
  })
  const { label, icon, opens } = item
  const items: PaletteItem[] = [{ id: "open", label: "Open", icon, opens }]
  if (number !== undefined && parcel !== undefined) {
    const label = `Track ${number} at ${parcel.carrier}`
    items.push({ id: parcel.href, label, icon: IconExternalLink, opens: { href: parcel.href } })
  }
  items.push(...itemsFor(session, possible, id))
  return { label, items: items.filter((each) => hasWords(each, text)) }
}

/** Results of a kind. */
const most = 4

/** The first few, each once. */
const firstFew = (items: readonly PaletteItem[]) =>
  [...new Map(items.map((item) => [item.id, item])).values()].slice(0, most)

/** Records that match a text. Only rewards and leaderboards, and until all are synced members and an order's id, may cost upstream requests. */
function useRecordGroups(text: string): readonly PaletteGroup[] {
  const client = useQueryClient()
  const session = useSession()
  const [rested] = useDebouncedValue(text, 200)
  const may = (kind: RecordKind) => text.length > 1 && canSee(session, kind)
  const lookup = (enabled: boolean) => ({ enabled: enabled && rested === text, retry: false })
  const jobId = jobIdIn(text)
  const isReference = /^(?=.*[_\d-])[^\s@]{4,}$/.test(text) && jobId === undefined

  const { orders, used, ...orderSearch } = useOrderSearch(text, rested === text)
  const members = useMemberSuggestions(text, sessionCan(session, "members.read"))
  const rewards = useQuery({ ...everyRewardQuery(), ...lookup(may("reward")) })
  const boards = useQuery({ ...leaderboardsQuery(), ...lookup(may("board")) })
  const job = useQuery({ ...jobQuery(jobId ?? ""), ...lookup(may("job") && jobId !== undefined) })
  const register = cardsQuery({ search: text, per_page: most })
  const cards = useQuery({ ...register, ...lookup(may("card") && isReference) })
  const named = (kind: RecordKind, items: readonly PaletteItem[]) =>
    may(kind) ? firstFew(items.filter((item) => hasWords(item, text))) : []
  const knownRewards = [...rewardsInCache(client), ...(rewards.data?.rows ?? [])].map(rewardItem)
  const knownJobs = [...(job.data ? [job.data] : []), ...jobsInCache(client)].map(jobItem)
  const usedOn = used.map(({ order_id: id, number }) =>
    recordItem({ kind: "order", id }, id, `Tracking number ${number}`),
  )
  const knownCards = isReference && !cards.isPlaceholderData ? (cards.data?.data ?? []) : []
  const ofOrders = { ...orderSearch, label: "Orders", items: firstFew([...orders.map(orderItem), ...usedOn]) }
  const ofMembers = { ...members, label: "Members", items: members.members.map(memberItem) }
  return [
    // A name is the member's first, a number an order's.
    ...(/\d/.test(text) ? [ofOrders, ofMembers] : [ofMembers, ofOrders]),
    group("Rewards", named("reward", knownRewards), rewards),
    group("Leaderboards", named("board", cachedBoards(client)), boards),
    group("Jobs", named("job", knownJobs), job),
    group("Gift cards", knownCards.map(cardItem), cards),
  ]
}

type Lookup = Readonly<{ isLoading: boolean; error: Error | null }>

const group = (label: string, items: readonly PaletteItem[], { isLoading, error }: Lookup) => {
  return { label, items, searching: isLoading, error }
}
