import { queryOptions } from "@tanstack/react-query"
import type { JobRow } from "../../contract/job-rows.ts"
import { job, type Job } from "../../contract/job.ts"
import { limits } from "../../contract/limits.ts"
import type { Order, OrderListQuery } from "../../contract/program/order.ts"
import { type AuditPart, auditQuery } from "./audit.ts"
import { ApiError } from "./errors.ts"
import { registerTopic } from "./events.ts"
import { readJobRows } from "./jobs.ts"
import { ordersKey, readOrdersPage } from "./orders.ts"
import { type Answer, apiPath, request } from "./request.ts"
import { externalValue, type ExternalValue } from "../lib/external-value.ts"
import { millis } from "../lib/time.ts"
import * as z from "zod/mini"

/** What was read of orders that are wanted by their ids. */
export interface BookState {
  readonly orders: ReadonlyMap<string, Answer<Order>>
  /** The service has no orders of these ids. */
  readonly missing: ReadonlySet<string>
  readonly reading: boolean
  readonly error: Error | null
}

/** Reads orders by id, as cheaply as it can. */
export interface OrderBook {
  readonly state: ExternalValue<BookState>
  /** Reads orders that are not known yet, within the requests that need no asking. Those beyond stay unread. */
  readonly want: (ids: readonly string[]) => void
  /** Reads the rest of them too, a request each. */
  readonly wantAll: (ids: readonly string[]) => void
  /** Ends what is being read. */
  readonly stop: () => void
}

interface BookReads {
  readonly readPage: (query: OrderListQuery, signal: AbortSignal) => Promise<Answer<Order[]>>
  readonly readOne: (id: string, signal: AbortSignal) => Promise<Answer<Order>>
  /** A copy that is young enough; undefined without one. */
  readonly copyOf: (id: string) => Answer<Order> | undefined
}

/** Pages of waiting orders that are read, and orders that are read by themselves, without being asked for. */
const freeReads = { pages: 8, singles: 8 } as const

/** Requests that are made at most without being asked for, with one for the catalogue that says what is digital. */
export const mostReads = freeReads.pages + freeReads.singles + 1

/** A copy of an order that is older is read again, in ms. */
export const youngEnough = 120_000

/** Orders that wait for a parcel are the likeliest ones. */
const likely = ["processing", "pending"] as const

/**
 * Makes a book of orders: copies first, then pages of those that wait for a parcel (100 in one request), then one by
 * one. At most `freeReads` requests are made without being asked for.
 */
export function createOrderBook({ readPage, readOne, copyOf }: BookReads): OrderBook {
  const orders = new Map<string, Answer<Order>>()
  const missing = new Set<string>()
  const state = externalValue<BookState>(stateOf(false, null))
  /** Orders that a person asked to be read, whatever they cost. */
  const allowed = new Set<string>()
  let pagedAt = -Infinity
  let wanted: readonly string[] = []
  let running: AbortController | null = null

  function stateOf(reading: boolean, error: Error | null): BookState {
    return { orders: new Map(orders), missing: new Set(missing), reading, error }
  }

  const unread = () => wanted.filter((id) => !orders.has(id) && !missing.has(id))

  function takeCopies(): void {
    for (const id of unread()) {
      const copy = copyOf(id)
      if (copy !== undefined) orders.set(id, copy)
    }
  }

  async function readPages(signal: AbortSignal): Promise<void> {
    const perPage = limits.perPage.max
    const open = new Map(likely.map((status) => [status, 1]))
    for (let read = 0; read < freeReads.pages && open.size > 0 && unread().length > 0;) {
      for (const [status, page] of open) {
        if (unread().length === 0) break
        const answer = await readPage({ status, page, per_page: perPage }, signal)
        read += 1
        for (const order of answer.data) orders.set(order.order_id, { ...answer, data: order })
        if (answer.data.length < perPage) open.delete(status)
        else open.set(status, page + 1)
      }
      state.set(stateOf(true, null))
    }
    pagedAt = Date.now()
  }

  async function readSingles(ids: readonly string[], signal: AbortSignal): Promise<void> {
    for (const id of ids) {
      try {
        orders.set(id, await readOne(id, signal))
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 404) throw error
        missing.add(id)
      }
      state.set(stateOf(true, null))
    }
  }

  async function run(controller: AbortController): Promise<void> {
    try {
      takeCopies()
      if (unread().length > 0) state.set(stateOf(true, null))
      const paged = Date.now() - pagedAt < youngEnough
      if (!paged && unread().length > freeReads.singles) await readPages(controller.signal)
      const open = unread()
      const few = open.length <= freeReads.singles
      await readSingles(few ? open : open.filter((id) => allowed.has(id)), controller.signal)
      if (running === controller) state.set(stateOf(false, null))
    } catch (error) {
      if (running === controller) state.set(stateOf(false, error instanceof Error ? error : new Error("")))
    } finally {
      if (running === controller) running = null
    }
  }

  function want(ids: readonly string[]): void {
    wanted = [...new Set(ids)]
    running?.abort()
    running = new AbortController()
    void run(running)
  }

  return {
    state,
    want,
    wantAll(ids) {
      for (const id of ids) allowed.add(id)
      want(ids)
    },
    stop() {
      running?.abort()
      running = null
    },
  }
}

