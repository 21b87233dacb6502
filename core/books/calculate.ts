import { type BookStatement, type DifferenceClass, type FlowType, flowTypes } from "../../contract/books.ts"
import type { BookEntry, BookLedger, CopyStore } from "../copy/copy-store.ts"
import { yieldToEventLoop } from "../jobs/engine-context.ts"
import type { Store } from "../ports.ts"
import { isoTimeOrNull } from "../runtime.ts"
import type { BookBasis, DifferenceRecord } from "./book-store.ts"
import { type Amount, flowTypeOf, memberMonth, type MemberMonth, shapeOf } from "./member-book.ts"
import { type Month, monthBefore } from "./months.ts"
import { Origins } from "./origins.ts"

/** Members whose ledgers are read from the copy together. */
const ledgersAtOnce = 50

/** A line of a month's differences. */
export interface Difference {
  readonly id: string
  readonly class: DifferenceClass
  readonly memberId: string
  readonly points: number
  /** ms since 1970. */
  readonly at: number | null
  readonly entry: BookEntry | null
  readonly record: DifferenceRecord | null
}

/** What the books of some months are calculated from. */
export interface BookSources {
  readonly copy: CopyStore
  readonly store: Pick<Store, "books" | "jobs">
  /** In order, without one missing. */
  readonly months: readonly Month[]
  /** End of the last closed month, ms. */
  readonly closedUntil: number | undefined
  /** Month whose differences are collected. */
  readonly collect?: string
}

/** A month as it adds up. */
export interface MonthTotals {
  readonly month: Month
  opening: number
  closing: number
  readonly flows: Map<FlowType, { readonly ours: Amount; readonly foreign: Amount }>
  readonly broughtIn: Amount
  readonly late: Amount
  readonly deleted: Amount
  readonly awaiting: Amount
  readonly missing: Amount
  readonly unexplained: Amount
  members: number
  read: number
  readFrom: number | null
  readTo: number | null
  /** Each member's points at its end. */
  readonly basis: Map<string, readonly [points: number, entries: number]>
}

export interface Calculation {
  readonly at: number
  readonly months: readonly MonthTotals[]
  /** Time of the oldest entry, ms. */
  readonly firstEntryAt: number
  readonly differences: readonly Difference[]
}

const none = (): Amount => ({ points: 0, entries: 0 })

function add(amount: Amount, points: number, entries = 1): void {
  amount.points += points
  amount.entries += entries
}

/** Every live member's ledger, in batches; other work runs in between. */
export async function* ledgerBatches({ ledgers }: CopyStore): AsyncGenerator<readonly BookLedger[]> {
  for (let after = 0; ;) {
    const batch = await ledgers.ledgers(after, ledgersAtOnce)
    if (batch.length > 0) yield batch
    const last = batch.at(-1)
    if (last === undefined || batch.length < ledgersAtOnce) return
    after = last.n
    await yieldToEventLoop()
  }
}

/** Adds up months from the ledgers of the copy, in steps, so that requests are answered in between. */
export async function calculate(sources: BookSources): Promise<Calculation> {
  const { copy, months, store } = sources
  const at = await copy.now()
  const first = months[0]?.from ?? at
  const open = await store.books.differences()
  const origins = new Origins(store, await store.books.redemptions(first))
  const adding = new Adding(sources, open, at, await basesOf(sources))
  for await (const ledgers of ledgerBatches(copy)) await adding.add(ledgers, origins)
  await adding.addDeleted(origins)
  return { at, months: adding.totals, firstEntryAt: adding.firstEntryAt, differences: adding.differences }
}

/** What closed months that come right before one of these were made of, by the later month. */
async function basesOf({ months, store }: BookSources): Promise<ReadonlyMap<string, BookBasis>> {
  const bases = new Map<string, BookBasis>()
  for (const { month } of months) {
    const basis = await store.books.basis(monthBefore(month))
    if (basis !== undefined) bases.set(month, basis)
  }
  return bases
}

type Counted = Pick<BookLedger, "memberId" | "readFrom" | "balance" | "createdAt" | "entries"> & {
  readonly leftAt?: number
}

class Adding {
  readonly totals: readonly MonthTotals[]
  readonly differences: Difference[] = []
  firstEntryAt = Infinity
  readonly #sources: BookSources
  readonly #open: readonly DifferenceRecord[]
  readonly #at: number
  readonly #bases: ReadonlyMap<string, BookBasis>
  readonly #unexplained: Map<string, DifferenceRecord[]>
  readonly #seen = new Set<string>()

