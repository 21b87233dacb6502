import * as z from "zod/mini"
import {
  holdReasons,
  type LedgerSortField,
  type OrderSortField,
  type RewardSortField,
} from "../../contract/copy.ts"
import type { MemberFacets, MemberOrder, MemberSearchScope } from "../../contract/members.ts"
import type { OrderFacets } from "../../contract/orders.ts"
import type { Member } from "../../contract/program/member.ts"
import type { Order } from "../../contract/program/order.ts"
import type { Transaction } from "../../contract/program/points.ts"
import type { Reward } from "../../contract/program/reward.ts"
import type { RewardFacets } from "../../contract/rewards.ts"
import type { CopyReports } from "../reports/report-store.ts"
import type { LedgerStep } from "./ledger-order.ts"

/** A record as a service sent it. */
export interface CopiedRecord<T> {
  readonly record: T
  /**
   * On the copy's clock, ms: when its request was sent; for the response to a write of ours, when that response came.
   * A record asked earlier than the one held is dropped.
   */
  readonly asOf: number
}

/** A role neither searches, filters nor sorts by what it may not see: the caller checks that. */
export interface MemberQuery {
  /** As typed: every word of it is found, in any order, whatever its case and accents. */
  readonly search?: string | undefined
  readonly scope: MemberSearchScope
  /** These three are compared without case and accents. */
  readonly status?: string | undefined
  readonly tier?: string | undefined
  /** One of these. */
  readonly company?: readonly string[] | undefined
  /** A custom field that has this value, without case and accents; undefined: any. */
  readonly custom?: { readonly name: string; readonly value: string | undefined } | undefined
  readonly sort: MemberOrder
  readonly page: number
  readonly perPage: number
}

/** Why a sync stopped and waits for a person. Nothing was dropped. */
const hold = z.object({
  reason: z.enum(holdReasons),
  /** On the copy's clock, ms. */
  at: z.number(),
  /** Records of the copy that the service no longer listed; with another key those that were tried. */
  missing: z.number(),
  live: z.number(),
})
export type Hold = Readonly<z.output<typeof hold>>

/** How far the copy of one kind of record is, as its sync last left it. Times are ms on the copy's clock. */
export const syncProgress = z.object({
  /** Every record that the service has is in the copy, as of the last pass. */
  complete: z.boolean(),
  /** Start and end of the last pass; null: there was none. */
  sweptFrom: z.nullable(z.number()),
  syncedAt: z.nullable(z.number()),
  /** The service's own count, as last sent; null: unknown. */
  total: z.nullable(z.number()),
  /** Sweeps in a row after which nothing was put off. */
  settledSweeps: z.number(),
  /** Whether the last sweep put its missing records off to the next one. */
  deferred: z.boolean(),
  held: z.nullable(hold),
  /** Deletions that a person accepted: the next sweep drops up to that number without reading each alone. */
  acceptedDeletions: z.number(),
})
export type SyncProgress = Readonly<z.output<typeof syncProgress>>

export const noProgress: SyncProgress = {
  complete: false,
  sweptFrom: null,
  syncedAt: null,
  total: null,
  settledSweeps: 0,
  deferred: false,
  held: null,
  acceptedDeletions: 0,
}

/** What the copy was filled from; with another one it is emptied. */
export const copyStamp = z.object({
  environment: z.string(),
  address: z.string(),
  /** Of the main store: another one after a restore. */
  epoch: z.string(),
  /** Of the key. With another one, known members are read before anything is dropped. */
  keyHash: z.string(),
})
export type CopyStamp = Readonly<z.output<typeof copyStamp>>

/** Which members are counted. */
export type MemberFilter = Omit<MemberQuery, "sort" | "page" | "perPage">

/** Members with the same company, without case and accents. */
export interface CompanyTotals {
  /** The name without case and accents. */
  readonly company: string
  /** Id of a member whose record has the name as it is written. */
  readonly example: string
  readonly members: number
  readonly active: number
  readonly inactive: number
  /** Sum of their balances, in points, and how many members have none. */
  readonly points: number
  readonly without_points: number
}

/** Every member's balance together. */
export interface BalanceTotals {
  readonly members: number
  /** Sum of the balances, in points, and how many members have none. */
  readonly points: number
  readonly withoutBalance: number
}

export interface MemberCopy {
  /** Writes what is new or changed, and returns how many records that were. */
  put(records: readonly CopiedRecord<Member>[]): Promise<number>
  /** The service has none of these any more, as of `asOf`: only id and time stay. */
  drop(ids: readonly string[], asOf: number): Promise<void>
  /** Those of the ids that are held; deleted members are not. */
  get(ids: readonly string[]): Promise<Member[]>
  list(query: MemberQuery): Promise<{ readonly rows: readonly Member[]; readonly total: number }>
  facets(filter: MemberFilter): Promise<MemberFacets>
  /** Of everybody who matches, by name. */
  ids(filter: MemberFilter): Promise<string[]>
  balances(): Promise<BalanceTotals>
  /** Every company that members have. */
  companies(): Promise<CompanyTotals[]>
  /** Ids held since before `asOf`, deleted members not counted. */
  idsBefore(asOf: number): Promise<string[]>
  /** Members held. */
  count(): Promise<number>
  progress(): Promise<SyncProgress>
  setProgress(progress: SyncProgress): Promise<void>
}

