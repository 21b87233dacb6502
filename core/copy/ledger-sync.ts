import type { SyncStatus } from "../../contract/copy.ts"
import { limits } from "../../contract/limits.ts"
import { balanceReader, type Transaction, transactionListReader } from "../../contract/program/points.ts"
import { hasReadableKey } from "../../contract/reading.ts"
import type { CachedResponse } from "../cache/cache.ts"
import { AppError } from "../errors.ts"
import { planById, type ReadPlan } from "../gateway/upstream-read.ts"
import { isoTimeOrNull } from "../runtime.ts"
import type { Settings } from "../settings/settings.ts"
import { type BookEntry, ledgerOf, type LedgerOwner } from "./copy-store.ts"
import { ledgerOrder } from "./ledger-order.ts"
import {
  addLedgerPage,
  type LedgerReading,
  nextLedgerPage,
  nextLedgerRead,
  hasEveryEntry,
  startLedger,
} from "./ledger-reading.ts"
import type { KindSync, LoopDeps, SyncLoop } from "./sync-loop.ts"

export interface LedgerSyncDeps extends LoopDeps {
  readonly settings: Pick<Settings, "get">
}

/** How many ledgers are looked for together, and how often, ms: a balance may have changed. */
const dueAtOnce = 20
const lookEveryMs = 10_000
/** While others have something to do, unread and nightly ledgers wait, ms. */
const giveWayMs = 1000

type DueLedger = LedgerOwner & { readonly isUrgent: boolean }

/** Keeps the copy of the members' ledgers current (docs/local-copy.md, Ledgers). */
export class LedgerSync implements KindSync {
  readonly #deps: LedgerSyncDeps
  readonly #loop: SyncLoop
  #due: DueLedger[] = []
  /** Whether more ledgers may be due than were looked for. */
  #hasMore = false
  #reading: LedgerReading | undefined
  #lookedAt = -Infinity

  constructor(deps: LedgerSyncDeps, loop: SyncLoop) {
    this.#deps = deps
    this.#loop = loop
  }

