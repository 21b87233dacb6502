import { type QueryClient, queryOptions, useQuery } from "@tanstack/react-query"
import * as z from "zod/mini"
import { create } from "zustand"
import { limits } from "../../contract/limits.ts"
import {
  carrierSettings,
  orderAddress,
  orderCode,
  type OrderCode,
  previousAddress,
  recognised,
  shippedToday,
  trackingLink,
  usedNumbers,
} from "../../contract/orders.ts"
import {
  isWaiting,
  type Order,
  type OrderListQuery,
  orderListReader,
  orderReader,
  type Shipment,
  withShipment,
} from "../../contract/program/order.ts"
import { isUpdating, type StaleReason } from "../../contract/response.ts"
import { senderSettings } from "../../contract/settings.ts"
import { orderClaim, type OrderClaim } from "../../contract/status.ts"
import { millis } from "../lib/time.ts"
import { registerEventHandler, registerTopic } from "./events.ts"
import { programResource, reviseQueries, useWrite } from "./paging.ts"
import { apiPath, type ApiResponse, dataQuery, type ReadOptions, requestData } from "./request.ts"
import { setting } from "./settings.ts"

const orders = programResource<Order, OrderListQuery>({
  name: "order",
  plural: "orders",
  schema: orderReader.tolerant,
  listSchema: orderListReader.tolerant,
  idOf: ({ order_id }) => order_id,
  // List rows lack `fulfillment`.
  partial: true,
})

/** One order (docs/api/program.md, Orders). Lists seed it as a placeholder. */
export const orderQuery = orders.one

/** One page of orders. The service gives no total: a page with fewer rows than requested is the last one. */
export const ordersQuery = orders.page

/** Every cached order, those to ship too; may contain duplicates. */
export function ordersInCache(client: QueryClient): Order[] {
  return [...orders.cached(client), ...(client.getQueryData<OrdersToShip>(toShipKey)?.orders ?? [])]
}

/** Key prefixes of every cached list of orders, and of their pages. */
export const ordersKey = ["orders"] as const
export const ordersPagesKey = orders.pagesKey

const toShipKey = [...ordersKey, "to-ship"] as const

const shippedTodayKey = ["shipped-today"] as const

registerTopic("orders", ordersKey)
registerTopic("orders", shippedTodayKey)
registerTopic("orders", ["order"])
registerEventHandler("orders", (client, { id, order }) => {
  void client.invalidateQueries({ queryKey: shippedTodayKey })
  if (order !== undefined) applyOrderChange(client, id, order)
  return order !== undefined
})

/** Applies a change to the cached order and to every list, without a request. */
export function applyOrderChange(client: QueryClient, id: string, change: Partial<Shipment>): void {
  const has = (rows: readonly Order[]) => rows.some(({ order_id }) => order_id === id)
  const changed = (row: Order) => (row.order_id === id ? withShipment(row, change) : row)
  reviseQueries<ApiResponse<Order>>(client, orderQuery(id).queryKey, (cached) => ({
    ...cached,
    data: changed(cached.data),
  }))
  // Reading a long queue does not restart for each change; the read under way applies it.
  noteChange(client, id, change)
  reviseQueries<OrdersToShip>(
    client,
    toShipKey,
    (queue) =>
      has(queue.orders)
        ? { ...queue, orders: queue.orders.map(changed).filter(({ status }) => isWaiting(status)) }
        : queue,
    { restart: false },
  )
  reviseQueries<ApiResponse<Order[]>>(client, ordersPagesKey, (page) =>
    has(page.data) ? { ...page, data: page.data.map(changed) } : page,
  )
  if (change.status === undefined) return
  // Lists filtered by status may gain or lose the order.
  void client.invalidateQueries({
    queryKey: ordersPagesKey,
    predicate: ({ queryKey }) => Object.hasOwn(Object(queryKey.at(-1)), "status"),
  })
}

const addressKey = ["order-address"] as const

registerTopic("orders", addressKey)

/** Address and number of pieces of one order, as captured by Laurel; `orders.address` only. */
export function orderAddressQuery(id: string) {
  const path = ["orders", id, "address"]
  return dataQuery([...addressKey, id], { path, schema: orderAddress }, { gcTime: 60_000 })
}

/** Address of a member's last redemption; `rewards.redeem` only. */
export function previousAddressQuery(memberId: string) {
  const path = ["members", memberId, "address"]
  return dataQuery([...addressKey, "of", memberId], { path, schema: previousAddress }, { gcTime: 60_000 })
}

/** Addresses of up to 200 orders, in the order of `ids`; `orders.address` only. */
export function orderAddressesQuery(ids: readonly string[]) {
  const path = ["orders", "addresses"]
  return dataQuery(
    [...addressKey, "many", ids],
    { method: "POST", path, body: { ids }, schema: z.array(orderAddress) },
    { gcTime: 60_000, enabled: ids.length > 0 },
  )
}

/**
 * Reveals the code of a digital order. It is never cached. The reason and the reveal are in the audit log before the
 * service is called (docs/security.md).
 */
