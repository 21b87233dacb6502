import type { UpstreamCall } from "../../core/ports.ts"
import type { FakeEnd, FakeService } from "./fake-upstream.ts"
import { madeUpMember, page, record } from "./made-up-members.ts"

export type ModelMember = ReturnType<typeof madeUpMember>

/** An entry of a model ledger. */
export interface ModelEntry {
  readonly transaction_id: string
  readonly member_id: string
  readonly type: string
  readonly points: number
  readonly balance_after: number
  readonly created_at: string
}

/** Orders in which a service may list its members. */
export const listOrders: Readonly<Record<string, (one: ModelMember, other: ModelMember) => number>> = {
  "newest first": (one, other) => compare(other.created_at, one.created_at) || compare(one.id, other.id),
  "oldest first": (one, other) => compare(one.created_at, other.created_at) || compare(one.id, other.id),
  "last changed first": (one, other) =>
    compare(other.updated_at, one.updated_at) || compare(one.id, other.id),
  "by name": (one, other) => compare(one.last_name, other.last_name) || compare(one.id, other.id),
  "by points": (one, other) => other.points_balance - one.points_balance || compare(one.id, other.id),
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other)
}

/** A program service whose members change between requests, as other programs change them. */
export class ModelProgram {
  readonly members = new Map<string, ModelMember>()
  /** Oldest first. */
  readonly ledgers = new Map<string, ModelEntry[]>()
  /** Called before each list request. */
  beforePage: () => void = () => undefined
  readonly #order: (one: ModelMember, other: ModelMember) => number
  readonly #random: () => number
  #made = 0
  #booked = 0

  constructor(order: (one: ModelMember, other: ModelMember) => number, random: () => number) {
    this.#order = order
    this.#random = random
  }

  readonly serve: FakeService = (call) => {
    if (call.method !== "GET") return { status: 405 }
    if (call.path === "/orders" || call.path === "/rewards") return page([])
    if (call.path === "/members") return this.#list(call)
    return call.path.endsWith("/transactions") ? this.#ledger(call) : this.#one(call)
  }

  /** Adds points to a member, or takes them. */
  book(id: string, points: number): void {
    const member = this.members.get(id)
    if (member !== undefined) this.#set({ ...member, points_balance: member.points_balance + points })
  }

  add(count: number): void {
    for (let added = 0; added < count; added += 1) {
      this.#made += 1
      const id = `mem_${this.#made.toString(36)}_${Math.floor(this.#random() * 1e6)}`
      this.#set(this.#member(id))
    }
  }

  /** One change in ten removes a member, three add one, and six change one. */
  change(count: number): void {
    for (let changed = 0; changed < count; changed += 1) {
      const [kind, ids] = [this.#random(), [...this.members.keys()]]
      const id = ids[Math.floor(this.#random() * ids.length)]
      if (kind < 0.3 || id === undefined) this.add(1)
      else if (kind < 0.4) {
        this.members.delete(id)
        this.ledgers.delete(id)
      } else {
        const before = this.members.get(id)
        const { created_at } = before ?? this.#member(id)
        this.#set({ ...this.#member(id), created_at })
      }
    }
  }

  /** Three entries have one time each. */
  #set(member: ModelMember): void {
    const { id, points_balance: balance_after } = member
    const points = balance_after - (this.members.get(id)?.points_balance ?? 0)
    const at = Date.UTC(2026, 0, 1) + Math.floor(this.#booked / 3) * 1000
    const entry = {
      transaction_id: `txn_${this.#booked}`,
      member_id: id,
      type: "adjust",
      points,
      balance_after,
      created_at: new Date(at).toISOString(),
    }
    this.#booked += 1
    this.members.set(id, member)
    this.ledgers.set(id, [...(this.ledgers.get(id) ?? []), entry])
  }

  #member(id: string): ModelMember {
    const at = new Date(Date.UTC(2026, 0, 1) + Math.floor(this.#random() * 3e10)).toISOString()
    const points_balance = Math.floor(this.#random() * 100_000)
    const last_name = `Name ${Math.floor(this.#random() * 1e6)}`
    return madeUpMember(id, { last_name, points_balance, created_at: at, updated_at: at })
  }

  #list({ query }: UpstreamCall): FakeEnd {
    this.beforePage()
    const [number, size] = [Number(query.get("page") ?? 1), Number(query.get("per_page") ?? 25)]
    const sorted = [...this.members.values()].toSorted(this.#order)
    return page(sorted.slice((number - 1) * size, number * size), sorted.length, number, size)
  }

  #one({ path }: UpstreamCall): FakeEnd | undefined {
    const found = this.members.get(decodeURIComponent(path.split("/")[2] ?? ""))
    return found && record(found)
  }

  /** Newest first. */
  #ledger({ path, query }: UpstreamCall): FakeEnd | undefined {
    const entries = this.ledgers.get(decodeURIComponent(path.split("/")[2] ?? ""))
    if (entries === undefined) return undefined
    const [number, size] = [Number(query.get("page") ?? 1), Number(query.get("per_page") ?? 25)]
    const from = Date.parse(query.get("from") ?? "1970-01-01")
    const rows = entries.filter(({ created_at }) => Date.parse(created_at) >= from).toReversed()
    return page(rows.slice((number - 1) * size, number * size), rows.length, number, size)
  }
}
