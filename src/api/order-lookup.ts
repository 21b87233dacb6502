import { type QueryClient, useQueryClient } from "@tanstack/react-query"
import { useEffect, useMemo } from "react"
import { limits } from "../../contract/limits.ts"
import type { Order, OrderListQuery } from "../../contract/program/order.ts"
import { ApiError } from "../lib/errors.ts"
import { isShortForm, namedOrder, orderFinder } from "../lib/order-ids.ts"
import { orderQuery, ordersInCache, ordersQuery } from "./orders.ts"
import type { ApiResponse } from "./request.ts"
import { externalValue } from "../lib/external-value.ts"
import { useExternalValue } from "../ui/hooks.ts"

/** Most automatic requests: pages of waiting orders, and single orders. */
const free = { pages: 8, singles: 20 } as const

/** Maximum age of a cached order, in ms. */
const freshFor = 120_000

/** Orders that wait for a parcel are the most likely matches. */
const likely = ["processing", "pending"] as const

/**
 * Known orders by the ids or short forms (`#20411`) that are looked up. `missing`: the service has no order with this
 * id. `several`: the ids that match a short form.
 */
interface LookupState {
  readonly orders: ReadonlyMap<string, ApiResponse<Order>>
  readonly missing: ReadonlySet<string>
  readonly several: ReadonlyMap<string, readonly string[]>
  readonly reading: boolean
  readonly error: Error | null
}

/** Orders by id, with the actions to read more of them. */
export interface LookedUpOrders extends LookupState {
  /** Neither read nor known to be missing. */
  readonly unread: readonly string[]
  /** Reads those too, one request each. */
  readonly readRest: () => void
  /** Retries failed reads. */
  readonly retry: () => void
}

/** Reads orders by id or short form in few requests. @param ids must be referentially stable */
export function useOrderLookup(ids: readonly string[]): LookedUpOrders {
  const client = useQueryClient()
  const lookup = useMemo(() => createOrderLookup(readsOf(client)), [client])
  const state = useExternalValue(lookup.state)
  useEffect(() => {
    if (ids.length > 0) lookup.want(ids)
    return lookup.stop
  }, [lookup, ids])
  const isKnown = (id: string) => state.orders.has(id) || state.missing.has(id) || state.several.has(id)
  const unread = ids.filter((id) => !isKnown(id))
  return { ...state, unread, readRest: () => lookup.wantAll(ids), retry: () => lookup.want(ids) }
}

function readsOf(client: QueryClient): Parameters<typeof createOrderLookup>[0] {
  return {
    readPage: (query) => client.fetchQuery(ordersQuery(query)),
    readOne: (id) => client.fetchQuery(orderQuery(id)),
    cached(id) {
      const cached = client.getQueryData(orderQuery(id).queryKey)
      return cached !== undefined && Date.now() - cached.at < freshFor ? cached : undefined
    },
    example: () => ordersInCache(client)[0]?.order_id,
  }
}

/**
 * Looks orders up: in the cache, then in pages of those that wait for a parcel (100 per request), then one by one. A
 * short form matches if exactly one known order fits. `want` makes at most `free` requests, `wantAll` has no limit. A
 * read that is no longer wanted is completed, because other requests may share it.
 */
export function createOrderLookup(reads: {
  readonly readPage: (query: OrderListQuery) => Promise<ApiResponse<Order[]>>
  readonly readOne: (id: string) => Promise<ApiResponse<Order>>
  readonly cached: (id: string) => ApiResponse<Order> | undefined
  /** Any order's id, as an example of their format. */
  readonly example: () => string | undefined
}) {
  const { readPage, readOne, cached } = reads
  /** By order id. */
  const read = new Map<string, ApiResponse<Order>>()
  /** By the requested id or short form. */
  const orders = new Map<string, ApiResponse<Order>>()
  const several = new Map<string, readonly string[]>()
  const missing = new Set<string>()
  const state = externalValue<LookupState>({
    orders: new Map(),
    missing: new Set(),
    several: new Map(),
    reading: false,
    error: null,
  })
  /** Requested by the user without a limit. */
  const allowed = new Set<string>()
  let pagedAt = -Infinity
  let wanted: readonly string[] = []
  let running: AbortController | null = null

  const publish = (reading: boolean, error: Error | null = null) =>
    state.set({
      orders: new Map(orders),
      missing: new Set(missing),
      several: new Map(several),
      reading,
      error,
    })
  const unread = () => wanted.filter((id) => !orders.has(id) && !missing.has(id) && !several.has(id))
  const example = () => read.keys().next().value ?? reads.example()

  /** Matches the requested ids with the orders that were read. */
  function match(): void {
    const meant = orderFinder(read.keys())
    for (const text of wanted) {
      if (orders.has(text)) continue
      const [id = "", ...others] = meant(text)
      const found = read.get(id)
      if (others.length > 0) several.set(text, [id, ...others])
      else if (found !== undefined) orders.set(text, found)
    }
  }

  async function readPages(signal: AbortSignal): Promise<void> {
    const open = new Map(likely.map((status) => [status, 1]))
    for (let count = 0; count < free.pages && open.size > 0 && unread().length > 0;) {
      for (const [status, page] of open) {
        if (unread().length === 0) break
        const response = await readPage({ status, page, per_page: limits.perPage.max })
        signal.throwIfAborted()
        count += 1
        for (const order of response.data) read.set(order.order_id, { ...response, data: order })
        match()
        if (response.data.length < limits.perPage.max) open.delete(status)
        else open.set(status, page + 1)
      }
      publish(true)
    }
    pagedAt = Date.now()
  }

  async function readSingles(texts: readonly string[], signal: AbortSignal): Promise<void> {
    for (const text of texts) {
      const id = isShortForm(text, example()) ? namedOrder(text, example()) : text
      if (id === undefined) continue
      try {
        const order = await readOne(id)
        signal.throwIfAborted()
        read.set(order.data.order_id, order)
        orders.set(text, order)
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 404) throw error
        signal.throwIfAborted()
        missing.add(text)
      }
      publish(true)
    }
  }

  async function run(controller: AbortController): Promise<void> {
    const { signal } = controller
    try {
      for (const id of unread()) {
        const order = cached(id)
        if (order !== undefined) read.set(order.data.order_id, order)
      }
      match()
      if (unread().length > 0) publish(true)
      const isMany = () =>
        unread().length > free.singles || unread().some((text) => isShortForm(text, example()))
      if (Date.now() - pagedAt >= freshFor && isMany()) await readPages(signal)
      await readSingles(
        unread().filter((text, at) => at < free.singles || allowed.has(text)),
        signal,
      )
      if (running === controller) publish(false)
    } catch (error) {
      if (running === controller) publish(false, error instanceof Error ? error : new Error(""))
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
    wantAll: (ids: readonly string[]) => {
      for (const id of ids) allowed.add(id)
      want(ids)
    },
    stop: () => {
      running?.abort()
      running = null
    },
  }
}