export async function revealOrderCode(orderId: string, reason: string): Promise<OrderCode> {
  const path = apiPath("orders", orderId, "reveal")
  return requestData({ method: "POST", path, body: { reason }, schema: orderCode })
}

/**
 * Which of these tracking numbers (at most 500) other orders than `except` already have, by Laurel's job rows and
 * recently read orders. No upstream request; a number that is not found may still be in use.
 */
export function usedNumbersQuery(numbers: readonly string[], except?: string) {
  const path = ["orders", "used-numbers"]
  const body = { numbers, ...(except !== undefined && { except }) }
  return dataQuery(
    ["used-numbers", numbers, except],
    { method: "POST", path, body, schema: usedNumbers },
    { enabled: numbers.length > 0, staleTime: 0, gcTime: 0 },
  )
}

/** Everything that was shipped with Laurel today, latest first. No upstream request. */
export const shippedTodayQuery = dataQuery(
  shippedTodayKey,
  { path: ["orders", "shipped-today"], schema: shippedToday },
  { staleTime: 60_000 },
)

const claimsKey = ["order-claims"] as const

/**
 * Which user has which order open at the ship desk, including the current user. No upstream request. Claims expire, so
 * they are polled faster while there are any.
 */
export const orderClaimsQuery = dataQuery(
  claimsKey,
  { path: ["orders", "claims"], schema: z.array(orderClaim) },
  { refetchInterval: ({ state }) => ((state.data?.length ?? 0) > 0 ? 15_000 : 60_000) },
)

registerTopic("claims", claimsKey)
registerEventHandler("claims", (client, { claim }) => {
  if (claim === undefined) return false
  const { open, ...claimed } = claim
  const isSame = ({ order_id, by }: OrderClaim) => order_id === claimed.order_id && by.id === claimed.by.id
  reviseQueries<OrderClaim[]>(client, claimsKey, (cached) => [
    ...cached.filter((each) => !isSame(each)),
    ...(open ? [claimed] : []),
  ])
  return true
})

let lastClaim: Promise<unknown> = Promise.resolve()

/** Publishes that an order is open at this ship desk, or no longer. Requests are sent in sequence and not awaited. */
export function publishClaim(id: string, open: boolean): void {
  const send = () =>
    requestData({
      method: open ? "PUT" : "DELETE",
      path: apiPath("orders", id, "claim"),
      schema: z.unknown(),
      signal: AbortSignal.timeout(10_000),
      onSessionEnd: "throw",
    })
  // A lost claim is sent again within a minute, or expires.
  lastClaim = lastClaim.then(send).catch(() => {})
}

/** The orders to ship, as far as they were read. */
export interface OrdersToShip {
  /** Pending and processing orders, oldest first, without those known to be digital. */
  readonly orders: readonly Order[]
  /** Whether all of them were read. */
  readonly complete: boolean
  /** Upstream requests that the read took. */
  readonly requests: number
  /** When the service responded with the oldest page, in ms since the epoch. */
  readonly at: number
  readonly stale?: boolean
  readonly staleReason?: StaleReason | undefined
}

/** Progress of `ordersToShipQuery`: orders read, and their number at the previous read, if known. */
export interface ToShipProgress {
  readonly read: number
  readonly of: number | undefined
}

/** Set while more than one page of orders to ship is read. */
export const useToShipProgress = create<{ readonly progress: ToShipProgress | undefined }>(() => ({
  progress: undefined,
}))

/** Limit for a service that never returns an empty page; far above any real queue. */
const mostPages = 100

/**
 * Every pending and processing order. The service documents no order of its pages, so the oldest may be on the last
 * one: a list of more than one page is read until a page is empty. Until then the result is incomplete. Two upstream
 * requests for up to 99 of each; the longer the lists, the longer their stale time.
 */
export function ordersToShipQuery({ fresh }: ReadOptions = {}) {
  return queryOptions({
    queryKey: toShipKey,
    queryFn: ({ signal, client }) => readOrdersToShip(client, { signal, fresh }),
    staleTime: ({ state: { data } }) =>
      data !== undefined && isUpdating(data) ? 0 : 15_000 * Math.max(2, data?.requests ?? 2),
  })
}

