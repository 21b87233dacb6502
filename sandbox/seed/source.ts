import type { SeedBase } from "./random.ts"
import { seedHistory, seedPending } from "./ledger.ts"
import { personMaker, personMetadata, personPhone, type SeedPerson } from "./members.ts"
import { type SeedOrder, seedOrders } from "./orders.ts"
import {
  lifetimeOf,
  type MemberRecord,
  type OrderRecord,
  type RewardRecord,
  type TransactionRecord,
} from "../store/records.ts"

const cachedHistories = 400

/**
 * Everything the seed has about members, generated on demand. A member's balance is the sum of the
 * member's generated ledger, so the two can't disagree.
 */
export class SeedSource {
  readonly base: SeedBase
  readonly orders: readonly OrderRecord[]
  readonly person: (index: number) => SeedPerson
  private readonly ordersByMember: ReadonlyMap<number, readonly SeedOrder[]>
  private readonly histories = new Map<number, readonly TransactionRecord[]>()

  constructor(base: SeedBase, rewards: readonly RewardRecord[]) {
    this.base = base
    this.person = personMaker(base)
    const made = seedOrders(base, rewards, this.person)
    this.orders = made.map(({ order }) => order)
    this.ordersByMember = Map.groupBy(made, ({ member }) => member)
  }

  history(index: number): readonly TransactionRecord[] {
    const known = this.histories.get(index)
    if (known !== undefined) return known
    const orders = this.ordersByMember.get(index)?.map(({ order }) => order) ?? []
    const { base } = this
    const rows = seedHistory(base, index, this.person(index), orders)
    const oldest = this.histories.keys().next()
    if (this.histories.size >= cachedHistories && !oldest.done) this.histories.delete(oldest.value)
    this.histories.set(index, rows)
    return rows
  }

  /** A seeded member as of the seed's end. */
  member(index: number, email: string): MemberRecord {
    const person = this.person(index)
    const { joined } = person
    const rows = this.history(index)
    let [earned, redeemed] = [0, 0]
    for (const lifetime of rows.map(lifetimeOf)) {
      earned += lifetime.earned
      redeemed += lifetime.redeemed
    }
    return {
      id: person.id,
      email,
      first_name: person.first,
      last_name: person.last,
      company: person.company.name,
      phone: personPhone(this.base, index, person),
      tier: person.tier,
      status: person.status,
      metadata: personMetadata(this.base, index, person),
      created: joined,
      updated: rows.at(-1)?.created ?? joined,
      balance: rows.at(-1)?.balanceAfter ?? 0,
      earned,
      redeemed,
      pending: seedPending(this.base, index, person),
      // Known to the gift-card service, shown by neither API.
      accountKey: `AK-${100_000 + index}`,
    }
  }
}

/** The index whose account key this is, if it has the form of one. */
export function accountKeyIndex(key: string): number | undefined {
  const digits = /^AK-(\d{6,})$/.exec(key)?.[1]
  return digits === undefined ? undefined : Number(digits) - 100_000
}