/** Which orders are counted. */
export interface OrderFilter {
  /** As typed: every word of it is found in the order, its reward and parcel, or its member. */
  readonly search?: string | undefined
  /** What of the member is searched, by role. */
  readonly scope: MemberSearchScope
  /** Orders that the search matches by what only the store knows of them. */
  readonly foundIds?: readonly string[] | undefined
  /** Compared without case; `to-ship`: open orders that may need a parcel. */
  readonly status?: string | undefined
  readonly memberId?: string | undefined
  readonly rewardId?: string | undefined
  readonly type?: string | undefined
  /** Types of rewards by id, for orders whose record has none. */
  readonly rewardTypes: readonly { readonly id: string; readonly type: string }[]
  /** ms since 1970, `to` not included. An order without a time matches. */
  readonly from?: number | undefined
  readonly to?: number | undefined
}

export interface OrderQuery extends OrderFilter {
  readonly sort: { readonly field: OrderSortField; readonly descending: boolean }
  readonly page: number
  readonly perPage: number
}

/** How far the copy of the orders is. Times are ms on the copy's clock. */
export const orderProgress = z.object({
  /** Every page was read once. */
  complete: z.boolean(),
  /** Start of the last reading of all pages, and of the open orders; null: there was none. */
  sweptFrom: z.nullable(z.number()),
  openFrom: z.nullable(z.number()),
  /** When the open orders, or all, were last read. */
  syncedAt: z.nullable(z.number()),
  /** New orders came first when all pages were read. */
  newestFirst: z.boolean(),
})
export type OrderProgress = Readonly<z.output<typeof orderProgress>>
export const noOrderProgress: OrderProgress = {
  complete: false,
  sweptFrom: null,
  openFrom: null,
  syncedAt: null,
  newestFirst: false,
}

/** Rows of lists and single records are kept apart: only the latter have `fulfillment`. */
export type OrderShape = "list" | "one"

export interface OrderCopy {
  /** Writes what is new or changed, and returns how many records that were. */
  put(records: readonly CopiedRecord<Order>[], shape: OrderShape): Promise<number>
  /** The service has none of these, as of `asOf`: only id and time stay. */
  drop(ids: readonly string[], asOf: number): Promise<void>
  list(query: OrderQuery): Promise<{ readonly rows: readonly Order[]; readonly total: number }>
  facets(filter: OrderFilter): Promise<OrderFacets>
  /** Ids of pending and processing orders held since before `asOf`. */
  openBefore(asOf: number): Promise<string[]>
  /** Orders held. */
  count(): Promise<number>
  progress(): Promise<OrderProgress>
  setProgress(progress: OrderProgress): Promise<void>
}

/** Which rewards are counted. */
export interface RewardFilter {
  /** As typed: every word of it is found, in any order, whatever its case and accents. */
  readonly search?: string | undefined
  /** These three are compared without case and accents. */
  readonly category?: string | undefined
  readonly status?: string | undefined
  readonly type?: string | undefined
  /** Points a piece; a reward without a cost matches. */
  readonly minPoints?: number | undefined
  readonly maxPoints?: number | undefined
}

export interface RewardQuery extends RewardFilter {
  readonly sort: { readonly field: RewardSortField; readonly descending: boolean }
  readonly page: number
  readonly perPage: number
}

export interface RewardCopy {
  /** Writes what is new or changed, and returns how many records that were. */
  put(records: readonly CopiedRecord<Reward>[]): Promise<number>
  /** The service has none of these, as of `asOf`: only id and time stay. */
  drop(ids: readonly string[], asOf: number): Promise<void>
  list(query: RewardQuery): Promise<{ readonly rows: readonly Reward[]; readonly total: number }>
  /** `low`: pieces that are few. */
  facets(filter: RewardFilter, low: number): Promise<RewardFacets>
  /** Ids held since before `asOf`. */
  idsBefore(asOf: number): Promise<string[]>
  /** Rewards held. */
  count(): Promise<number>
  progress(): Promise<SyncProgress>
  setProgress(progress: SyncProgress): Promise<void>
}

