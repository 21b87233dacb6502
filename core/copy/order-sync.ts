import type { SyncStatus } from "../../contract/copy.ts"
import { limits } from "../../contract/limits.ts"
import { timeOf } from "../../contract/program/common.ts"
import { type Order, orderListReader } from "../../contract/program/order.ts"
import { hasReadableKey } from "../../contract/reading.ts"
import type { CachedResponse } from "../cache/cache.ts"
import { AppError } from "../errors.ts"
import { planById } from "../gateway/upstream-read.ts"
import { encodeId } from "../match.ts"
import { isoTimeOrNull } from "../runtime.ts"
import type { OrderProgress, OrderShape } from "./copy-store.ts"
import type { KindSync, LoopDeps, SyncLoop } from "./sync-loop.ts"

/** Open orders, page 1 where new ones come first, and all pages, at least so often, ms. */
const openEveryMs = 300_000
const pollEveryMs = 60_000
const passEveryMs = 24 * 3_600_000

/** What is read page by page: all orders, or those of the open statuses one after the other. */
interface Reading {
  readonly kind: "all" | "open"
  readonly startedAt: number
  /** Statuses whose pages are still to be read; undefined: all. */
  readonly statuses: (string | undefined)[]
  readonly seen: Set<string>
  page: number
  /** Creation times of the rows of the first pages, in the service's order. */
  readonly times: number[]
}

/**
 * Keeps the copy of the orders current. They have no total and none is deleted, so only new ones shift pages, and no
 * order that existed is missed (docs/local-copy.md, Orders).
 */
export class OrderSync implements KindSync {
  readonly #loop: SyncLoop
  readonly #unsubscribe: () => void
  #reading: Reading | undefined
  /** Orders to read alone: changed by a write without a usable response, or no longer open. */
  readonly #wanted = new Set<string>()
  #openDue = false
  #passDue = false
  #polledAt = -Infinity

