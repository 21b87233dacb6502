import * as z from "zod/mini"
import { orderKinds } from "../../contract/job-kinds.ts"
import { limits } from "../../contract/limits.ts"
import { plainNumber, type ShippedToday, type UsedNumbers } from "../../contract/orders.ts"
import { type Order, orderReader, shipmentOf } from "../../contract/program/order.ts"
import type { CachedResponse } from "../cache/cache.ts"
import { stored } from "../errors.ts"
import type { JobRecord, JobStore } from "../jobs/job-store.ts"
import { isSingleOrShipDesk } from "../jobs/job-record.ts"
import type { Clock } from "../ports.ts"
import { isoTimeOrNull } from "../runtime.ts"

export type OrderUpdates = ReturnType<typeof createOrderUpdates>

interface GivenNumber {
  readonly orderId: string
  readonly number: string
  /** Of the order's other parcels. */
  readonly also?: readonly string[]
  readonly carrier: string | undefined
  /** null: seen on a cached order. */
  readonly job: string | null
  /** ms since 1970. */
  readonly at: number
}

/** What our own rows gave orders, and the cached orders have; asks no service. @throws AppError when the store fails */
export function createOrderUpdates(
  jobs: Pick<JobStore, "list" | "rowsIn">,
  clock: Clock,
  cached: () => readonly CachedResponse[],
) {
  const inJobs = numbersInJobs(jobs, clock)
  /** Orders, other than `except`, that tracking numbers are used on. */
  async function used(numbers: readonly string[], except: string | undefined): Promise<UsedNumbers> {
    const rows = await stored(inJobs())
    const seen = [...cachedOrders(cached())].map(([orderId, { order, at }]): GivenNumber => {
      const { tracking_number: number = "", carrier } = shipmentOf(order)
      return { orderId, number, carrier, job: null, at }
    })
    const seenByNumber = byNumber(seen)
    const used = numbers.flatMap((number) => {
      const plain = plainNumber(number)
      // "-" is no tracking number, and would match every order without one.
      if (plain === "") return []
      const given = rows.byNumber.get(plain) ?? []
      const known = new Set(given.map(({ orderId }) => orderId))
      const others = (seenByNumber.get(plain) ?? []).filter(({ orderId }) => !known.has(orderId))
      return [...given, ...others]
        .filter(({ orderId }) => orderId !== except)
        .map(({ orderId, carrier, job, at }) => {
          const where = job === null ? ("order" as const) : ("job" as const)
          return { number, order_id: orderId, carrier, where, job, at: new Date(at).toISOString() }
        })
    })
    const oldest = isoTimeOrNull(seen.length === 0 ? null : Math.min(...seen.map(({ at }) => at)))
    const since = isoTimeOrNull(rows.since)
    return { used, looked: { rows: rows.count, since, orders: seen.length, oldest_order_copy: oldest } }
  }

  /** Orders that confirmed rows shipped since a time (ms) and none set back; the last one first. */
  async function shippedSince(from: number): Promise<ShippedToday["orders"]> {
    const rows = await stored(inJobs())
    return rows.updates
      .filter(({ shipped, at }) => shipped && at >= from)
      .toSorted((one, other) => other.at - one.at)
      .map(({ orderId, number, carrier, at, by }) => {
        return { order_id: orderId, tracking_number: number, carrier, at: new Date(at).toISOString(), by }
      })
  }

  return { used, shippedSince }
}

function* withFurtherNumbers(given: Iterable<GivenNumber>): Generator<GivenNumber> {
  for (const one of given) {
    yield one
    for (const number of one.also ?? []) yield { ...one, number }
  }
}

function byNumber(given: Iterable<GivenNumber>): ReadonlyMap<string, readonly GivenNumber[]> {
  return Map.groupBy(given, ({ number }) => plainNumber(number))
}

/** Limits of the search, newest first: age in ms, jobs and rows. */
const furthestMs = 90 * 86_400_000
const most = { jobs: 2000, rows: 50_000 }
const rowsAtOnce = 1000
/** A job that is not finished is read again no sooner than this, ms. */
const againMs = 5000
const updateInput = z.object({
  order_id: z.string(),
  status: z.optional(z.string()),
  tracking_number: z.optional(z.string()),
  carrier: z.optional(z.string()),
  also: z.optional(z.array(z.string())),
})

/** What a confirmed row made of an order's status; `shipped` is undefined where it only set a number or a carrier. */
interface StatusUpdate {
  readonly orderId: string
  readonly shipped: boolean | undefined
  readonly number: string | null
  readonly carrier: string | null
  /** When its call ended, ms since 1970. */
  readonly at: number
  readonly by: string
}

