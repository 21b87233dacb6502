import { type BookLine, type BookStatement, monthName } from "../../contract/books.ts"
import { type ActContext, entryOf } from "../audit/audit-log.ts"
import type { LocalCopy } from "../copy/local-copy.ts"
import type { SharedServices } from "../deps.ts"
import { conflict, notFound, stored } from "../errors.ts"
import { isoTimeOrNull } from "../runtime.ts"
import { dayAt } from "../../contract/zoned-days.ts"
import type { BookMonth, DifferenceRecord } from "./book-store.ts"
import { type Calculation, calculate, type Difference, statementOf } from "./calculate.ts"
import { checkDifferences, tidyDeparted } from "./check.ts"
import { monthAt, monthBefore, monthOf, monthsBetween, nextMonth } from "./months.ts"

type Deps = Pick<SharedServices, "audit" | "clock" | "events" | "log" | "settings" | "store" | "sync">

/** Months before the running one that are calculated while none is closed. */
const monthsShown = 12
/** An open month is calculated again when it is read after this time, ms. */
const freshMs = 120_000
/** How long the pages of a month's differences are of one calculation, ms. */
const pagesMs = 60_000
/** A calculation that takes longer is not waited for where there is an earlier one, ms. */
const shortMs = 500

/** The books: statements of months from the local copy (docs/books.md). */
export class Books {
  readonly #deps: Deps
  readonly #lag: () => Promise<number>
  readonly #stopped = new AbortController()
  #calculating: Promise<void> | undefined
  #checking: Promise<void> | undefined
  /** How long the last calculation took, ms. */
  #lastMs = Infinity
  /** The differences that were read last. */
  #listed:
    { readonly month: string; readonly at: number; readonly differences: readonly Difference[] } | undefined
  #closing: Promise<unknown> = Promise.resolve()
  #checkedDay = ""
  /** Members whom the last check could not read. */
  #left: readonly string[] = []

  /** `lag`: the delay of the history seen recently between a change and its entry, ms. */
  constructor(deps: Deps, lag: () => Promise<number>) {
    this.#deps = deps
    this.#lag = lag
  }

  stop(): void {
    this.#stopped.abort()
  }