  constructor(
    sources: BookSources,
    open: readonly DifferenceRecord[],
    at: number,
    bases: ReadonlyMap<string, BookBasis>,
  ) {
    this.#sources = sources
    this.#open = open
    this.#at = at
    this.#bases = bases
    const counted = open.filter((one) => one.class === "unexplained" && one.secondAt !== null)
    this.#unexplained = Map.groupBy(counted, ({ member }) => member)
    this.totals = sources.months.map((month) => newTotals(month))
    for (const one of open) this.#addStored(one)
  }

  async add(ledgers: readonly Counted[], origins: Origins): Promise<void> {
    const { months } = this.#sources
    const [from, to] = [months[0]?.from ?? 0, months.at(-1)?.to ?? 0]
    const inside = ledgers.map(({ memberId, entries }) => ({
      memberId,
      entries: entries.filter(({ created_at: at }) => at !== null && at >= from && at < to),
    }))
    const ours = await origins.oursAmong(inside)
    for (const ledger of ledgers) this.#addOne(ledger, ours.get(ledger.memberId) ?? new Set())
  }

  /** Members who are not in the copy any more. */
  async addDeleted(origins: Origins): Promise<void> {
    const departed = this.#open.filter((one) => one.class === "deleted" && !this.#seen.has(one.member))
    for (const { member, points, firstAt, detail } of departed) {
      const entries = (detail.entries ?? []).map((entry) => ({
        ...entry,
        reason: "",
        reference: "",
        tag: "",
      }))
      const ledger = { memberId: member, balance: points, createdAt: null, readFrom: firstAt, entries }
      await this.add([{ ...ledger, leftAt: firstAt }], origins)
    }
    for (const totals of this.totals) {
      const basis = this.#bases.get(totals.month.month) ?? new Map()
      for (const [memberId, [points]] of basis) {
        if (this.#seen.has(memberId) || points === 0) continue
        totals.opening += points
        this.#addLine(totals, "deleted", memberId, points, { at: null })
      }
    }
  }

  #addOne(ledger: Counted, ours: ReadonlySet<string>): void {
    const { memberId, entries, balance, createdAt, readFrom, leftAt } = ledger
    this.#seen.add(memberId)
    for (const { created_at } of entries)
      if (created_at !== null && created_at < this.firstEntryAt) this.firstEntryAt = created_at
    const since = Math.max(createdAt ?? -Infinity, this.#sources.closedUntil ?? -Infinity)
    const shape = shapeOf(entries, balance, since)
    const unexplained = this.#unexplained.get(memberId) ?? []
    for (const totals of this.totals) {
      const bases = this.#bases.get(totals.month.month)
      const basis = bases && (bases.get(memberId) ?? null)
      if (leftAt === undefined && !this.#covers(totals, readFrom, basis != null)) continue
      const part = memberMonth(totals.month, { entries, shape, unexplained, leftAt }, basis)
      if (part !== undefined) this.#addPart(totals, memberId, part, ours, { shape, leftAt })
    }
  }

  /** Counts a member, and returns whether the month has their ledger. */
  #covers(totals: MonthTotals, readFrom: number | null, wasClosed: boolean): boolean {
    const { to } = totals.month
    const isOver = to <= this.#at
    totals.members += 1
    // The running month begins with all of the closed one, also while a ledger is being read again.
    if (readFrom === null || (isOver && readFrom < to)) return !isOver && wasClosed
    totals.read += 1
    totals.readFrom = Math.min(totals.readFrom ?? Infinity, readFrom)
    totals.readTo = Math.max(totals.readTo ?? -Infinity, readFrom)
    return true
  }

  #addPart(
    totals: MonthTotals,
    memberId: string,
    part: MemberMonth,
    ours: ReadonlySet<string>,
    times: { readonly shape: { readonly broughtInAt: number }; readonly leftAt: number | undefined },
  ): void {
    totals.opening += part.opening
    totals.closing += part.closing
    for (const entry of part.inside) {
      const flow = flowOf(totals, flowTypeOf(entry.type))
      const points = entry.points ?? 0
      if (ours.has(entry.id)) add(flow.ours, points)
      else {
        add(flow.foreign, points)
        this.#collect(totals, "foreign", memberId, points, { at: entry.created_at, entry })
      }
    }
    if (part.broughtIn !== 0) {
      const at = Number.isFinite(times.shape.broughtInAt) ? times.shape.broughtInAt : null
      this.#addLine(totals, "brought-in", memberId, part.broughtIn, { at })
    }
    this.#addLate(totals, memberId, part.late)
    totals.unexplained.points += part.unexplained
    if (part.deleted !== undefined)
      this.#addLine(totals, "deleted", memberId, part.deleted, { at: times.leftAt ?? null })
    else if (part.closing !== 0 || part.count > 0) totals.basis.set(memberId, [part.closing, part.count])
  }

