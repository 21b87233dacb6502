import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect, useMemo } from "react"
import { createStore, useStore } from "zustand"
import { limits } from "../../contract/limits.ts"
import { type OrderSearchQuery, plainNumber } from "../../contract/orders.ts"
import { parcelNumber } from "../../contract/parcel-number.ts"
import { searchedText } from "../../contract/typed-text.ts"
import { type Order, shipmentOf } from "../../contract/program/order.ts"
import { ApiError } from "../lib/errors.ts"
import { isShortForm, namedOrder, orderFinder, shortOrder } from "../lib/order-ids.ts"
import { orderQuery, ordersInCache, ordersQuery, usedNumbersQuery } from "./orders.ts"
import { type ApiResponse, fetchAwaited } from "./request.ts"
import { useCan } from "./session.ts"

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
  const lookup = useMemo(() => new OrderLookup(readsOf(client)), [client])
  const state = useStore(lookup.state)
  useEffect(() => {
    if (ids.length > 0) lookup.want(ids)
    return () => lookup.stop()
  }, [lookup, ids])
  const isKnown = (id: string) => state.orders.has(id) || state.missing.has(id) || state.several.has(id)
  const unread = ids.filter((id) => !isKnown(id))
  return { ...state, unread, readRest: () => lookup.wantAll(ids), retry: () => lookup.want(ids) }
}

function readsOf(client: QueryClient): OrderReads {
  return {
    readPage: (query) => fetchAwaited(client, ordersQuery(query, { update: false })),
    readOne: (id) => fetchAwaited(client, orderQuery(id, { update: false })),
    cached(id) {
      const cached = client.getQueryData(orderQuery(id).queryKey)
      return cached !== undefined && Date.now() - cached.at < freshFor ? cached : undefined
    },
    example: () => ordersInCache(client)[0]?.order_id,
  }
}

interface OrderReads {
  readonly readPage: (query: OrderSearchQuery) => Promise<ApiResponse<Order[]>>
  readonly readOne: (id: string) => Promise<ApiResponse<Order>>
  readonly cached: (id: string) => ApiResponse<Order> | undefined
  /** Any order's id, as an example of their format. */
  readonly example: () => string | undefined
}

/**
 * Looks orders up: in the cache, then in pages of those that wait for a parcel (100 per request), then one by one. A
 * short form matches if exactly one known order fits. `want` makes at most `free` requests, `wantAll` has no limit. A
 * read that is no longer wanted is completed, because other requests may share it.
 */
export class OrderLookup {
  readonly state = createStore<LookupState>(() => ({
    orders: new Map(),
    missing: new Set(),
    several: new Map(),
    reading: false,
    error: null,
  }))
  private readonly reads: OrderReads
  /** By order id. */
  private readonly read = new Map<string, ApiResponse<Order>>()
  /** By the requested id or short form. */
  private readonly orders = new Map<string, ApiResponse<Order>>()
  private readonly several = new Map<string, readonly string[]>()
  private readonly missing = new Set<string>()
  /** Requested by the user without a limit. */
  private readonly allowed = new Set<string>()
  private wanted: readonly string[] = []
  private pagedAt = -Infinity
  private running: AbortController | null = null

  constructor(reads: OrderReads) {
    this.reads = reads
  }

  want(ids: readonly string[]): void {
    this.wanted = [...new Set(ids)]
    this.running?.abort()
    this.running = new AbortController()
    void this.run(this.running)
  }

  wantAll(ids: readonly string[]): void {
    for (const id of ids) this.allowed.add(id)
    this.want(ids)
  }

  stop(): void {
    this.running?.abort()
    this.running = null
  }

  private async run(controller: AbortController): Promise<void> {
    const isCurrent = () => this.running === controller
    try {
      await this.readWanted(controller.signal)
      if (isCurrent()) this.publish(false)
    } catch (error) {
      if (isCurrent()) this.publish(false, error instanceof Error ? error : new Error(""))
    } finally {
      if (isCurrent()) this.running = null
    }
  }

  private async readWanted(signal: AbortSignal): Promise<void> {
    for (const id of this.unread()) {
      const order = this.reads.cached(id)
      if (order !== undefined) this.read.set(order.data.order_id, order)
    }
    this.match()
    if (this.unread().length > 0) this.publish(true)
    if (Date.now() - this.pagedAt >= freshFor && this.needsPages()) await this.readPages(signal)
    const singles = this.unread().filter((text, at) => at < free.singles || this.allowed.has(text))
    await this.readSingles(singles, signal)
  }

  /** Whether pages find more than single reads do. */
  private needsPages(): boolean {
    const unread = this.unread()
    return unread.length > free.singles || unread.some((text) => isShortForm(text, this.example()))
  }

  private async readPages(signal: AbortSignal): Promise<void> {
    const open = new Map(likely.map((status) => [status, 1]))
    for (let count = 0; count < free.pages && open.size > 0 && this.unread().length > 0;) {
      for (const [status, page] of open) {
        if (this.unread().length === 0) break
        const response = await this.reads.readPage({ status, page, per_page: limits.perPage.max })
        signal.throwIfAborted()
        count += 1
        for (const order of response.data) this.read.set(order.order_id, { ...response, data: order })
        this.match()
        if (response.data.length < limits.perPage.max) open.delete(status)
        else open.set(status, page + 1)
      }
      this.publish(true)
    }
    this.pagedAt = Date.now()
  }