const rowsKey = ["order-rows"] as const

registerTopic("orders", rowsKey)

/** A row of one of our jobs that concerns an order. */
export interface OrderJobRow {
  readonly job: Job
  readonly row: JobRow
}

/** Rows that concern an order. */
interface OrderJobRows {
  readonly rows: readonly OrderJobRow[]
  /** Jobs that were looked through. */
  readonly jobs: number
}

/** Jobs of several orders that are looked through, newest first. */
const mostJobs = 10

/**
 * What our newest jobs of several orders did to one order; single changes stand in the audit log. All of it is the desk's
 * own: no upstream request.
 */
export function orderRowsQuery(orderId: string) {
  return queryOptions({
    queryKey: [...rowsKey, orderId],
    queryFn: async ({ signal }): Promise<OrderJobRows> => {
      const { data } = await request({
        path: apiPath("jobs"),
        query: { kind: "order-update", per_page: limits.perPage.max },
        schema: z.array(job),
        signal,
      })
      const several = data.filter(({ total, state }) => total > 1 && state !== "draft").slice(0, mostJobs)
      const found = await Promise.all(
        several.map(async (each) => {
          const page = { search: orderId, page: 1, per_page: limits.perPage.default }
          const { rows } = await readJobRows(each.id, page, signal)
          return rows
            .filter(({ input }) => input["order_id"] === orderId)
            .map((row): OrderJobRow => ({ job: each, row }))
        }),
      )
      return { rows: found.flat(), jobs: several.length }
    },
    gcTime: 60_000,
  })
}

/** What is waiting to be shipped, as far as it was read. */
export interface OrdersToShip {
  /** Pending and processing orders, oldest first; those known to be digital are not among them. */
  readonly orders: readonly Order[]
  /** Whether every one of them was read: both lists ended in a short page. */
  readonly complete: boolean
  /** When the older of the two lists was answered, in ms since the epoch. */
  readonly at: number
}

/** Statuses of orders that wait for a parcel. */
const waiting = ["pending", "processing"] as const

/** The first 100 pending and the first 100 processing orders: two upstream requests, none while they are fresh. */
export const ordersToShipQuery = toShipQuery(false)

/** The same, asked of the service itself, past every cache: on the refresh button. */
export const freshOrdersToShipQuery = toShipQuery(true)

function toShipQuery(fresh: boolean) {
  return queryOptions({
    queryKey: [...ordersKey, "to-ship"],
    queryFn: async ({ signal }): Promise<OrdersToShip> => {
      const perPage = limits.perPage.max
      const lists = await Promise.all(
        waiting.map((status) => readOrdersPage({ status, page: 1, per_page: perPage }, { signal, fresh })),
      )
      return {
        orders: lists.flatMap(({ data }) => data.filter(isParcel)).toSorted(oldestFirst),
        complete: lists.every(({ data }) => data.length < perPage),
        at: Math.min(...lists.map(({ at }) => at)),
      }
    },
  })
}

function isParcel(order: Order): boolean {
  return order.fulfillment?.type !== "digital"
}

/** Orders without a date stand last. */
function oldestFirst(one: Order, other: Order): number {
  const [a, b] = [timeOf(one), timeOf(other)]
  return a === b ? 0 : a < b ? -1 : 1
}

function timeOf({ created_at }: Order): number {
  const at = typeof created_at === "string" ? millis(created_at) : Number.NaN
  return Number.isNaN(at) ? Infinity : at
}

/** How often a move from one status to another was seen to be taken and refused. */
interface ObservedMove {
  readonly taken: number
  readonly refused: number
}

/** Moves by `from>to`, as far as the newest of our own changes show. */
export type ObservedMoves = ReadonlyMap<string, ObservedMove>

/** Parts of 50 entries that are looked through. */
const parts = 4

/**
 * Our own newest changes of single orders, 200 at most, from the audit log: no upstream request. `movesOf` reads the
 * observed moves from them.
 */
export const orderMovesQuery = { ...auditQuery({ action: "order.update" }, parts), staleTime: 5 * 60_000 }

/** Moves of order statuses as they were observed here: the service documents none (docs/api/program.md, States). */
export function movesOf({ entries }: AuditPart): ObservedMoves {
  const moves = new Map<string, ObservedMove>()
  for (const { changes, outcome } of entries) {
    const status = changes.find(({ field }) => field === "status")
    if (!status?.from || !status.to || status.from === status.to) continue
    const key = moveKey(status.from, status.to)
    const { taken, refused } = moves.get(key) ?? { taken: 0, refused: 0 }
    if (outcome === "done") moves.set(key, { taken: taken + 1, refused })
    if (outcome === "refused") moves.set(key, { taken, refused: refused + 1 })
  }
  return moves
}

/** Names a move. */
export function moveKey(from: string, to: string): string {
  return `${from.toLowerCase()}>${to.toLowerCase()}`
}