  constructor(deps: Pick<LoopDeps, "events">, loop: SyncLoop) {
    this.#loop = loop
    this.#unsubscribe = deps.events.subscribe(({ topic, id, order }) => {
      // With what the order has now, its record was in the response.
      if (topic !== "orders" || order !== undefined || !loop.isRunning) return
      if (id === "all") this.#openDue = true
      else this.#wanted.add(id)
      loop.wake()
    })
  }

  /** A response to a read: what it holds is put into the copy. */
  read(operation: string, { data, requestedAt }: Pick<CachedResponse, "data" | "requestedAt">): void {
    const shape = shapeOf(operation)
    const orders = shape === undefined ? [] : ordersIn(shape === "list" ? data : [data])
    if (shape !== undefined && orders.length > 0)
      this.#loop.quietly(async () => this.#put(orders, shape, await this.#loop.copyTime(requestedAt)))
  }

  /** The response to a write of ours. It is younger than any read that was sent before it came. */
  written(data: unknown): void {
    const orders = ordersIn([data])
    if (orders.length > 0)
      this.#loop.quietly(async () => this.#put(orders, "one", (await this.#loop.copy.now()) + 1))
  }

  /** A person asks for newer data than the last reading of the open orders has. */
  passNow(): void {
    this.#openDue = true
    this.#polledAt = -Infinity
    this.#loop.wake()
  }

  /** Whether orders are being read, or are due; known to the instance that runs it only. */
  get isSweeping(): boolean {
    return this.#loop.isRunning && (this.#openDue || this.#passDue || this.#reading !== undefined)
  }

  async status(): Promise<SyncStatus> {
    const { orders } = this.#loop.copy
    const [{ complete, syncedAt }, live] = await Promise.all([orders.progress(), orders.count()])
    return { live, total: null, complete, synced_at: isoTimeOrNull(syncedAt), held: null }
  }

  stop(): void {
    this.#unsubscribe()
  }

  restart(): void {
    this.#reading = undefined
    this.#wanted.clear()
  }

  async step(signal: AbortSignal): Promise<number> {
    const { copy, clock } = this.#loop
    const progress = await copy.orders.progress()
    const [wanted] = this.#wanted
    if (wanted !== undefined) return this.#readWanted(wanted, signal)
    const now = await copy.now()
    if (this.#reading === undefined) {
      const openInMs = this.#openDue ? 0 : (progress.openFrom ?? -Infinity) + openEveryMs - now
      const passInMs =
        this.#passDue || !progress.complete ? 0 : (progress.sweptFrom ?? -Infinity) + passEveryMs - now
      const pollInMs = progress.newestFirst ? this.#polledAt + pollEveryMs - clock.monotonic() : Infinity
      const waitMs = Math.min(openInMs, passInMs, pollInMs)
      if (waitMs > 0) return waitMs
      if (openInMs <= 0) this.#start("open", now)
      else if (passInMs <= 0) this.#start("all", now)
    }
    if (this.#reading !== undefined) await this.#readNext(this.#reading, signal)
    else {
      this.#polledAt = clock.monotonic()
      await this.#readPage(undefined, 1, signal)
    }
    return 0
  }

  #start(kind: Reading["kind"], startedAt: number): void {
    if (kind === "open") this.#openDue = false
    else this.#passDue = false
    const statuses = kind === "all" ? [undefined] : ["pending", "processing"]
    this.#reading = { kind, startedAt, statuses, seen: new Set(), page: 1, times: [] }
  }

  async #readNext(reading: Reading, signal: AbortSignal): Promise<void> {
    const orders = await this.#readPage(reading.statuses[0], reading.page, signal)
    const before = reading.seen.size
    for (const { order_id } of orders) reading.seen.add(order_id)
    if (reading.page <= 2) reading.times.push(...orders.flatMap(({ created_at }) => timeOf(created_at) ?? []))
    reading.page += 1
    // A service that repeats a page has no more rows; a short page alone is no end.
    if (reading.seen.size > before) return
    reading.statuses.shift()
    reading.page = 1
    if (reading.statuses.length > 0) return
    this.#reading = undefined
    await this.#finish(reading)
  }

  async #finish({ kind, seen, startedAt, times }: Reading): Promise<void> {
    const { copy } = this.#loop
    const { orders } = copy
    const progress = await orders.progress()
    const syncedAt = await copy.now()
    let next: OrderProgress
    if (kind === "open") {
      // Shipped or cancelled elsewhere: only their own records say so.
      for (const id of await orders.openBefore(startedAt)) if (!seen.has(id)) this.#wanted.add(id)
      next = { ...progress, openFrom: startedAt, syncedAt }
    } else {
      const newestFirst = times.length > 1 && times.every((at, index) => at <= (times[index - 1] ?? Infinity))
      next = { ...progress, complete: true, sweptFrom: startedAt, syncedAt, newestFirst }
    }
    await orders.setProgress(next)
    this.#loop.changed("orders")
  }

  async #readPage(status: string | undefined, page: number, signal: AbortSignal): Promise<Order[]> {
    const filter = status === undefined ? {} : { status }
    const plan = planById(listOperation, {}, { page, per_page: limits.perPage.max, ...filter })
    const { data, requestedAt } = await this.#loop.fetch(plan, signal)
    const orders = ordersIn(data)
    await this.#put(orders, "list", await this.#loop.copyTime(requestedAt))
    return orders
  }

  async #readWanted(id: string, signal: AbortSignal): Promise<number> {
    const { copy } = this.#loop
    if (this.#wanted.size > Math.max(1, (await copy.orders.count()) / limits.perPage.max)) {
      // All pages are fewer requests.
      this.#wanted.clear()
      this.#passDue = true
      return 0
    }
    const requestedAt = this.#loop.clock.monotonic()
    try {
      if (encodeId(id) !== undefined) {
        const response = await this.#loop.fetch(planById(orderOperation, { order_id: id }), signal)
        await this.#put(ordersIn([response.data]), "one", await this.#loop.copyTime(response.requestedAt))
      }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      if (error.code === "not_found") await copy.orders.drop([id], await this.#loop.copyTime(requestedAt))
      else if (error.code !== "unreadable_answer") throw error
    }
    this.#wanted.delete(id)
    return 0
  }

  async #put(orders: readonly Order[], shape: OrderShape, asOf: number): Promise<void> {
    const records = orders.map((record) => ({ record, asOf }))
    if ((await this.#loop.copy.orders.put(records, shape)) > 0) this.#loop.changed("orders")
  }
}

const listOperation = "GET /orders"
const orderOperation = "GET /orders/{order_id}"

function shapeOf(operation: string): OrderShape | undefined {
  return operation === listOperation ? "list" : operation === orderOperation ? "one" : undefined
}

/** The orders in a response; those without a readable id are left out. */
function ordersIn(rows: unknown): Order[] {
  const orders = orderListReader.tolerant.safeParse(rows).data ?? []
  return orders.filter((order) => hasReadableKey(order, "order_id"))
}