  /** A response to a read: its entries are put into the copy, and one with all of them counts as a read. */
  read(
    { operation, params, query }: Pick<ReadPlan, "operation" | "params" | "query">,
    of: ReadResponse,
  ): void {
    const { member_id = "" } = params
    if (operation.id !== ledgerOperation || member_id === "") return
    this.#loop.quietly(async () => {
      const startedAt = await this.#loop.copyTime(of.requestedAt)
      const page = await this.#put(member_id, of, startedAt)
      const isUnfiltered = [...query].every(
        ([name, value]) => name === "per_page" || (name === "page" && value === "1"),
      )
      if (!isUnfiltered || page.rows !== page.total) return
      const pages = startLedger(member_id, startedAt, undefined)
      addLedgerPage(pages, page, page.rows)
      await this.#finish(pages)
    })
  }

  /** Laurel wrote to these ledgers: they are read soon, and not served from the copy until then. */
  written(memberIds: readonly string[]): void {
    if (memberIds.length === 0) return
    this.#loop.quietly(async () => {
      const { copy } = this.#loop
      await copy.ledgers.outdate(memberIds, (await copy.now()) + 1)
      this.#lookedAt = -Infinity
    })
  }

  async status(): Promise<SyncStatus> {
    const { ledgers, members } = this.#loop.copy
    const [{ read, since }, total] = await Promise.all([ledgers.progress(), members.count()])
    return { live: read, total, complete: read >= total, synced_at: isoTimeOrNull(since), held: null }
  }

  restart(): void {
    this.#reading = undefined
    this.#due = []
    this.#lookedAt = -Infinity
  }

  async step(signal: AbortSignal, isIdle: boolean): Promise<number> {
    const { clock, copy } = this.#loop
    if (this.#reading === undefined) {
      const isNextLot = this.#due.length === 0 && this.#hasMore
      if (isNextLot || clock.monotonic() >= this.#lookedAt + lookEveryMs) {
        this.#lookedAt = clock.monotonic()
        this.#due = await copy.ledgers.due(await copy.now(), dueAtOnce)
        this.#hasMore = this.#due.length === dueAtOnce
      }
      const [owner] = this.#due
      if (owner === undefined) return Math.max(1, this.#lookedAt + lookEveryMs - clock.monotonic())
      if (!owner.isUrgent && !isIdle) return giveWayMs
      this.#due.shift()
      this.#reading = await this.#start(owner)
    }
    const pages = this.#reading
    let isReadable = true
    try {
      if (!(await this.#readNext(pages, signal))) return 0
    } catch (error) {
      if (!isAboutMember(error)) throw error
      isReadable = false
    }
    this.#reading = undefined
    await this.#finish(pages, isReadable)
    return 0
  }

  /**
   * Reads a member's balance, the whole ledger, and the balance again. undefined: the balances differ, the ledger moved
   * meanwhile, or the member is gone. @throws AppError while the service cannot be reached
   */
  async lookAt(memberId: string, signal: AbortSignal): Promise<LedgerLook | undefined> {
    try {
      const before = await this.#balance(memberId, signal)
      const pages = startLedger(memberId, await this.#loop.copy.now(), undefined)
      while (!(await this.#readNext(pages, signal)));
      const after = await this.#balance(memberId, signal)
      if (!hasEveryEntry(pages) || before.balance !== after.balance) return undefined
      await this.#finish(pages)
      const held = (await ledgerOf(this.#loop.copy, memberId))?.entries ?? []
      const entries = held.filter(({ id }) => pages.all.seen.has(id))
      return { balance: after.balance, pending: after.pending ?? null, entries }
    } catch (error) {
      if (isAboutMember(error)) return undefined
      throw error
    }
  }

  async #balance(memberId: string, signal: AbortSignal) {
    const { data } = await this.#loop.fetch(planById(balanceOperation, { member_id: memberId }), signal)
    return balanceReader.tolerant.parse(data)
  }

  async #start({ memberId, state }: LedgerOwner): Promise<LedgerReading> {
    const startedAt = await this.#loop.copy.now()
    // Nightly reads cover everything; after a change the new entries are enough.
    const isRecent = state?.readFrom != null && state.dueAt > startedAt
    const steps = isRecent ? await this.#loop.copy.ledgers.steps(memberId) : []
    const times = steps.flatMap(({ created_at }) => created_at ?? [])
    return startLedger(memberId, startedAt, times.length === 0 ? undefined : Math.max(...times))
  }

  /** Reads the next page and returns whether it was the last one. */
  async #readNext(pages: LedgerReading, signal: AbortSignal): Promise<boolean> {
    const { memberId } = pages
    const { page, from } = nextLedgerPage(pages)
    const since = from === undefined ? {} : { from: new Date(from).toISOString() }
    const sent = { page, per_page: limits.perPage.max, ...since }
    const response = await this.#loop.fetch(planById(ledgerOperation, { member_id: memberId }, sent), signal)
    const read = await this.#put(memberId, response, await this.#loop.copyTime(response.requestedAt))
    const held = (await this.#loop.copy.ledgers.steps(memberId)).length
    return addLedgerPage(pages, read, held)
  }

  async #put(memberId: string, { data, meta }: ReadResponse, asOf: number) {
    const entries = entriesIn(data)
    const records = entries.map((record) => ({ record, asOf }))
    await this.#loop.copy.ledgers.put(memberId, records)
    const rows = Array.isArray(data) ? data.length : 0
    return { ids: entries.map(({ transaction_id }) => transaction_id), rows, total: meta?.total }
  }

  async #finish(pages: LedgerReading, isReadable = true): Promise<void> {
    const { ledgers } = this.#loop.copy
    const { memberId, startedAt, all } = pages
    const owner = await ledgers.owner(memberId)
    if (owner === undefined) return
    if (!isReadable) return this.#miss(owner, startedAt)
    let steps = await ledgers.steps(memberId)
    const seen = steps.filter(({ id }) => all.seen.has(id))
    // A list that lacks entries although the balance is still theirs may be wrong.
    if (hasEveryEntry(pages) && seen.length < steps.length && balanceOf(seen) === owner.balance) {
      const missing = steps.filter(({ id }) => !all.seen.has(id)).map(({ id }) => id)
      await ledgers.drop(memberId, missing, startedAt)
      steps = seen
    }
    const isComplete = all.total === undefined ? hasEveryEntry(pages) : steps.length === all.total
    const balance = balanceOf(steps)
    const ends = owner.balance === null || balance === owner.balance
    if (!isComplete || !ends) return this.#miss(owner, startedAt, isComplete, balance)
    await this.#save(owner, startedAt, { readFrom: startedAt, balance, misses: 0 })
  }

  /** The ledger did not end with the member's balance, or could not be read. */
  #miss(
    owner: LedgerOwner,
    startedAt: number,
    isComplete = false,
    balance: number | null = null,
  ): Promise<void> {
    const misses = owner.state?.memberBalance === owner.balance ? owner.state.misses + 1 : 1
    return this.#save(owner, startedAt, { readFrom: isComplete ? startedAt : null, balance, misses })
  }

  async #save(
    { memberId, n, balance: memberBalance }: LedgerOwner,
    startedAt: number,
    state: { readonly readFrom: number | null; readonly balance: number | null; readonly misses: number },
  ): Promise<void> {
    const { time_zone: timeZone } = await this.#deps.settings.get("program")
    const now = await this.#loop.copy.now()
    const dueAt = nextLedgerRead({ misses: state.misses, n, now, timeZone })
    await this.#loop.copy.ledgers.setState(memberId, startedAt, { ...state, memberBalance, dueAt })
  }
}

/** A member's balance and ledger, read between two equal balances. */
export interface LedgerLook {
  readonly balance: number
  /** Points that await approval; null: the service did not say. */
  readonly pending: number | null
  readonly entries: readonly BookEntry[]
}

type ReadResponse = Pick<CachedResponse, "data" | "meta" | "requestedAt">

const balanceOperation = "GET /members/{member_id}/balance"
export const ledgerOperation = "GET /members/{member_id}/transactions"

/** Whether a read of another member may still succeed. */
function isAboutMember(error: unknown): boolean {
  if (!(error instanceof AppError)) return false
  const { code, details } = error
  if (code === "refused_by_service") return [400, 410, 422].includes(details?.upstream_status ?? 0)
  return code === "not_found" || code === "unreadable_answer" || code === "bad_request"
}

function balanceOf(steps: Parameters<typeof ledgerOrder>[0]): number | null {
  return steps.length === 0 ? 0 : (ledgerOrder(steps).at(-1)?.balance_after ?? null)
}

/** The entries in a response; those without a readable id are left out. */
function entriesIn(rows: unknown): Transaction[] {
  const entries = transactionListReader.tolerant.safeParse(rows).data ?? []
  return entries.filter((entry) => hasReadableKey(entry, "transaction_id"))
}