  /** The duty: second looks that are due, and once a day of the program's time zone everything. */
  async run(signal: AbortSignal): Promise<void> {
    const { settings, sync } = this.#deps
    if (sync === undefined || sync.copy.kind === "memory" || !(await isComplete(sync))) return
    const { time_zone } = await settings.get("program")
    const day = dayAt(await sync.copy.now(), time_zone)
    const every = day !== this.#checkedDay
    await this.#check(sync, every, signal)
    if (every) await tidyDeparted({ ...this.#deps, copy: sync.copy })
    if (!signal.aborted) this.#checkedDay = day
  }

  /** Begins a check and does not wait for it. @throws AppError without books */
  checkNow(): void {
    const sync = this.#sync("Nothing was checked.")
    if (this.#checking !== undefined) return
    this.#checking = this.#check(sync, true, this.#stopped.signal)
      .catch((error: unknown) => this.#deps.log.warn({ err: error }, "a check of the books failed"))
      .finally(() => {
        this.#checking = undefined
      })
  }

  async #check(sync: LocalCopy, every: boolean, signal: AbortSignal): Promise<void> {
    const { store } = this.#deps
    const { time_zone } = await this.#deps.settings.get("program")
    const open = await this.#firstOpen()
    const monthOf = (at: number) => {
      const month = monthAt(at, time_zone)
      return open !== undefined && month < open ? open : month
    }
    const left = this.#left
    this.#left = []
    const end = await checkDifferences(
      { copy: sync.copy, lag: this.#lag, store, sync },
      { every, left, monthOf },
      signal,
    )
    this.#left = end.left
    if (end.isChanged || every) await this.#calculate(sync)
  }

  /** Newest month first. @throws AppError without books, 503 */
  async list(): Promise<BookLine[]> {
    const sync = this.#sync("Nothing was read.")
    await this.#calculatedOnce(sync)
    const { time_zone } = await this.#deps.settings.get("program")
    const now = await sync.copy.now()
    const running = monthAt(now, time_zone)
    await this.#refresh(sync, await this.#month(running))
    const months = await this.#months()
    const [members, isSynced] = [await sync.copy.members.count(), await isComplete(sync)]
    const first = months[0]?.month ?? running
    const byMonth = new Map(months.map((each) => [each.month, each]))
    const lines = monthsBetween(first, running, time_zone).map(async (span): Promise<BookLine> => {
      const { month, to } = span
      const known = byMonth.get(month)
      const shown = {
        closing: known?.statement.closing ?? null,
        unexplained: known?.statement.unexplained.entries ?? null,
      }
      if (known?.closedAt != null)
        return {
          month,
          state: "closed",
          coverage: known.statement.coverage,
          closed_at: isoTimeOrNull(known.closedAt),
          ...shown,
        }
      if (known !== undefined && isBefore(months, month))
        return { month, state: "before", coverage: known.statement.coverage, closed_at: null, ...shown }
      const since = await sync.copy.ledgers.readSince(to <= now ? to : 0)
      const coverage = {
        read: since.read,
        members,
        from: isoTimeOrNull(since.from),
        to: isoTimeOrNull(since.to),
      }
      const state = to > now ? "running" : isSynced && since.read >= members ? "ready" : "waiting"
      return { month, state, coverage, closed_at: null, ...shown }
    })
    return (await stored(Promise.all(lines))).toReversed()
  }

  /** @throws AppError without books, 404, 503 */
  async statement(month: string): Promise<BookStatement> {
    const sync = this.#sync("Nothing was read.")
    await this.#calculatedOnce(sync)
    const months = await this.#months()
    const known = months.find((each) => each.month === month)
    if (known === undefined) throw notFound("There are no books of this month. Choose a month of the list.")
    if (isBefore(months, month)) return { ...known.statement, state: "before" }
    await this.#refresh(sync, known)
    return (await this.#month(month))?.statement ?? known.statement
  }

  /** Calculates again when an open month is older than two minutes; a long calculation is not waited for. */
  async #refresh(sync: LocalCopy, known: BookMonth | undefined): Promise<void> {
    if (known?.closedAt !== null || this.#deps.clock.now() - known.calculatedAt <= freshMs) return
    const work = this.#calculate(sync)
    if (this.#lastMs <= shortMs) await stored(work)
    else this.#quietly(work)
  }

  /** Every difference of a month. @throws AppError without books, 404, 503 */
  async differences(month: string): Promise<readonly Difference[]> {
    const sync = this.#sync("Nothing was read.")
    await this.statement(month)
    const now = this.#deps.clock.monotonic()
    const last = this.#listed
    // A reader goes from page to page.
    if (last?.month === month && now - last.at < pagesMs) return last.differences
    const { differences } = await stored(this.#calculateMonths(sync, [month], month))
    this.#listed = { month, at: now, differences }
    return differences
  }

  /** Unexplained differences in months that are not closed. @throws AppError 503 */
  async unexplained(): Promise<DifferenceRecord[]> {
    const { store, sync } = this.#deps
    if (sync === undefined || sync.copy.kind === "memory") return []
    const found = await stored(store.books.differences(["unexplained"]))
    const counted = found.filter(({ secondAt }) => secondAt !== null)
    if (counted.length === 0) return []
    const open = (await this.#firstOpen()) ?? ""
    return counted.filter(({ month }) => month >= open)
  }

  /** Closes a month as a person accepted it. @throws AppError 404, 409, 503 */
  async close(requester: ActContext, month: string, notRead: number): Promise<BookStatement> {
    // One after the other in this process; the store refuses a second close by any other.
    const closing = this.#closing.then(() => this.#closeNext(requester, month, notRead))
    this.#closing = closing.catch(() => undefined)
    return closing
  }

  async #closeNext(requester: ActContext, month: string, notRead: number): Promise<BookStatement> {
    const nothing = "Nothing was closed."
    const name = monthName(month)
    const isClosedAlready = `${name} is closed already. ${nothing} Reload to see it.`
    const sync = this.#sync(nothing)
    const { audit, settings, store } = this.#deps
    const { time_zone } = await settings.get("program")
    await this.#calculatedOnce(sync)
    const months = await this.#months()
    const running = monthAt(await sync.copy.now(), time_zone)
    const known = months.find((each) => each.month === month)
    if (month >= running)
      throw conflict(`${name} isn’t over yet. ${nothing} Close it from 1 ${monthName(nextMonth(month))} on.`)
    if (known === undefined) throw notFound(`There are no books of this month. ${nothing}`)
    if (known.closedAt !== null) throw conflict(isClosedAlready)
    const [begin, lastClosed] = closedOnes(months)
    if (begin !== undefined && month < begin)
      throw conflict(
        `${name} is before the books began. ${nothing} They begin with ${monthName(begin)}, the first month that was closed.`,
      )
    if (lastClosed !== undefined && nextMonth(lastClosed) !== month)
      throw conflict(
        `Months are closed in order. ${nothing} Close ${monthName(nextMonth(lastClosed))} first.`,
      )
    if (!(await isComplete(sync)))
      throw conflict(`Not all members are synced. ${nothing} Try again once they are.`)
    const { at, months: totals } = await stored(this.#calculateMonths(sync, [month]))
    const [only] = totals
    if (only === undefined) throw notFound(`There are no books of this month. ${nothing}`)
    const unread = only.members - only.read
    if (unread !== notRead)
      throw conflict(
        unread === 0
          ? `Every ledger has been read by now. ${nothing} Look at the statement again, then close it.`
          : `${unread} ${unread === 1 ? "member’s ledger was" : "members’ ledgers were"} not read since the month ended. ${nothing} Wait until they are, or look at the statement again and accept that number.`,
      )
    const { user } = requester
    const closedBy = { id: user.id, name: user.name }
    const open = statementOf(only, { at, timeZone: time_zone, isComplete: true })
    const statement: BookStatement = { ...open, state: "closed", closed_by: closedBy }
    const record = { month, statement, calculatedAt: at, closedAt: at, closedBy }
    const act = () =>
      entryOf(requester, {
        action: "books.close",
        on: { kind: "month", id: month, label: month },
        outcome: "done",
        note: `${only.read} of ${only.members} ledgers read since`,
        changes: [{ field: "closing", from: null, to: String(only.closing) }],
      })
    const isClosed = await stored(
      audit.together(act, (entry) => store.books.close(record, only.basis, entry)),
    )
    if (!isClosed) throw conflict(isClosedAlready)
    await this.#forgetEntries(only.month.to, at)
    this.#changed()
    return statement
  }

  /** What was kept of members who left before a closed month ended is in its statement. */
  async #forgetEntries(before: number, resolvedAt: number): Promise<void> {
    const { store } = this.#deps
    const departed = (await stored(store.books.differences(["deleted"]))).filter(
      ({ firstAt }) => firstAt < before,
    )
    await stored(store.books.put(departed.map((one) => ({ ...one, resolvedAt, detail: {} }))))
  }

  /** Calculates every month that is not closed, and keeps it. */
  #calculate(sync: LocalCopy): Promise<void> {
    this.#calculating ??= this.#keepAll(sync).finally(() => {
      this.#calculating = undefined
    })
    return this.#calculating
  }

  async #keepAll(sync: LocalCopy): Promise<void> {
    const { clock, settings, store } = this.#deps
    const startedAt = clock.monotonic()
    const { time_zone } = await settings.get("program")
    const running = monthAt(await sync.copy.now(), time_zone)
    const months = await store.books.months()
    const isSynced = await isComplete(sync)
    // Members whom an emptied copy lacks were not deleted.
    if (!isSynced && months.length > 0) return
    const open = await this.#firstOpen()
    // Ledgers that are read later can reach further back.
    const back = monthsBack(running, monthsShown)
    const oldest = months[0]?.month ?? back
    const first = open ?? (oldest < back ? oldest : back)
    const wanted = monthsBetween(first, running, time_zone).map(({ month }) => month)
    const { at, months: totals, firstEntryAt } = await this.#calculateMonths(sync, wanted)
    const begin = open ?? monthAt(Math.min(firstEntryAt, at), time_zone)
    for (const each of totals) {
      const { month } = each.month
      if (month < begin && month !== running) continue
      const statement = statementOf(each, { at, timeZone: time_zone, isComplete: isSynced })
      await store.books.keep({ month, statement, calculatedAt: clock.now() })
    }
    this.#lastMs = clock.monotonic() - startedAt
    this.#changed()
  }

  async #calculateMonths(
    { copy }: LocalCopy,
    names: readonly string[],
    collect?: string,
  ): Promise<Calculation> {
    const { settings, store } = this.#deps
    const { time_zone } = await settings.get("program")
    const months = names.map((name) => monthOf(name, time_zone))
    const lastClosed = (await this.#months()).findLast(
      (each) => each.closedAt !== null && each.month < (names[0] ?? ""),
    )?.month
    const closedUntil = lastClosed === undefined ? undefined : monthOf(lastClosed, time_zone).to
    return calculate({ copy, store, months, closedUntil, ...(collect !== undefined && { collect }) })
  }

  async #calculatedOnce(sync: LocalCopy): Promise<void> {
    const { time_zone } = await this.#deps.settings.get("program")
    const running = monthAt(await sync.copy.now(), time_zone)
    if ((await this.#month(running)) === undefined) await stored(this.#calculate(sync))
  }

  #months(): Promise<BookMonth[]> {
    return stored(this.#deps.store.books.months())
  }

  async #month(month: string): Promise<BookMonth | undefined> {
    return (await this.#months()).find((each) => each.month === month)
  }

  /** The month after the last closed one; undefined: none is closed. */
  async #firstOpen(): Promise<string | undefined> {
    const [, last] = closedOnes(await this.#months())
    return last && nextMonth(last)
  }

  /** @throws AppError 409 where there are no books */
  #sync(nothing: string): LocalCopy {
    const { sync } = this.#deps
    if (sync === undefined)
      throw conflict(
        `There are no books, because the local copy is off. ${nothing} An administrator changes SYNC.`,
      )
    if (sync.copy.kind === "memory")
      throw conflict(
        `There are no books, because the local copy is only in memory. ${nothing} An administrator changes SYNC_STORE.`,
      )
    return sync
  }

  #quietly(work: Promise<unknown>): void {
    work.catch((error: unknown) => this.#deps.log.warn({ err: error }, "the books could not be calculated"))
  }

  #changed(): void {
    this.#listed = undefined
    this.#deps.events.publish({ topic: "copy", id: "books" })
  }
}

/** The first and the last closed month. */
function closedOnes(months: readonly BookMonth[]) {
  const closed = months.filter(({ closedAt }) => closedAt !== null).map(({ month }) => month)
  return [closed[0], closed.at(-1)] as const
}

/** Whether the books begin with a later month: they do with the first one that was closed. */
function isBefore(months: readonly BookMonth[], month: string): boolean {
  const [first] = closedOnes(months)
  return first !== undefined && month < first
}

function monthsBack(month: string, count: number): string {
  let back = month
  for (let each = 0; each < count; each += 1) back = monthBefore(back)
  return back
}

/** Every member is in the copy, and nothing waits for a person. */
async function isComplete({ copy }: LocalCopy): Promise<boolean> {
  const { complete, held } = await stored(copy.members.progress())
  return complete && held === null
}
