import * as z from "zod/mini"
import { limits } from "../../contract/limits.ts"
import type { UsedNumbers } from "../../contract/orders.ts"
import { orderReader, shipmentOf } from "../../contract/program/order.ts"
import type { CachedResponse } from "../cache/cache.ts"
import { stored } from "../errors.ts"
import type { JobRecord, JobStore, RowRecord } from "../jobs/job-store.ts"
import type { Clock } from "../ports.ts"
import { isoTimeOrNull } from "../runtime.ts"

/** A tracking number as it is compared: spaces, hyphens and the case of letters do not make another one. */
export function plainNumber(number: string): string {
  return number.replaceAll(/[^\p{L}\p{N}]/gu, "").toUpperCase()
}

export type TrackingNumbers = ReturnType<typeof createTrackingNumbers>

interface GivenNumber {
  readonly orderId: string
  readonly number: string
  /** null: seen on a cached order. */
  readonly job: string | null
  /** ms since 1970. */
  readonly at: number
}

/** Finds the orders that tracking numbers are used on, in our own rows and the cached orders; asks no service. */
export function createTrackingNumbers(
  jobs: Pick<JobStore, "list" | "rowsIn">,
  clock: Clock,
  cached: () => readonly CachedResponse[],
) {
  const inJobs = numbersInJobs(jobs, clock)
  return {
    /** Orders other than `except`. @throws AppError when the store fails */
    async used(numbers: readonly string[], except: string | undefined): Promise<UsedNumbers> {
      const rows = await stored(inJobs())
      const seen = numbersInCache(cached())
      const seenByNumber = byNumber(seen.values())
      return {
        used: numbers.flatMap((number) => {
          const plain = plainNumber(number)
          const given = rows.byNumber.get(plain) ?? []
          const known = new Set(given.map(({ orderId }) => orderId))
          const others = (seenByNumber.get(plain) ?? []).filter(({ orderId }) => !known.has(orderId))
          return [...given, ...others]
            .filter(({ orderId }) => orderId !== except)
            .map(({ orderId, job, at }) => ({
              number,
              order_id: orderId,
              where: job === null ? ("order" as const) : ("job" as const),
              job,
              at: new Date(at).toISOString(),
            }))
        }),
        looked: {
          rows: rows.count,
          since: isoTimeOrNull(rows.since),
          orders: seen.size,
          oldest_order_copy: isoTimeOrNull(
            seen.size === 0 ? null : Math.min(...[...seen.values()].map(({ at }) => at)),
          ),
        },
      }
    },
  }
}

function byNumber(given: Iterable<GivenNumber>): ReadonlyMap<string, readonly GivenNumber[]> {
  return Map.groupBy(given, ({ number }) => plainNumber(number))
}

/** So far back is searched, and through so many jobs and rows, newest first. */
const furthestMs = 90 * 86_400_000
const most = { jobs: 2000, rows: 50_000 }
const rowsAtOnce = 1000
const againMs = 5000

interface NumbersInJobs {
  readonly byNumber: ReadonlyMap<string, readonly GivenNumber[]>
  readonly count: number
  /** ms since 1970; null without any. */
  readonly since: number | null
}

interface KnownJob {
  /** Changes with everything that can change its rows' numbers. */
  readonly version: string
  readonly readAt: number
  readonly createdAt: number
  readonly given: readonly GivenNumber[]
  readonly count: number
}

function numbersInJobs(jobs: Pick<JobStore, "list" | "rowsIn">, clock: Clock): () => Promise<NumbersInJobs> {
  const known = new Map<string, KnownJob>()
  let last: NumbersInJobs | undefined

  async function readJob(job: JobRecord): Promise<KnownJob> {
    const given: GivenNumber[] = []
    let count = 0
    for (let after = 0; count < most.rows;) {
      const page = await jobs.rowsIn(
        job.id,
        ["planned", "sent", "confirmed", "unknown", "absent", "conflict"],
        after,
        rowsAtOnce,
      )
      for (const row of page) given.push(...givenBy(job, row))
      count += page.length
      after = page.at(-1)?.row ?? 0
      if (page.length < rowsAtOnce) break
    }
    return { version: versionOf(job), readAt: clock.monotonic(), createdAt: job.createdAt, given, count }
  }

  /** Reads what is new or has changed, and says whether anything has. */
  async function refresh(): Promise<boolean> {
    let changed = false
    const from = clock.now() - furthestMs
    const perPage = limits.perPage.max
    let count = 0
    let before: string | undefined
    for (let seen = 0; seen < most.jobs && count < most.rows;) {
      const found = await jobs.list({ kind: "order-update", from, before, perPage })
      let fresh = 0
      for (const job of found.slice(0, perPage)) {
        const old = known.get(job.id)
        const isSame = old?.version === versionOf(job)
        const isOpen = job.state !== "done" && job.state !== "cancelled"
        const due = old === undefined || !isSame || (isOpen && clock.monotonic() - old.readAt > againMs)
        const entry = due ? await readJob(job) : old
        changed ||= due
        known.set(job.id, entry)
        count += entry.count
        if (!isSame) fresh += 1
        seen += 1
      }
      before = found.at(perPage - 1)?.id
      if (found.length <= perPage || fresh === 0) break
    }
    return changed
  }

  function summary(): NumbersInJobs {
    const latest = new Map<string, GivenNumber>()
    let count = 0
    let since: number | null = null
    for (const [id, job] of known) {
      if (job.createdAt < clock.now() - furthestMs) {
        known.delete(id)
        continue
      }
      count += job.count
      since = Math.min(since ?? Infinity, job.createdAt)
      for (const one of job.given) putLatest(latest, one)
    }
    return { count, since, byNumber: byNumber(latest.values()) }
  }

  return async () => {
    const changed = await refresh()
    if (changed || last === undefined) last = summary()
    return last
  }
}

function versionOf({ state, total, finishedAt, counts }: JobRecord): string {
  return [state, total, finishedAt, counts.failed].join(" ")
}

const numbered = z.object({ order_id: z.string(), tracking_number: z.string() })

function givenBy({ id, createdAt }: JobRecord, { input }: RowRecord): GivenNumber[] {
  const read = numbered.safeParse(input)
  if (!read.success) return []
  const { order_id: orderId, tracking_number: number } = read.data
  return [{ orderId, number, job: id, at: createdAt }]
}

function putLatest(latest: Map<string, GivenNumber>, one: GivenNumber): void {
  const other = latest.get(one.orderId)
  if (other === undefined || other.at <= one.at) latest.set(one.orderId, one)
}

function numbersInCache(cached: readonly CachedResponse[]): ReadonlyMap<string, GivenNumber> {
  const seen = new Map<string, GivenNumber>()
  for (const { data, at } of cached) {
    for (const raw of Array.isArray(data) ? (data as readonly unknown[]) : [data]) {
      const order = numberIn(raw)
      if (order !== undefined) putLatest(seen, { ...order, job: null, at })
    }
  }
  return seen
}

type OrderNumber = Pick<GivenNumber, "orderId" | "number">

/** Orders that were parsed; a cached response is the same object as long as no younger one came. */
const parsed = new WeakMap<object, OrderNumber | "none">()

function numberIn(raw: unknown): OrderNumber | undefined {
  if (typeof raw !== "object" || raw === null) return undefined
  const before = parsed.get(raw)
  if (before !== undefined) return before === "none" ? undefined : before
  const order = orderReader.tolerant.safeParse(raw).data
  const found = order && { orderId: order.order_id, number: shipmentOf(order).tracking_number ?? "" }
  parsed.set(raw, found ?? "none")
  return found
}
