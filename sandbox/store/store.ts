import { forNames, memberDetailNames } from "../../contract/program/member-fields.ts"
import { codeFrom, seedBase, type SeedBase } from "../seed/random.ts"
import { SeedSource } from "../seed/source.ts"
import { type CardTemplate, seedCards, seedTemplates } from "../seed/cards.ts"
import { nextOrderNumber } from "../seed/orders.ts"
import { seedRewards } from "../seed/rewards.ts"
import { CardTable, LedgerTable, MemberTable, OrderTable } from "./tables.ts"
import { ChangeLog, type Effect, type MemberRecord, type NewEffect, type RewardRecord } from "./records.ts"

/**
 * What the sandbox holds. Everything is readable for tests; change it through requests, or through the few
 * methods for work done in the service's own admin (`setFund`, `setReward`, `setTemplate`).
 */
export class SandboxStore {
  readonly base: SeedBase
  readonly members: MemberTable
  readonly transactions: LedgerTable
  readonly rewards: Map<string, RewardRecord>
  readonly orders: OrderTable
  readonly cards: CardTable
  readonly templates: Map<string, CardTemplate>
  /** Every effect since the seed, oldest first: the truth that a client's own rows are compared with. */
  readonly ledger: Effect[] = []
  readonly changes = new ChangeLog()
  private fund: number
  private sequence = 0

  constructor(seed: string | number, members: number, seededAt: number, fundCents: number) {
    this.base = seedBase(seed, members, seededAt)
    this.fund = fundCents
    const rewards = seedRewards()
    const source = new SeedSource(this.base, rewards)
    this.rewards = new Map(rewards.map((reward) => [reward.id, reward]))
    this.members = new MemberTable(source, this.changes)
    this.transactions = new LedgerTable(source, this.members, this.changes)
    this.orders = new OrderTable(source.orders, this.changes)
    this.cards = new CardTable(
      seedCards(this.base, (index) => this.members.idAt(index)),
      this.changes,
    )
    this.templates = new Map(seedTemplates.map((template) => [template.id, template]))
  }

  get fundCents(): number {
    return this.fund
  }

  setFund(cents: number): void {
    this.fund = cents
    this.noteState()
  }

  setReward(reward: RewardRecord): void {
    this.rewards.set(reward.id, reward)
    this.changes.note("reward", reward.id, reward)
  }

  /** Adds or replaces a card template; templates are not kept over a restart. */
  setTemplate(template: CardTemplate): void {
    this.templates.set(template.id, template)
  }

  /** Adds a member who has just enrolled, and the effect. */
  createMember(
    given: Pick<MemberRecord, "email" | "first_name" | "last_name" | "status"> & Partial<MemberRecord>,
    by: "program" | "giftcard",
    { clock, now }: { readonly clock: number; readonly now: number },
  ): MemberRecord {
    const balances = { balance: 0, earned: 0, redeemed: 0, pending: 0 }
    const details = forNames(memberDetailNames, () => null)
    const unknown = { ...details, accountKey: null, metadata: {}, tier: "Bronze" }
    const dates = { created: clock, updated: clock }
    const member = { id: this.nextId("mem_", 8), ...unknown, ...balances, ...dates, ...given }
    this.members.put(member)
    this.record({ kind: "member-create", id: member.id, email: member.email, by }, now)
    return member
  }

  nextId(prefix: string, length: number): string {
    const turn = this.turn()
    return `${prefix}${codeFrom(length, this.base.number, 61, turn)}`
  }

  nextOrderId(): string {
    return `ord_${Math.max(this.orders.highest + 1, nextOrderNumber)}`
  }

  /** Numbers, dates and keeps an effect. `at` is our clock, ms. */
  record(effect: NewEffect, at: number): void {
    const stamped = { ...effect, seq: this.ledger.length + 1, at }
    this.ledger.push(stamped)
    this.changes.note("effect", String(stamped.seq), stamped)
  }

  resume(sequence: number, fundCents: number): void {
    this.sequence = sequence
    this.fund = fundCents
  }

  turn(): number {
    this.sequence += 1
    this.noteState()
    return this.sequence
  }

  private noteState(): void {
    this.changes.note("state", "state", { sequence: this.sequence, fundCents: this.fund })
  }
}
