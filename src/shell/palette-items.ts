import { isEmail } from "../../contract/email-address.ts"
import {
  type Icon,
  IconActivity,
  IconBarcode,
  IconChartBar,
  IconCreditCard,
  IconDeviceTv,
  IconDownload,
  IconExternalLink,
  IconFileUpload,
  IconGift,
  IconId,
  IconMinus,
  IconPackage,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlus,
  IconPrinter,
  IconSearch,
  IconSettings,
  IconTrophy,
  IconUserPlus,
} from "@tabler/icons-react"
import type { Job } from "../../contract/job.ts"
import type { Member } from "../../contract/program/member.ts"
import { type Order, shipmentOf } from "../../contract/program/order.ts"
import type { Permission } from "../../contract/roles.ts"
import type { Session } from "../../contract/users.ts"
import type { ParcelLink } from "../api/carriers.ts"
import { jobAccess } from "../api/jobs.ts"
import { sessionCan } from "../api/session.ts"
import type { RecordKind, RecordRef } from "../lib/recent-records.ts"
import { navigationFor } from "./navigation.ts"

/** An address of Laurel's, one of a carrier, or a drawer for the member named, else for the page's. */
type Opens =
  | { readonly to: string }
  | { readonly href: string }
  | { readonly act: "award" | "deduct" | "redeem"; readonly for: string | undefined }

/** Something the palette can open. */
export interface PaletteItem {
  readonly id: string
  readonly label: string
  readonly also?: string
  /** A member has their initials instead. */
  readonly icon: Icon
  readonly member?: Member
  readonly order?: Order
  readonly job?: Job
  readonly opens: Opens
  /** The record it opens, whose actions are one step further. */
  readonly record?: RecordRef
  /** The text names it: Enter opens it without waiting for what else may be found. */
  readonly named?: boolean
}

/** An item that opens a record. */
export type RecordItem = PaletteItem & { readonly record: RecordRef }

/**
 * What a row says: its name, where it leads ($ is the record's id), who may, further words that find it, and what
 * stands between an action's name and its record's.
 */
type Entry = readonly [label: string, to: string, Icon, Permission | null, keywords: string, joins?: string]

const pages: readonly Entry[] = [
  ["Points report", "/reports/points", IconChartBar, "ledger.read", "awarded reasons months people totals"],
  ["Users and roles", "/settings/users", IconSettings, "users.manage", "settings accounts password"],
  ["Program settings", "/settings/program", IconSettings, null, "name time zone currency limits"],
  ["Card templates and costs", "/settings/gift-cards", IconSettings, "cards.read", "settings fund fee gst"],
  ["Carriers", "/settings/carriers", IconSettings, null, "settings tracking links parcels"],
  [
    "Data settings",
    "/settings/data",
    IconSettings,
    "settings.program",
    "low stock cache retention addresses",
  ],
  ["Service status", "/settings/status", IconSettings, "status.read", "settings connections budget drift"],
  ["Your sessions", "/settings/sessions", IconSettings, null, "settings browsers signed in devices end"],
  ["Error codes", "/settings/errors", IconSettings, null, "settings catalogue causes help"],
  ["About Laurel", "/settings/about", IconSettings, null, "settings version services"],
]

const [award, deduct, redeem] = ["act:award", "act:deduct", "act:redeem"]

/** For whoever the page shows, or the record's member. */
const pointsActions: readonly Entry[] = [
  ["Award points", award, IconPlus, "points.write", "give bonus adjust", " to"],
  ["Deduct points", deduct, IconMinus, "points.write", "take away correct adjust", " from"],
]

