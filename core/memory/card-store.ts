import { cardSearchText } from "../cards/card-search.ts"
import { hasIssued } from "../cards/issuing-row.ts"
import type { CardQuery, CardRecord, CardStore } from "../cards/card-store.ts"
import { frozenCopy } from "./frozen.ts"
import type { JobTable } from "./job-table.ts"

/** The register that lives as long as its process or tab. `cards` is changed in place. */
export function createMemoryCardStore(cards: Map<string, CardRecord>, table: JobTable): CardStore {
  return {
    async add(card) {
      const before = cards.get(card.id)
      if (before !== undefined && (before.job !== null || card.job === null)) return false
      const { status, lookedUpAt } = before ?? card
      cards.set(card.id, frozenCopy({ ...card, status, lookedUpAt }))
      return true
    },
    get: async (id) => cards.get(id),
    async ofReferences(template, references) {
      const wanted = new Set<string | null>(references)
      return [...cards.values()].filter(
        (card) => card.template === template && (wanted.has(card.reference) || wanted.has(card.ownReference)),
      )
    },
    async list(query) {
      const found = [...cards.values()].filter((card) => fits(card, query)).toSorted(orders[query.sort])
      const start = (query.page - 1) * query.perPage
      return { cards: found.slice(start, start + query.perPage), total: found.length }
    },
    async noteLook(id, look) {
      const before = cards.get(id)
      if (before === undefined) return undefined
      const after = frozenCopy({ ...before, ...look })
      cards.set(id, after)
      return after
    },
    async facets() {
      const all = [...cards.values()]
      const people = new Map(all.map(({ by }) => [by.id, by]))
      return {
        templates: distinct(all.map(({ template }) => template)),
        statuses: distinct(all.map(({ status }) => status)),
        people: [...people.values()].toSorted((one, other) => compare(one.name, other.name)),
      }
    },
    async issuedSince(at) {
      const drawn = [...cards.values()].filter(
        ({ origin, isTest, issuedAt }) => origin !== "adopted" && isTest !== true && (issuedAt ?? at) >= at,
      )
      return {
        cards: drawn.length,
        amountCents: drawn.reduce((sum, { amountCents }) => sum + (amountCents ?? 0), 0),
      }
    },
    async missing(limit, jobId) {
      const entries = jobId === undefined ? table.entries : [table.get(jobId)]
      const rows = entries.flatMap((entry) => (entry?.job().kind === "giftcard" ? entry.rows() : []))
      return rows.filter((row) => hasIssued(row) && isMissing(cards, row.upstreamId)).slice(0, limit)
    },
  }
}

function isMissing(cards: ReadonlyMap<string, CardRecord>, id: string | null): boolean {
  return (cards.get(id ?? "")?.job ?? null) === null
}

function within(at: number | null, low: number | undefined, high: number | undefined): boolean {
  return (
    (low === undefined || (at !== null && at >= low)) && (high === undefined || (at !== null && at <= high))
  )
}

function same<T>(wanted: T | undefined, held: T | null | undefined): boolean {
  return wanted === undefined || wanted === held
}

function fits(card: CardRecord, query: CardQuery): boolean {
  const { search, expires, from, to } = query
  return (
    (search === undefined || cardSearchText(card).includes(search.toLowerCase())) &&
    same(query.template, card.template) &&
    same(query.status, card.status) &&
    same(query.isTest, card.isTest) &&
    same(query.origin, card.origin) &&
    same(query.jobId, card.job?.id) &&
    same(query.by, card.by.id) &&
    same(query.memberId, card.memberId) &&
    within(card.expiresAt, expires?.from, expires?.to) &&
    within(card.issuedAt, from, to)
  )
}

const orders: Readonly<Record<CardQuery["sort"], (one: CardRecord, other: CardRecord) => number>> = {
  newest: (one, other) => (other.issuedAt ?? 0) - (one.issuedAt ?? 0) || compare(one.id, other.id),
  expiring: (one, other) =>
    (one.expiresAt ?? Infinity) - (other.expiresAt ?? Infinity) || compare(one.id, other.id),
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

function distinct(values: readonly (string | null)[]): string[] {
  return [...new Set(values.flatMap((value) => value ?? []))].toSorted(compare)
}
