import { codeFrom } from "../random.ts"
import { accountKeyIndex, type SeedSource } from "../seed/source.ts"
import type { ChangeLog } from "./change-log.ts"
import type { MemberRecord } from "./records.ts"

/** Filters of the member list; `search` is already lower case. */
export interface MemberFilter {
  readonly status?: string | undefined
  readonly tier?: string | undefined
  readonly search?: string | undefined
  readonly withCompany: boolean
  readonly newestFirst: boolean
}

/**
 * The members. Ids, statuses, tiers and the text that is searched stand in columns, so that 100,000 are listed
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
  private readonly companies: string[] = []
  private readonly indexes = new Map<string, number>()
  private readonly byEmail = new Map<string, number>()
  private readonly byAccount = new Map<string, number>()
  private readonly kept = new Map<number, MemberRecord>()
  private readonly gone = new Set<number>()

  constructor(source: SeedSource, log: ChangeLog) {
    this.source = source
    this.log = log
    for (let index = 0; index < source.base.members; index += 1) this.seat(index)
  }

  /** Members that are there. */
  get count(): number {
    return this.ids.length - this.gone.size
  }

  /** The id of a seeded member. */
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

  /** A member who may have been deleted since. */
  getDeleted(id: string): MemberRecord | undefined {
    const index = this.indexes.get(id)
    return index === undefined ? undefined : this.made(index)
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

  /** Adds a member or replaces one. */
  put(record: MemberRecord): void {
    const index = this.indexes.get(record.id) ?? this.ids.length
    this.indexes.set(record.id, index)
    this.gone.delete(index)
    this.kept.set(index, record)
    this.fill(index, record)
    this.log.note("member", record.id, record)
  }

  remove(id: string): void {
    const index = this.indexes.get(id)
    if (index === undefined) return
    const email = this.emails[index] ?? ""
    if (this.byEmail.get(email) === index) this.byEmail.delete(email)
    this.gone.add(index)
    this.log.note("member", id, null)
  }

  /** One page of the members that pass the filter, and how many pass in all. */
  page(filter: MemberFilter, offset: number, limit: number): { total: number; rows: MemberRecord[] } {
    const hits: number[] = []
    let total = 0
    for (let step = 0; step < this.ids.length; step += 1) {
      const index = filter.newestFirst ? this.ids.length - 1 - step : step
      if (!this.passes(index, filter)) continue
      if (total >= offset && hits.length < limit) hits.push(index)
      total += 1
    }
    return { total, rows: hits.map((index) => this.at(index)).filter((row) => row !== undefined) }
  }

  private passes(index: number, filter: MemberFilter): boolean {
    if (this.gone.has(index)) return false
    if (filter.status !== undefined && this.statuses[index] !== filter.status) return false
    if (filter.tier !== undefined && this.tiers[index] !== filter.tier) return false
    if (filter.search === undefined) return true
    if (this.names[index]?.includes(filter.search) || this.emails[index]?.includes(filter.search)) return true
    return filter.withCompany && (this.companies[index] ?? "").includes(filter.search)
  }

  private at(index: number): MemberRecord | undefined {
    if (this.gone.has(index) || index < 0 || index >= this.ids.length) return undefined
    return this.made(index)
  }

  private made(index: number): MemberRecord {
    return this.kept.get(index) ?? this.source.member(index, this.emails[index] ?? "")
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
    this.companies.push(person.company.name.toLowerCase())
  }

  private fill(index: number, record: MemberRecord): void {
    const email = record.email.toLowerCase()
    this.ids[index] = record.id
    this.emails[index] = email
    this.names[index] = `${record.first_name} ${record.last_name}`.toLowerCase()
    this.statuses[index] = record.status.toLowerCase()
    this.tiers[index] = record.tier.toLowerCase()
    this.companies[index] = (record.company ?? "").toLowerCase()
    if (!this.byEmail.has(email)) this.byEmail.set(email, index)
    if (record.accountKey !== null) this.byAccount.set(record.accountKey, index)
  }
}