/** Their names begin with what they do. */
const actions: readonly Entry[] = [
  ...pointsActions,
  ["Redeem a reward", redeem, IconGift, "rewards.redeem", "for member order"],
  ["Ship orders", "/orders/ship", IconBarcode, "orders.update", "parcels scan pack send"],
  ["Issue a gift card", "/cards/issue", IconCreditCard, "cards.issue", "new send reward"],
  ["New member", "/members/new", IconUserPlus, "members.edit", "create add person"],
  ["New user", "/settings/users/new", IconUserPlus, "users.manage", "create add account invite"],
  ["Import members", "/members/import", IconUserPlus, "members.edit", "csv file create upload"],
  [
    "Import tracking numbers",
    "/orders/tracking-file",
    IconFileUpload,
    "orders.update",
    "ship csv file upload",
  ],
  ["Award from a file", "/members/points-file?kind=award", IconFileUpload, "points.write", "bulk csv import"],
  [
    "Deduct from a file",
    "/members/points-file?kind=deduct",
    IconFileUpload,
    "points.write",
    "bulk csv import",
  ],
  [
    "Issue gift cards from a file",
    "/cards/issue-file",
    IconFileUpload,
    "cards.issue",
    "bulk csv import paste",
  ],
  ["Look up a gift card", "/cards?open=look-up", IconSearch, "cards.read", "reference find"],
  ["Export members", "/members?open=export", IconDownload, "exports.people", "download csv"],
  ["Export orders", "/orders?open=export", IconDownload, "exports.people", "download csv"],
  ["Export gift cards", "/cards?open=export", IconDownload, "exports.people", "download csv"],
  ["Export the audit log", "/audit?open=export", IconDownload, "exports.people", "download csv"],
]

const lookUp = "/cards?open=look-up&find=$"
const redeemThis = "/rewards/$?act=redeem&reward_id=$"
const [pause, resume, slip] = ["/jobs/$?open=pause", "/jobs/$?open=resume", "/orders/print?ids=$"]

/** Each kind of record, by its word. */
const kinds: Readonly<Record<RecordKind, Entry>> = {
  member: ["Member", "/members/$", IconId, "members.read", ""],
  order: ["Order", "/orders/$", IconPackage, "orders.read", ""],
  card: ["Gift card", "/cards/$", IconCreditCard, "cards.read", ""],
  job: ["Job", "/jobs/$", IconActivity, "jobs.read", ""],
  reward: ["Reward", "/rewards/$", IconGift, "rewards.read", ""],
  board: ["Leaderboard", "/leaderboards/$", IconTrophy, "leaderboards.read", ""],
}

/** What can be done with a record besides opening it. */
const recordActions: Readonly<Record<RecordKind, readonly Entry[]>> = {
  member: [
    ...pointsActions,
    ["Redeem a reward", redeem, IconGift, "rewards.redeem", "order", " for"],
    ["Issue a gift card", "/cards/issue?for=$", IconCreditCard, "cards.issue", "new send", " to"],
    ["Edit", "/members/$/edit", IconPencil, "members.edit", "change details"],
    ["Orders", "/members/$/orders", IconPackage, "orders.read", "redemptions", " of"],
    ["Gift cards", "/members/$/cards", IconCreditCard, "cards.read", "issued", " of"],
  ],
  order: [
    ["Change status or tracking", "/orders/$/edit", IconPencil, "orders.update", "edit ship number", " of"],
    ["Print packing slip", slip, IconPrinter, "orders.update", "", " of"],
  ],
  card: [["Look up at the service", lookUp, IconSearch, "cards.read", "refresh status", ":"]],
  job: [
    ["Pause", pause, IconPlayerPause, "jobs.control", "stop"],
    ["Resume", resume, IconPlayerPlay, "jobs.control", "continue"],
  ],
  reward: [["Redeem for a member", redeemThis, IconGift, "rewards.redeem", "order", ":"]],
  board: [
    ["Wall display", "/leaderboards/$/wall", IconDeviceTv, "leaderboards.read", "full screen tv", " of"],
  ],
}

/** What is known of a record whose actions are shown. */
export interface KnownRecord {
  readonly order: Order | undefined
  readonly parcel: ParcelLink | undefined
  readonly job: Job | undefined
}

/** What goes only with some records: a slip with a parcel, and what a job's state and the role allow. */
function fits(to: string, { order, job }: Partial<KnownRecord>, session: Session): boolean {
  if (to === slip) return order?.fulfillment?.type !== "digital"
  if (to !== pause && to !== resume) return true
  const state = to === pause ? "running" : "paused"
  return job?.state === state && jobAccess(session, job).control
}

/** Whether every word of a text begins a word of `names`. */
export function isNamed(names: string, text: string): boolean {
  const known = names.toLocaleLowerCase().split(/\s+/)
  const words = text.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  return words.every((word) => known.some((name) => name.startsWith(word)))
}