export interface LedgerQuery {
  readonly memberId: string
  /** As typed: every word of it is found in the reason, the reference or the id. */
  readonly search?: string | undefined
  readonly type?: string | undefined
  /** ms since 1970, both included. An entry without a time matches. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly sort: { readonly field: LedgerSortField; readonly descending: boolean }
  readonly page: number
  readonly perPage: number
}

/** How far the copy of one ledger is. Times are ms on the copy's clock. */
export interface LedgerState {
  /** When the last read that left every entry in the copy began; null: none yet, or written to since. */
  readonly readFrom: number | null
  /** Balance after the last entry; null: unknown. */
  readonly balance: number | null
  /** The member's balance when it was read. */
  readonly memberBalance: number | null
  /** Reads in a row after which it did not end with that balance. */
  readonly misses: number
  readonly dueAt: number
}

/** A live member, and the state of their ledger; undefined: it was never read. */
export interface LedgerOwner {
  readonly memberId: string
  /** The member's number in the copy. */
  readonly n: number
  readonly balance: number | null
  readonly state: LedgerState | undefined
}

/** What the copied ledgers of some members add up to. */
export interface LedgerTotals {
  /** Ledgers that are read. */
  readonly read: number
  /** Points of awards and of redemptions, both positive. */
  readonly awarded: number
  readonly redeemed: number
  /** Time of the last entry, ms since 1970. */
  readonly lastAt: number | null
}

/** An entry as the books count it; texts without case and accents, empty where there is none. */
export interface BookEntry extends LedgerStep {
  readonly id: string
  /** Later for entries that came into the copy later. */
  readonly n: number
  readonly type: string
  readonly reason: string
  readonly reference: string
  /** What the metadata says under Laurel's own key. */
  readonly tag: string
}

/** A live member's ledger as the copy has it. */
export interface BookLedger {
  readonly memberId: string
  /** The member's number in the copy. */
  readonly n: number
  /** Without case and accents. */
  readonly email: string
  readonly balance: number | null
  /** The member's balance when the ledger was last read. */
  readonly memberBalance: number | null
  /** When the member was created, ms since 1970; null: unknown. */
  readonly createdAt: number | null
  /** When the last read that left every entry in the copy began; null: none, or written to since. */
  readonly readFrom: number | null
  readonly entries: readonly BookEntry[]
}

/** The ledger of a live member; undefined: they are not in the copy. */
export async function ledgerOf(
  { ledgers }: Pick<CopyStore, "ledgers">,
  memberId: string,
): Promise<BookLedger | undefined> {
  const owner = await ledgers.owner(memberId)
  if (owner === undefined) return undefined
  const [ledger] = await ledgers.ledgers(owner.n - 1, 1)
  return ledger?.memberId === memberId ? ledger : undefined
}

/** An entry by its member and id. */
export interface EntryKey {
  readonly memberId: string
  readonly id: string
}

export interface LedgerCopy {
  /** Writes entries of a member that are new or changed, and returns how many those were. */
  put(memberId: string, entries: readonly CopiedRecord<Transaction>[]): Promise<number>
  /** The service has none of these entries. */
  drop(memberId: string, ids: readonly string[], asOf: number): Promise<void>
  /** Every entry of a member, as far as its position depends on it. */
  steps(memberId: string): Promise<(LedgerStep & { readonly id: string })[]>
  list(query: LedgerQuery): Promise<{ readonly rows: readonly Transaction[]; readonly total: number }>
  /** Ledgers of the next live members after number `after`, whole. */
  ledgers(after: number, limit: number): Promise<BookLedger[]>
  /** Those of the entries that are held, as the service sent them. */
  entries(keys: readonly EntryKey[]): Promise<{ readonly memberId: string; readonly entry: Transaction }[]>
  /** Those of the entries that a live member's ledger, completely read after `since`, does not have. */
  lacking<Key extends EntryKey & { readonly since: number }>(keys: readonly Key[]): Promise<Key[]>
  /** How many live members' ledgers were read from `at` on, and the first and last of those reads. */
  readSince(
    at: number,
  ): Promise<{ readonly read: number; readonly from: number | null; readonly to: number | null }>
  /** undefined: no live member. */
  owner(memberId: string): Promise<LedgerOwner | undefined>
  /** Members whose ledgers are to be read: first those that lack something, then the unread, then the nightly ones. */
  due(now: number, limit: number): Promise<(LedgerOwner & { readonly isUrgent: boolean })[]>
  /** A read that began at `startedAt` ended; a ledger that was written to since stays outdated. */
  setState(memberId: string, startedAt: number, state: LedgerState): Promise<void>
  /** Laurel wrote to these ledgers at `at`. */
  outdate(memberIds: readonly string[], at: number): Promise<void>
  /** Of the members whose company is one of these names, without case and accents. */
  ofCompany(names: readonly string[]): Promise<LedgerTotals>
  /** Live members whose ledgers were read, and the earliest of those reads. */
  progress(): Promise<{ readonly read: number; readonly since: number | null }>
}

/** The local copy of the services' records (docs/local-copy.md). */
export interface CopyStore {
  /** `memory`: filled again at each start. */
  readonly kind: "file" | "database" | "memory"
  readonly members: MemberCopy
  readonly orders: OrderCopy
  readonly rewards: RewardCopy
  readonly ledgers: LedgerCopy
  readonly reports: CopyReports
  /** The copy's clock, ms since 1970. */
  now(): Promise<number>
  stamp(): Promise<CopyStamp | undefined>
  setStamp(stamp: CopyStamp): Promise<void>
  /** Forgets every record and all progress. */
  clear(): Promise<void>
  /** Forgets the ids of records that were deleted before `at`; times later than now become now. */
  tidy(deletedBefore: number): Promise<void>
  close(): Promise<void>
}
