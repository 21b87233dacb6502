import { codeFrom } from "../seed/random.ts"
import { accountKeyIndex, type SeedSource } from "../seed/source.ts"
import type {
  CardRecord,
  ChangeLog,
  KeyRecord,
  MailRecord,
  MemberRecord,
  OrderRecord,
  TransactionRecord,
  WaitingAward,
} from "./records.ts"

/** Issued cards, remembered idempotency keys and the e-mails sent. */
export class CardTable {
  private readonly log: ChangeLog
  private readonly cards = new Map<string, CardRecord>()
  private readonly byRef = new Map<string, CardRecord[]>()
  private readonly keys = new Map<string, KeyRecord>()
  /** Keys whose first request is still being carried out. */
  readonly inProgress = new Set<string>()
  readonly outbox: MailRecord[] = []

  constructor(seeded: readonly CardRecord[], log: ChangeLog) {
    this.log = log
    for (const card of seeded) this.index(card)
  }

  get all(): readonly CardRecord[] {
    return [...this.cards.values()]
  }

  get(id: string): CardRecord | undefined {
    return this.cards.get(id)
  }

  /** Cards with an external reference, of one template or of any. */
  withRef(externalRef: string, cardId?: string): readonly CardRecord[] {
    const found = this.byRef.get(externalRef) ?? []
    return cardId === undefined ? found : found.filter((card) => card.cardId === cardId)
  }

  add(card: CardRecord): void {
    this.index(card)
    this.log.note("card", card.id, card)
  }

  /** The record of a key, unless it is older than `retention` ms (null: no limit). */
  recall(key: string, now: number, retention: number | null): KeyRecord | undefined {
    const found = this.keys.get(key)
    return found === undefined || (retention !== null && now - found.kept > retention) ? undefined : found
  }

  remember(record: KeyRecord): void {
    this.keys.set(record.key, record)
    this.log.note("key", record.key, record)
  }

  mail(mail: MailRecord): void {
    this.outbox.push(mail)
    this.log.note("mail", mail.id, mail)
  }

  private index(card: CardRecord): void {
    if (this.cards.has(card.id)) return
    this.cards.set(card.id, card)
    if (card.externalRef === null) return
    this.byRef.set(card.externalRef, [...this.withRef(card.externalRef), card])
  }
}

/** The ledger of every member: the seeded rows, made on demand, and what was booked since. */
export class LedgerTable {
  private readonly source: SeedSource
  private readonly members: MemberTable
  private readonly log: ChangeLog
  private readonly booked = new Map<string, TransactionRecord[]>()
  private readonly waiting = new Map<string, WaitingAward>()

  constructor(source: SeedSource, members: MemberTable, log: ChangeLog) {
    this.source = source
    this.members = members
    this.log = log
  }

  /** All rows of a member, oldest first, whether the history shows them yet or not. */
  of(memberId: string): readonly TransactionRecord[] {
    const index = this.members.seedIndex(memberId)
    const seeded = index === undefined ? [] : this.source.history(index)
    const since = this.booked.get(memberId)
    return since === undefined ? seeded : [...seeded, ...since]
  }

  get since(): readonly TransactionRecord[] {
    return [...this.booked.values()].flat()
  }

  add(row: TransactionRecord): void {
    const rows = this.booked.get(row.memberId) ?? []
    rows.push(row)
    this.booked.set(row.memberId, rows)
    this.log.note("transaction", row.id, row)
  }

  get awaiting(): readonly WaitingAward[] {
    return [...this.waiting.values()]
  }

  hold(award: WaitingAward): void {
    this.waiting.set(award.id, award)
    this.log.note("waiting", award.id, award)
  }

  release(id: string): WaitingAward | undefined {
    const award = this.waiting.get(id)
    if (award === undefined) return undefined
    this.waiting.delete(id)
    this.log.note("waiting", id, null)
    return award
  }
}

/** Filters of the order list; times in ms, `to` not included. */
interface OrderFilter {
  readonly status?: string | undefined
  readonly memberId?: string | undefined
  readonly from?: number | undefined
  readonly to?: number | undefined
}

/** The number in an order id such as `ord_20398`. */
export function orderNumber(id: string): number {
  return Number(id.slice("ord_".length))
}

/** The orders, oldest first. */
export class OrderTable {
  private readonly log: ChangeLog
  private readonly list: OrderRecord[]
  private readonly indexes = new Map<string, number>()
  highest = 0

  constructor(seeded: readonly OrderRecord[], log: ChangeLog) {
    this.log = log
    this.list = [...seeded]
    this.list.forEach((order, index) => this.indexes.set(order.id, index))
  }

  get all(): readonly OrderRecord[] {
    return this.list
  }

  get(id: string): OrderRecord | undefined {
    const index = this.indexes.get(id)
    return index === undefined ? undefined : this.list[index]
  }

  put(order: OrderRecord): void {
    const index = this.indexes.get(order.id) ?? this.list.length
    this.indexes.set(order.id, index)
    this.list[index] = order
    this.highest = Math.max(this.highest, orderNumber(order.id))
    this.log.note("order", order.id, order)
  }