/** The entries for this person that a text names. */
function entriesFor(entries: readonly Entry[], session: Session, text: string): Entry[] {
  return entries.filter(
    ([label, , , permission, keywords, joins = ""]) =>
      (permission === null || sessionCan(session, permission)) &&
      isNamed(`${label}${joins} ${keywords}`, text),
  )
}

/**
 * The action on records of a kind that a text begins with, and the words after it: `award` and `ana`. Only whole words
 * are an action, and it begins with what is done: `ed smith` and `a silva` are names.
 */
export function actionIn(session: Session, kind: RecordKind, text: string) {
  const words = text.split(" ")
  const [first = "", ...others] = text.toLocaleLowerCase().split(" ")
  const allowed = entriesFor(recordActions[kind], session, "")
  const end = words.findLastIndex((_, count) =>
    allowed.some(([label, , , , keywords, joins = ""]) => {
      const known = `${label}${joins} ${keywords}`.toLocaleLowerCase().split(" ")
      const begins = verbOf(label) === first || keywords.split(" ").includes(first)
      return count > 0 && begins && others.slice(0, count - 1).every((word) => known.includes(word))
    }),
  )
  return {
    action: words.slice(0, Math.max(0, end)).join(" "),
    words: words.slice(Math.max(0, end)).join(" "),
  }
}