async function readOrdersToShip(client: QueryClient, how: ReadOptions): Promise<OrdersToShip> {
  const per_page = limits.perPage.max
  const before = client.getQueryData<OrdersToShip>(toShipKey)
  const known = before?.complete === true ? before : undefined
  const read = new Map<string, { row: Order; at: number }>()
  let at = Infinity
  let requests = 0
  const stale: Pick<ApiResponse<Order[]>, "stale" | "staleReason">[] = []
  const soFar = (complete: boolean): OrdersToShip => ({
    orders: Array.from(read.values(), (each) => withLaterChange(client, each.row, each.at))
      .filter(({ status, fulfillment }) => isWaiting(status) && fulfillment?.type !== "digital")
      .toSorted((a, b) => timeOf(a) - timeOf(b)),
    complete,
    requests,
    at,
    stale: stale.length > 0,
    staleReason: (stale.find(isUpdating) ?? stale[0])?.staleReason,
  })
  const readStatus = async (status: "pending" | "processing"): Promise<boolean> => {
    for (let page = 1; page <= mostPages; page += 1) {
      const response = await orders.readPage({ status, page, per_page }, { ...how, background: page > 1 })
      requests += 1
      at = Math.min(at, response.at)
      if (response.stale) stale.push(response)
      // A service that repeats a page has no more rows.
      const isNew = response.data.some(({ order_id }) => !read.has(order_id))
      for (const row of response.data) read.set(row.order_id, { row, at: response.at })
      if (page === 1 ? response.data.length < per_page : !isNew) return true
      useToShipProgress.setState({
        progress: { read: read.size, of: known && Math.max(known.orders.length, read.size) },
      })
      if (known === undefined) client.setQueryData(toShipKey, soFar(false))
    }
    return false
  }
  try {
    const ends = await Promise.all([readStatus("pending"), readStatus("processing")])
    return soFar(ends.every(Boolean))
  } finally {
    useToShipProgress.setState({ progress: undefined })
  }
}

/** Recent changes by order, applied to pages that were read before them. */
const laterChanges = new WeakMap<QueryClient, Map<string, { change: Partial<Shipment>; at: number }>>()
const mostChanges = 1000
/** Response ages are in whole seconds. */
const ageStepMs = 1000

function noteChange(client: QueryClient, id: string, change: Partial<Shipment>): void {
  const changes = laterChanges.get(client) ?? new Map<string, { change: Partial<Shipment>; at: number }>()
  laterChanges.set(client, changes)
  const earlier = changes.get(id)?.change
  changes.delete(id)
  changes.set(id, { change: { ...earlier, ...change }, at: Date.now() })
  const [oldest] = changes.keys()
  if (changes.size > mostChanges && oldest !== undefined) changes.delete(oldest)
}

function withLaterChange(client: QueryClient, row: Order, readAt: number): Order {
  const later = laterChanges.get(client)?.get(row.order_id)
  return later !== undefined && later.at > readAt - ageStepMs ? withShipment(row, later.change) : row
}

/** Orders without a date sort last. */
function timeOf({ created_at }: Order): number {
  const at = typeof created_at === "string" ? millis(created_at) : Number.NaN
  return Number.isNaN(at) ? Number.MAX_SAFE_INTEGER : at
}

const recogniseKey = ["carriers", "recognised"] as const

registerTopic("settings", recogniseKey)

const carriers = setting("carriers", carrierSettings, [recogniseKey])

/** Carriers of the program: names, links to tracking pages, and which are offered. */
export const carriersQuery = { ...carriers.query, staleTime: 5 * 60_000 }

/** Replaces the carriers of the program; tracking numbers are recognised again. */
export const useSaveCarriers = carriers.useSave

/** The sender as printed on packing slips. */
export const { query: senderQuery, useSave: useSaveSender } = setting("sender", senderSettings)

/** Carriers of these tracking numbers (at most 500), in the same order. No upstream request. */
export function recogniseQuery(numbers: readonly string[]) {
  const path = ["carriers", "recognise"]
  return dataQuery(
    [...recogniseKey, numbers],
    { method: "POST", asks: true, path, body: { numbers }, schema: z.array(recognised) },
    { staleTime: 5 * 60_000, enabled: numbers.length > 0 },
  )
}

/** Sets the carrier of a number; it is remembered for numbers with the same prefix and length. `orders.update` only. */
export function useChooseCarrier() {
  const path = apiPath("carriers", "choice")
  return useWrite(
    (body: { readonly number: string; readonly carrier: string }) =>
      requestData({ method: "POST", path, body, schema: z.undefined() }),
    (client) => client.invalidateQueries({ queryKey: recogniseKey }),
  )
}

/** A parcel's tracking page and its carrier. */
interface ParcelLink {
  readonly href: string
  readonly carrier: string
}

/**
 * The tracking page of a parcel: at the order's carrier, else at the recognised one. Undefined without a number, with
 * an unknown carrier, or if the carrier has no page.
 */
export function useParcelLink(
  number: string | undefined,
  carrier: string | undefined,
): ParcelLink | undefined {
  const { data } = useQuery({ ...carriersQuery, enabled: number !== undefined })
  const known = data?.carriers ?? []
  const isSame = (name: string) => name.trim().toLocaleLowerCase() === carrier?.trim().toLocaleLowerCase()
  const named = known.find(({ code, name }) => isSame(code) || isSame(name))
  const enabled = number !== undefined && data !== undefined && named === undefined
  const found = useQuery({ ...recogniseQuery(number === undefined ? [] : [number]), enabled }).data?.[0]
  if (number === undefined) return undefined
  if (named !== undefined) {
    const href = trackingLink(named.link, number)
    return href === null ? undefined : { href, carrier: named.name }
  }
  const chosen = known.find(({ code }) => code === found?.chosen)
  return found?.link && chosen ? { href: found.link, carrier: chosen.name } : undefined
}