  #addLate(totals: MonthTotals, memberId: string, late: MemberMonth["late"]): void {
    add(totals.late, late.points, late.entries)
    for (const entry of late.found)
      this.#collect(totals, "late", memberId, entry.points ?? 0, { at: entry.created_at, entry })
    if (late.found.length === 0 && (late.entries > 0 || late.points !== 0))
      this.#collect(totals, "late", memberId, late.points, { at: null })
  }

  /** Differences that were looked at twice. */
  #addStored(record: DifferenceRecord): void {
    const { class: kind, member, points, firstAt, secondAt } = record
    if (secondAt === null || kind === "deleted") return
    for (const totals of this.totals) {
      const isHere = kind === "awaiting" ? firstAt < totals.month.to : record.month === totals.month.month
      if (!isHere) continue
      // Its points are added with the member's ledger.
      add(totals[kind], kind === "unexplained" ? 0 : points)
      this.#collect(totals, kind, member, points, { at: firstAt, record })
    }
  }

  #addLine(
    totals: MonthTotals,
    kind: "brought-in" | "deleted",
    memberId: string,
    points: number,
    more: { readonly at: number | null },
  ): void {
    add(kind === "deleted" ? totals.deleted : totals.broughtIn, points)
    this.#collect(totals, kind, memberId, points, more)
  }

  #collect(
    { month: { month } }: MonthTotals,
    kind: DifferenceClass,
    memberId: string,
    points: number,
    more: { readonly at: number | null; readonly entry?: BookEntry; readonly record?: DifferenceRecord },
  ): void {
    if (this.#sources.collect !== month) return
    const { at, entry = null, record = null } = more
    const id = record?.id ?? `${kind}:${memberId}:${entry?.id ?? ""}`
    this.differences.push({ id, class: kind, memberId, points, at, entry, record })
  }
}

function newTotals(month: Month): MonthTotals {
  return {
    month,
    opening: 0,
    closing: 0,
    flows: new Map(),
    broughtIn: none(),
    late: none(),
    deleted: none(),
    awaiting: none(),
    missing: none(),
    unexplained: none(),
    members: 0,
    read: 0,
    readFrom: null,
    readTo: null,
    basis: new Map(),
  }
}

function flowOf({ flows }: MonthTotals, type: FlowType) {
  const known = flows.get(type) ?? { ours: none(), foreign: none() }
  flows.set(type, known)
  return known
}

const iso = (ms: number) => new Date(ms).toISOString()

/** The statement of a month that is not closed. */
export function statementOf(
  totals: MonthTotals,
  {
    at,
    timeZone,
    isComplete,
  }: { readonly at: number; readonly timeZone: string; readonly isComplete: boolean },
): BookStatement {
  const { month, flows, members, read, opening, closing } = totals
  const isOver = month.to <= at
  return {
    month: month.month,
    from: iso(month.from),
    to: iso(month.to),
    time_zone: timeZone,
    state: !isOver ? "running" : isComplete && read >= members ? "ready" : "waiting",
    as_of: iso(at),
    closed_by: null,
    coverage: {
      read,
      members,
      from: isoTimeOrNull(totals.readFrom),
      to: isoTimeOrNull(totals.readTo),
    },
    opening,
    closing,
    flows: flowTypes.flatMap((type) => {
      const flow = flows.get(type)
      return flow === undefined ? [] : [{ type, ...flow }]
    }),
    brought_in: totals.broughtIn,
    late: totals.late,
    deleted: totals.deleted,
    awaiting: totals.awaiting,
    missing: totals.missing,
    unexplained: totals.unexplained,
  }
}