/** What an entry opens, for the record with this id. */
function itemOf([label, to, icon]: Entry, id?: string): PaletteItem {
  if (to === award) return { id: to, label, icon, opens: { act: "award", for: id } }
  if (to === deduct) return { id: to, label, icon, opens: { act: "deduct", for: id } }
  if (to === redeem) return { id: to, label, icon, opens: { act: "redeem", for: id } }
  const address = to.replaceAll(/([/=])\$/g, (_, sign: string) => {
    return sign + encodeURIComponent(sign === "=" ? asParameter(id ?? "") : (id ?? ""))
  })
  return { id: address, label, icon, opens: { to: address } }
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

function pagesFor(session: Session, text: string): PaletteItem[] {
  const main = navigationFor(session).flat()
  const entries = main.map(({ label, to, icon, keywords }): Entry => [label, to, icon, null, keywords])
  return entriesFor([...entries, ...pages], session, text).map((entry) => itemOf(entry))
}

const verbOf = (words: string) => words.toLocaleLowerCase().split(" ")[0]

/** The actions a text finds; first those it names by what they do, which is their first word. */
function actionsFor(session: Session, text: string): PaletteItem[] {
  return entriesFor(actions, session, text)
    .map((entry) => ({ ...itemOf(entry), named: verbOf(entry[0]) === verbOf(text) }))
    .toSorted((a, b) => Number(b.named) - Number(a.named))
}

/** Cards of an e-mail's owner; what may be an id or a reference is looked up at the service. */
function cardEntry(text: string): Entry[] {
  if (isEmail(text)) {
    return [[`Gift cards of ${text}`, "/cards?search=$", IconCreditCard, "cards.read", ""]]
  }
  return isReference(text) ? [[`Look up card ${text}`, lookUp, IconCreditCard, "cards.read", ""]] : []
}

/** A pasted id opens its member or order, for those who may not search too. */
function idEntries(text: string): Entry[] {
  if (!/^[^\s@]{6,}$/.test(text) || !/[_\d]/.test(text) || /^\.+$/.test(text)) return []
  if (jobNamed(text) !== undefined) return []
  const { member, order } = kinds
  return [member, order].map(([word, ...rest]) => {
    return [`Open the ${word.toLowerCase()} with the id ${text}`, ...rest]
  })
}

/** Whether a text may be a card's id or reference. */
export function isReference(text: string): boolean {
  return /^[^\s@]{4,}$/.test(text) && /[_\d-]/.test(text) && jobNamed(text) === undefined
}

/** The job a text names, such as `J-1183`. */
export function jobNamed(text: string): string | undefined {
  return /^j-\d+$/i.test(text) ? text.toUpperCase() : undefined
}

/** Whether somebody may see records of a kind. */
export function canSee(session: Session, kind: RecordKind): boolean {
  return entriesFor([kinds[kind]], session, "").length > 0
}

/** Opens a record; its label is the id and what stands beside it the kind, unless more is known. */
export function recordItem(record: RecordRef, label = record.id, also = kinds[record.kind][0]) {
  return { ...itemOf(kinds[record.kind], record.id), label, also, record }
}

/** Leads to a parcel's page at its carrier. */
export function parcelItem(number: string, { carrier, href }: ParcelLink): PaletteItem {
  return { id: "parcel", label: `Track ${number} at ${carrier}`, icon: IconExternalLink, opens: { href } }
}

/** Items under a heading; `searching`: others may still come. */
export interface PaletteGroup {
  readonly label: string
  readonly items: readonly PaletteItem[]
  readonly searching?: boolean
}

/** Records that were found for a text, of each kind: by its words behind `action` where it begins with one. */
export type Found = Readonly<Record<RecordKind, Omit<PaletteGroup, "label"> & { readonly action: string }>>

/** What the palette offers before anything is typed: what Enter does then only goes somewhere. */
export function groupsAtFirst(session: Session, recent: readonly PaletteItem[]): PaletteGroup[] {
  return [
    { label: "Recent", items: recent },
    { label: "Pages", items: pagesFor(session, "") },
    { label: "Actions", items: actionsFor(session, "") },
  ]
}

/** What a text that begins with an action does with each record it found: `Award points to Ana Silva`. */
function quickActions(session: Session, { action, items }: Found[RecordKind]): PaletteItem[] {
  return items.flatMap(({ record, ...item }) => {
    const entries = action && record ? entriesFor(recordActions[record.kind], session, action) : []
    const fitting = entries.filter(([, to]) => fits(to, item, session))
    return fitting.map((entry) => {
      const label = `${entry[0]}${entry[5] ?? ""} ${item.label}`
      return { ...item, ...itemOf(entry, record?.id), id: `${item.id} ${entry[1]}`, label }
    })
  })
}

/** What the palette offers for a text: what it names, what was found, then what can be done or opened. */
export function groupsFor(session: Session, text: string, found: Found): PaletteGroup[] {
  const named = ({ items }: PaletteGroup) => Number(items[0]?.named ?? false)
  const ofText = (entries: Entry[]) => entriesFor(entries, session, "").map((entry) => itemOf(entry, text))
  const ofKind = (label: string, kind: RecordKind) => {
    const { action, items, searching = false } = found[kind]
    const isMeant = (item: PaletteItem) => action === "" || isNamed(item.label, text)
    return { label, items: items.filter(isMeant), searching }
  }
  const acted = Object.values(found).filter(({ action }) => action !== "")
  const cards = ofKind("Gift cards", "card")
  const groups: PaletteGroup[] = [
    ofKind("Orders", "order"),
    ofKind("Members", "member"),
    { label: "Actions", items: actionsFor(session, text) },
    { label: "Pages", items: pagesFor(session, text) },
    {
      label: "Quick actions",
      items: acted.flatMap((each) => quickActions(session, each)),
      searching: acted.some(({ searching }) => searching),
    },
    ofKind("Rewards", "reward"),
    ofKind("Leaderboards", "board"),
    ofKind("Jobs", "job"),
    // A person's list stands still while their cards come.
    {
      ...cards,
      items: text.includes("@")
        ? [...ofText(cardEntry(text)), ...cards.items]
        : [...cards.items, ...ofText(cardEntry(text))],
    },
    { label: "By id", items: ofText(idEntries(text)) },
  ].toSorted((a, b) => named(b) - named(a))
  // What leads to the same place is offered once, where it stands first.
  const seen = new Set<string>()
  const isNew = ({ id }: PaletteItem) => !seen.has(id) && seen.add(id)
  return groups.map((group) => ({ ...group, items: group.items.filter(isNew) }))
}

/** What can be done with a record and is named by a text. */
export function actionGroups(
  session: Session,
  { label, record: { kind, id }, icon, opens }: RecordItem,
  known: KnownRecord,
  text: string,
): PaletteGroup[] {
  const number = known.order && shipmentOf(known.order).tracking_number
  const open = { id: "open", label: "Open", icon, opens }
  const first = number && known.parcel ? [open, parcelItem(number, known.parcel)] : [open]
  const further = entriesFor(recordActions[kind], session, text).filter(([, to]) => fits(to, known, session))
  const items = [
    ...first.filter((item) => isNamed(item.label, text)),
    ...further.map((entry) => itemOf(entry, id)),
  ]
  return [{ label, items }]
}