interface KnownJob {
  /** Changes with everything that can change its rows' numbers. */
  readonly version: string
  readonly readAt: number
  readonly createdAt: number
  readonly given: readonly GivenNumber[]
  readonly updates: readonly StatusUpdate[]
  readonly count: number
}

/** The latest numbers that our rows gave orders; unchanged jobs are not read again. */
function numbersInJobs(jobs: Pick<JobStore, "list" | "rowsIn">, clock: Clock) {
  const known = new Map<string, KnownJob>()
  let last: ReturnType<typeof summary> | undefined

  async function readJob(job: JobRecord): Promise<KnownJob> {
    const { id, createdAt, createdBy } = job
    const given: GivenNumber[] = []
    const updates: StatusUpdate[] = []
    let count = 0
    for (let after = 0; count < most.rows;) {
      const states = ["planned", "sent", "confirmed", "unknown", "absent", "conflict"] as const
      const page = await jobs.rowsIn(id, states, after, rowsAtOnce)
      for (const { input, state, sentAt, endedAt } of page) {
        const update = updateInput.safeParse(input).data
        if (update === undefined) continue
        const { order_id: orderId, status, tracking_number: number, carrier = null, also = [] } = update
        if (number !== undefined)
          given.push({
            orderId,
            number,
            also,
            carrier: carrier ?? undefined,
            job: id,
            at: sentAt ?? createdAt,
          })
        if (state !== "confirmed") continue
        const [at, by] = [endedAt ?? createdAt, createdBy.name]
        const shipped = status === undefined ? undefined : status === "shipped"
        updates.push({ orderId, shipped, number: number ?? null, carrier, at, by })
      }
      count += page.length
      after = page.at(-1)?.row ?? 0
      if (page.length < rowsAtOnce) break
    }
    return { version: versionOf(job), readAt: clock.monotonic(), createdAt, given, updates, count }
  }

  /** Reads what is new or has changed, and says whether anything has. */
  async function refresh(): Promise<boolean> {
    let changed = false
    const from = clock.now() - furthestMs
    const perPage = limits.perPage.max
    let count = 0
    let before: string | undefined
    for (let seen = 0; seen < most.jobs && count < most.rows;) {
      const found = await jobs.list({ kinds: orderKinds, from, before, perPage })
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

  function summary() {
    const latest = new Map<string, GivenNumber>()
    const made: StatusUpdate[] = []
    let count = 0
    let since: number | null = null
    for (const [id, job] of known) {
      if (job.createdAt < clock.now() - furthestMs) {
        known.delete(id)
        continue
      }
      count += job.count
      since = Math.min(since ?? Infinity, job.createdAt)
      for (const one of job.given) {
        if ((latest.get(one.orderId)?.at ?? -Infinity) <= one.at) latest.set(one.orderId, one)
      }
      made.push(...job.updates)
    }
    const updates = new Map<string, StatusUpdate>()
    for (const one of made.toSorted((a, b) => a.at - b.at)) {
      const before = updates.get(one.orderId)
      if (one.shipped !== undefined) updates.set(one.orderId, one)
      // A number that was corrected later is that of the same parcel.
      else if (before !== undefined) {
        const [number, carrier] = [one.number ?? before.number, one.carrier ?? before.carrier]
        updates.set(one.orderId, { ...before, number, carrier })
      }
    }
    return {
      count,
      since,
      byNumber: byNumber(withFurtherNumbers(latest.values())),
      updates: [...updates.values()],
    }
  }

  return async () => {
    const changed = await refresh()
    if (changed || last === undefined) last = summary()
    return last
  }
}

function versionOf(job: JobRecord): string {
  const { state, total, finishedAt, counts } = job
  // A parcel's row is confirmed before its job is done.
  const confirmed = isSingleOrShipDesk(job) ? counts.confirmed : ""
  return [state, total, finishedAt, counts.failed, confirmed].join(" ")
}

/** Parsed orders; a cached response is the same object until a newer one replaces it. */
const parsed = new WeakMap<object, Order | "none">()

/** The newest cached response of each order, as a single record or as a list row. */
export function cachedOrders(
  cached: readonly CachedResponse[],
): Map<string, { readonly order: Order; readonly at: number }> {
  const youngest = new Map<string, { readonly order: Order; readonly at: number }>()
  for (const { data, at } of cached) {
    for (const raw of Array.isArray(data) ? (data as readonly unknown[]) : [data]) {
      if (typeof raw !== "object" || raw === null) continue
      const order = parsed.get(raw) ?? orderReader.tolerant.safeParse(raw).data ?? "none"
      parsed.set(raw, order)
      if (order === "none" || (youngest.get(order.order_id)?.at ?? -Infinity) > at) continue
      youngest.set(order.order_id, { order, at })
    }
  }
  return youngest
}
