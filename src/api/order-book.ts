import { limits } from "../../contract/limits.ts"
import type { Order, OrderListQuery } from "../../contract/program/order.ts"
import { externalValue, type ExternalValue } from "../lib/external-value.ts"
import { ApiError } from "./errors.ts"
import type { Answer } from "./request.ts"

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