  page(filter: OrderFilter, offset: number, limit: number): OrderRecord[] {
    const hits = this.list.filter(
      (order) =>
        (filter.status === undefined || order.status === filter.status) &&
        (filter.memberId === undefined || order.memberId === filter.memberId) &&
        (filter.from === undefined || order.created >= filter.from) &&
        (filter.to === undefined || order.created < filter.to),
    )
    return hits.toReversed().slice(offset, offset + limit)
  }
}

/** Filters of the member list; `search` is already lower case. */
interface MemberFilter {
  readonly status?: string | undefined
  readonly tier?: string | undefined
  readonly search?: string | undefined
}

/**
 * The members. Ids, statuses, tiers and search texts are columns, so that 100,000 are listed
 * in a few ms; a whole record is made from the seed when it is read, and kept once it was changed.
 */
export class MemberTable {
  private readonly source: SeedSource
  private readonly log: ChangeLog
  private readonly ids: string[] = []
  private readonly emails: string[] = []
  private readonly names: string[] = []
  private readonly statuses: string[] = []
  private readonly tiers: string[] = []
  private readonly indexes = new Map<string, number>()
  private readonly byEmail = new Map<string, number>()
  private readonly byAccount = new Map<string, number>()
  private readonly records = new Map<number, MemberRecord>()
  private readonly deletedIndexes = new Set<number>()

  constructor(source: SeedSource, log: ChangeLog) {
    this.source = source
    this.log = log
    for (let index = 0; index < source.base.members; index += 1) this.seat(index)
  }

  get count(): number {
    return this.ids.length - this.deletedIndexes.size
  }

  idAt(index: number): string {
    return this.ids[index] ?? ""
  }

  /** The seed index of an id, deleted members included; undefined for one created later. */
  seedIndex(id: string): number | undefined {
    const index = this.indexes.get(id)
    return index !== undefined && index < this.source.base.members ? index : undefined
  }

  get(id: string): MemberRecord | undefined {
    const index = this.indexes.get(id)
    return index === undefined ? undefined : this.at(index)
  }

  findByEmail(email: string): MemberRecord | undefined {
    const index = this.byEmail.get(email.toLowerCase())
    return index === undefined ? undefined : this.at(index)
  }

  findByAccountKey(key: string): MemberRecord | undefined {
    const index = this.byAccount.get(key) ?? accountKeyIndex(key)
    const found = index === undefined ? undefined : this.at(index)
    return found?.accountKey === key ? found : undefined
  }

  put(record: MemberRecord): void {
    const index = this.indexes.get(record.id) ?? this.ids.length
    this.indexes.set(record.id, index)
    this.deletedIndexes.delete(index)
    this.records.set(index, record)
    this.fill(index, record)
    this.log.note("member", record.id, record)
  }

  remove(id: string): void {
    const index = this.indexes.get(id)
    if (index === undefined) return
    const email = this.emails[index] ?? ""
    if (this.byEmail.get(email) === index) this.byEmail.delete(email)
    this.deletedIndexes.add(index)
    this.log.note("member", id, null)
  }

  page(filter: MemberFilter, offset: number, limit: number): { total: number; rows: MemberRecord[] } {
    const hits: number[] = []
    let total = 0
    for (let index = 0; index < this.ids.length; index += 1) {
      if (!this.passes(index, filter)) continue
      if (total >= offset && hits.length < limit) hits.push(index)
      total += 1
    }
    return { total, rows: hits.map((index) => this.at(index)).filter((row) => row !== undefined) }
  }

  private passes(index: number, filter: MemberFilter): boolean {
    if (this.deletedIndexes.has(index)) return false
    if (filter.status !== undefined && this.statuses[index] !== filter.status) return false
    if (filter.tier !== undefined && this.tiers[index] !== filter.tier) return false
    if (filter.search === undefined) return true
    const { search } = filter
    return this.names[index]?.includes(search) === true || this.emails[index]?.includes(search) === true
  }

  private at(index: number): MemberRecord | undefined {
    if (this.deletedIndexes.has(index) || index < 0 || index >= this.ids.length) return undefined
    return this.made(index)
  }

  private made(index: number): MemberRecord {
    return this.records.get(index) ?? this.source.member(index, this.emails[index] ?? "")
  }

  private seat(index: number): void {
    const person = this.source.person(index)
    let id = person.id
    for (let turn = 1; this.indexes.has(id); turn += 1)
      id = `mem_${codeFrom(8, this.source.base.number, 26, index, turn)}`
    let email = person.email
    for (let turn = 2; this.byEmail.has(email); turn += 1) email = person.email.replace("@", `${turn}@`)
    this.ids.push(id)
    this.indexes.set(id, index)
    this.emails.push(email)
    this.byEmail.set(email, index)
    this.names.push(`${person.first} ${person.last}`.toLowerCase())
    this.statuses.push(person.status)
    this.tiers.push(person.tier.toLowerCase())
  }

  private fill(index: number, record: MemberRecord): void {
    const email = record.email.toLowerCase()
    this.ids[index] = record.id
    this.emails[index] = email
    this.names[index] = `${record.first_name} ${record.last_name}`.toLowerCase()
    this.statuses[index] = record.status.toLowerCase()
    this.tiers[index] = record.tier.toLowerCase()
    if (!this.byEmail.has(email)) this.byEmail.set(email, index)
    if (record.accountKey !== null) this.byAccount.set(record.accountKey, index)
  }
}