  private async readSingles(texts: readonly string[], signal: AbortSignal): Promise<void> {
    for (const text of texts) {
      const id = isShortForm(text, this.example()) ? namedOrder(text, this.example()) : text
      if (id === undefined) continue
      try {
        const order = await this.reads.readOne(id)
        signal.throwIfAborted()
        this.read.set(order.data.order_id, order)
        this.orders.set(text, order)
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 404) throw error
        signal.throwIfAborted()
        this.missing.add(text)
      }
      this.publish(true)
    }
  }

  /** Matches the requested ids with the orders that were read. */
  private match(): void {
    const idsFor = orderFinder(this.read.keys())
    for (const text of this.wanted) {
      if (this.orders.has(text)) continue
      const [id = "", ...others] = idsFor(text)
      const order = this.read.get(id)
      if (others.length > 0) this.several.set(text, [id, ...others])
      else if (order !== undefined) this.orders.set(text, order)
    }
  }

  private unread(): string[] {
    const { orders, missing, several } = this
    return this.wanted.filter((id) => !orders.has(id) && !missing.has(id) && !several.has(id))
  }

  private example(): string | undefined {
    return this.read.keys().next().value ?? this.reads.example()
  }

  private publish(reading: boolean, error: Error | null = null): void {
    this.state.setState(
      {
        orders: new Map(this.orders),
        missing: new Set(this.missing),
        several: new Map(this.several),
        reading,
        error,
      },
      true,
    )
  }
}

const numberOf = (order: Order) => plainNumber(shipmentOf(order).tracking_number ?? "")

/** Whether a text can be a whole tracking number. */
const isTrackingNumber = (text: string) =>
  plainNumber(text).length >= 8 && /^[\p{L}\p{N} -]+$/u.test(text) && /(\d\D*){4}/.test(text)

const mostFound = 4

/**
 * Orders of the local copy by id, also by its digits alone, by member, reward or tracking number. Until every order is
 * in it: those in the cache, else one request for the id.
 */
export function useOrderSearch(typed: string, isRested: boolean) {
  const isAllowed = useCan("orders.read")
  const text = parcelNumber(typed)
  const search = searchedText(shortOrder(text) ?? text)
  const isWanted = isAllowed && search.length > 1
  const query = ordersQuery({ search, per_page: mostFound })
  const found = useQuery({ ...query, enabled: isWanted && isRested, retry: false })
  const isUnsynced = found.error instanceof ApiError && found.error.code === "conflict"
  const number = useTrackingNumber(text, isWanted, isRested)
  // A parcel's number is no order's id.
  const other = useUnsyncedOrder(text, isUnsynced && isRested && number.isUnused)
  const copied = isWanted && !found.isPlaceholderData ? found.data?.data : undefined
  return {
    orders: isUnsynced ? other.orders : (copied ?? []),
    /** Numbers of orders that were not read, such as an order's further parcels. */
    used: number.used,
    searching: isWanted && (!isRested || found.isLoading || number.isLoading || other.isLoading),
    error: number.error ?? (isUnsynced ? null : found.error),
  }
}

/** An order in the cache, else read by its id; a short form needs any order as an example. */
function useUnsyncedOrder(text: string, enabled: boolean) {
  const client = useQueryClient()
  const isShort = enabled && shortOrder(text) !== undefined && ordersInCache(client).length === 0
  const example = useQuery({ ...ordersQuery({ page: 1, per_page: 25 }), enabled: isShort })
  const cached = [...ordersInCache(client), ...(example.data?.data ?? [])]
  const matches = cachedMatches(cached, text)
  const id = matches.length === 0 ? namedOrder(text, cached[0]?.order_id) : undefined
  const isRead = enabled && id !== undefined
  const order = useQuery({ ...orderQuery(id ?? ""), enabled: isRead, retry: false })
  const read = isRead && order.error === null && order.data ? [order.data.data] : []
  return { orders: [...read, ...matches], isLoading: example.isLoading || order.isLoading }
}

/** Orders that have the text as their tracking number, among the numbers that Laurel's server knows. */
function useTrackingNumber(text: string, enabled: boolean, isRested: boolean) {
  const isWanted = enabled && isTrackingNumber(text)
  const query = useQuery({ ...usedNumbersQuery([text]), enabled: isWanted && isRested, retry: false })
  const used = (isWanted && query.data?.used) || []
  const isUnused = !isWanted || (query.isFetched && used.length === 0)
  return { isWanted, used, isUnused, isLoading: query.isLoading, error: query.error }
}

/** Cached orders with this id or tracking number. */
function cachedMatches(orders: readonly Order[], text: string): readonly Order[] {
  const plain = plainNumber(text)
  const ids = orderFinder(orders.map(({ order_id: id }) => id))(text)
  return orders.filter((order) => ids.includes(order.order_id) || (plain !== "" && numberOf(order) === plain))
}
