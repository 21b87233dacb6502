import { IconActivity, IconCreditCard, IconDownload, IconExternalLink } from "@tabler/icons-react"
import { IconFileUpload, IconGift, IconMinus, IconPackage, IconPencil, IconPlus } from "@tabler/icons-react"
import { type Icon, IconSearch, IconSettings, IconTrophy, IconUser, IconUserPlus } from "@tabler/icons-react"
import type { Job } from "../../contract/job.ts"
import type { Member } from "../../contract/program/member.ts"
import { type Order, shipmentOf } from "../../contract/program/order.ts"
import type { Permission } from "../../contract/roles.ts"
import type { Session } from "../../contract/users.ts"
import type { ParcelLink } from "../api/carriers.ts"
import { jobAccess } from "../api/jobs.ts"
import { sessionCan } from "../api/session.ts"
import type { RecordKind, RecordRef } from "../lib/recent-records.ts"
import { containsWords } from "../lib/names.ts"
import { sectionsFor } from "../features/settings/settings-search.ts"
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

export type RecordItem = PaletteItem & { readonly record: RecordRef }

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

const [file, download] = ["csv upload bulk", "download csv"]
const actions: readonly Entry[] = [
  ...memberActions,
  ["Issue a gift card", "/cards/issue", IconCreditCard, "cards.issue", "new send reward"],
  ["New member", "/members/new", IconUserPlus, "members.edit", "create add person"],
  ["New user", "/settings/users/new", IconUserPlus, "users.manage", "create add account invite"],
  ["Import members", "/members/import", IconFileUpload, "members.edit", file],
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

/** What is known of the record whose actions are shown. */
export interface KnownRecord {
  readonly order?: Order | undefined
  readonly parcel?: ParcelLink | undefined
  readonly job?: Job | undefined
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

/** Whether an action applies: a slip needs a parcel, and a job's state and role decide about pausing. */
function applies(to: string, { order, job }: KnownRecord, session: Session): boolean {
  if (to === slip) return order?.fulfillment?.type !== "digital"
  if (to !== pause && to !== resume) return true
  const isControlled = job !== undefined && jobAccess(session, job).control
  return isControlled && job.state === (to === pause ? "running" : "paused")
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

/** The pages of the navigation, the settings, and pages without a navigation item. */
function pageItems(session: Session): PaletteItem[] {
  const main = navigationFor(session).flat()
  return [
    ...main.map(({ label, to, icon, keywords }) => toItem([label, to, icon, null, keywords])),
    ...sectionsFor(session).map(({ label, to }) => ({
      ...toItem([label, to, IconSettings, null, "settings"]),
      description: "Settings",
    })),
    ...itemsFor(session, [
      ["Points report", "/reports/points", IconActivity, "ledger.read", "awarded totals"],
    ]),
  ]
}

const hasWords = ({ label, keywords = "" }: PaletteItem, text: string) =>
  containsWords(`${label} ${keywords}`, text)

/** Whether the user may see records of a kind. */
export const canSee = (session: Session, kind: RecordKind) => isAllowed(session, records[kind])

/** Opens a record, described by its kind unless more is known. */
export const recordItem = (record: RecordRef, label = record.id, description = records[record.kind][0]) => {
  return { ...toItem(records[record.kind], record.id), label, description, record }
}

/** What a text names: pages and actions by their labels, the records found, then pages and actions by keywords. */
export function groupsFor(session: Session, text: string, found: readonly PaletteGroup[]): PaletteGroup[] {
  const known = [...pageItems(session), ...itemsFor(session, actions)]
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
export const jobIdIn = (text: string) => (/^j-\d+$/i.test(text) ? text.toUpperCase() : undefined)

/** Orders and members can be opened by id without a search. */
function itemsById(session: Session, text: string): PaletteItem[] {
  if (!/^(?!\.+$)[^\s@]{6,}$/.test(text) || !/[_\d]/.test(text) || jobIdIn(text) !== undefined) return []
  const kinds = (["order", "member"] as const).filter((kind) => canSee(session, kind))
  return kinds.map((kind) => ({ ...toItem(records[kind], text), label: `Open the ${kind} ${text}` }))
}

/** What can be done with a record, as named by a text. */
export function recordGroup(
  session: Session,
  item: RecordItem,
  known: KnownRecord,
  text: string,
): PaletteGroup {
  const { id, label, icon, opens, record } = item
  const number = known.order && shipmentOf(known.order).tracking_number
  const possible = recordActions[record.kind].filter(([, to]) => applies(to, known, session))
  const items: PaletteItem[] = [{ id, label: "Open", icon, opens }]
  if (number !== undefined && known.parcel !== undefined) {
    const { carrier, href } = known.parcel
    items.push({ id: href, label: `Track ${number} at ${carrier}`, icon: IconExternalLink, opens: { href } })
  }
  items.push(...itemsFor(session, possible, record.id))
  return { label, items: items.filter((each) => hasWords(each, text)) }
}
