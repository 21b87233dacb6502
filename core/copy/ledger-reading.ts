import { addDays, addMonths, dayAt, startOfDay } from "../../contract/zoned-days.ts"
import { addPage, startSweep, type Sweep } from "./sweep.ts"

// The rules of reading ledgers (docs/local-copy.md, Ledgers).

/** Entries may be booked with an earlier time than the newest one, ms. */
const overlapMs = 900_000

/** How one member's ledger is read. */
export interface LedgerReading {
  readonly memberId: string
  /** On the copy's clock. */
  readonly startedAt: number
  /** Pages of all entries: the first one has the total. */
  readonly all: Sweep
  /** Time of the newest entry, where the copy had the whole ledger before: later ones are enough then. */
  readonly newestAt: number | undefined
  /** Pages of the entries since then. */
  recent: Sweep | undefined
}

export function startLedger(
  memberId: string,
  startedAt: number,
  newestAt: number | undefined,
): LedgerReading {
  return { memberId, startedAt, all: startSweep(startedAt), newestAt, recent: undefined }
}

/** The page to read next, with the time it begins at if not with the first entry, ms. */
export function nextLedgerPage({ all, newestAt, recent }: LedgerReading): {
  readonly page: number
  readonly from?: number
} {
  if (recent === undefined || newestAt === undefined) return { page: all.pages + 1 }
  return { page: recent.pages + 1, from: newestAt - overlapMs }
}

/** Adds that page and returns whether it was the last one. `held`: entries in the copy, with those of this page. */
export function addLedgerPage(
  reading: LedgerReading,
  page: Parameters<typeof addPage>[1],
  held: number,
): boolean {
  const { all, newestAt, recent } = reading
  if (recent === undefined) {
    if (addPage(all, page)) return true
    if (all.pages > 1 || newestAt === undefined) return false
    reading.recent = startSweep(reading.startedAt)
    return held === all.total
  }
  if (!addPage(recent, page)) return false
  if (held === all.total) return true
  // An entry has an earlier time, or one was removed: the other pages show which.
  reading.recent = undefined
  return false
}

/** Whether every entry was seen, so that others the copy holds are no longer there. */
export function hasEveryEntry({ all }: LedgerReading): boolean {
  return !all.moved && (all.total === undefined || all.seen.size === all.total)
}

const againMs = [60_000, 600_000, 3_600_000] as const
const nights = 7

/**
 * When a ledger is read again, ms. `misses`: reads in a row after which it did not end with the member's balance; then
 * soon, and later nightly. Otherwise in one night of seven, because changes that add up to nothing show nowhere, and in
 * the first night of a month.
 */
export function nextLedgerRead(of: {
  readonly misses: number
  /** The member's number in the copy, which spreads members over the nights. */
  readonly n: number
  readonly now: number
  readonly timeZone: string
}): number {
  const { misses, n, now, timeZone } = of
  const soon = againMs[misses - 1]
  if (soon !== undefined) return now + soon
  const tomorrow = addDays(dayAt(now, timeZone), 1)
  if (misses > 0) return startOfDay(tomorrow, timeZone)
  const dayNumber = Date.parse(tomorrow) / 86_400_000
  const night = addDays(tomorrow, (((n - dayNumber) % nights) + nights) % nights)
  // A month of the books closes with ledgers that were read after its end.
  const monthEnd = `${tomorrow.slice(0, 7)}-01` === tomorrow ? tomorrow : addMonths(tomorrow, 1)
  return startOfDay(night < monthEnd ? night : monthEnd, timeZone)
}
