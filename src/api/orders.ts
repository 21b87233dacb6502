import {
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query"
import * as z from "zod/mini"
import {
  orderReturnView,
  type OrderReturnView,
  type ReturnPointsBody,
} from "../../contract/kinds/order-return.ts"
import type { CopyMeta } from "../../contract/copy.ts"
import { limits } from "../../contract/limits.ts"
import {
  carrierSettings,
  orderAddress,
  orderCode,
  type OrderCode,
  orderFacets,
  type OrderFacetsQuery,
  type OrderSearchQuery,
  previousAddress,
  recognised,
  shippedToday,
  trackingLink,
  usedNumbers,
} from "../../contract/orders.ts"
import type { Shipment } from "../../contract/events.ts"
import {
  isWaiting,
  type Order,
  orderListReader,
  orderReader,
  withShipment,
} from "../../contract/program/order.ts"
import type { StaleReason } from "../../contract/response.ts"
import { senderSettings } from "../../contract/settings.ts"
import { orderClaim, type OrderClaim } from "../../contract/events.ts"
import { pollEvery, registerEventHandler, registerTopic } from "./events.ts"
import { copyMetaOf } from "./members.ts"
import { programResource, readEveryPage, reviseQueries, useWrite } from "./paging.ts"
import {
  apiPath,
  type ApiResponse,
  dataQuery,
  type ReadOptions,
  requestData,
  responseQuery,
} from "./request.ts"
import { setting } from "./settings.ts"

const idOf = ({ order_id }: Order) => order_id

const orders = programResource<Order, OrderSearchQuery>({
  name: "order",
  plural: "orders",
  schema: orderReader.tolerant,
  listSchema: orderListReader.tolerant,
  idOf,
  // List rows lack `fulfillment`.
  partial: true,
  listPath: ["orders"],
})

/** One order (docs/api/program.md, Orders). Lists seed it as a placeholder. */
export const orderQuery = orders.one

/** One page of orders: from the local copy, or one upstream request, without a total, until it is complete. */
export const ordersQuery = orders.page

/** Orders of the local copy by status and reward. No upstream request. */
export function orderFacetsQuery(filter: OrderFacetsQuery) {
  return responseQuery(
    [...ordersKey, "facets", filter],
    { path: ["orders", "facets"], query: filter, schema: orderFacets },
    { placeholderData: keepPreviousData },
  )
}

/**
 * Every order that a filter matches, in pages of `perPage`; from the complete local copy without an upstream request.
 * @throws ListChangedError when the list changes faster than it is read; what `request` throws
 */
export async function readEveryOrder(filter: OrderFacetsQuery, perPage: number): Promise<readonly Order[]> {
  const { rows } = await readEveryPage({
    perPage,
    idOf,
    read: (page, per_page) => orders.readPage({ ...filter, page, per_page }, {}),
  })
  return rows
}

/** Every cached order, those to ship too; may contain duplicates. */
export function ordersInCache(client: QueryClient): Order[] {
  return [...orders.cached(client), ...(client.getQueryData<OrdersToShip>(toShipKey)?.orders ?? [])]
}

/** Key prefix of every cached list of orders. */
export const ordersKey = ["orders"] as const
const ordersPagesKey = orders.pagesKey

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

/** Applies a change to the cached order and to every list; lists that may gain or lose it are read again. */
export function applyOrderChange(client: QueryClient, id: string, change: Partial<Shipment>): void {
  const has = (rows: readonly Order[]) => rows.some(({ order_id }) => order_id === id)
  const changed = (row: Order) => (row.order_id === id ? withShipment(row, change) : row)
  reviseQueries<ApiResponse<Order>>(client, orderQuery(id).queryKey, (cached) => ({
    ...cached,
    data: changed(cached.data),
  }))
  reviseQueries<OrdersToShip>(client, toShipKey, (queue) =>
    has(queue.orders)
      ? { ...queue, orders: queue.orders.map(changed).filter(({ status }) => isWaiting(status)) }
      : queue,
  )
  reviseQueries<ApiResponse<Order[]>>(client, ordersPagesKey, (page) =>
    has(page.data) ? { ...page, data: page.data.map(changed) } : page,
  )
  void client.invalidateQueries({
    queryKey: ordersKey,
    predicate: ({ queryKey: [, part, filter] }) =>
      part === "facets" ||
      ["search", "sort", ...(change.status === undefined ? [] : ["status"])].some((name) =>
        Object.hasOwn(Object(filter), name),
      ),
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

const returnKey = ["order-return"] as const

registerTopic("orders", returnKey)

const returnMoves: ReadonlySet<string> = new Set(["cancelling", "checking", "awarding", "reversing"])

/** How far the return of an order's points is; `ledger.read` only. No upstream request. */
export function orderReturnQuery(id: string) {
  return {
    ...dataQuery([...returnKey, id], { path: ["orders", id, "return"], schema: orderReturnView }),
    refetchInterval: ({ state }: { state: { data: OrderReturnView | undefined } }) =>
      returnMoves.has(state.data?.step ?? "") ? pollEvery : false,
  }
}

/** Ends a return: awards the missing points, or takes our award back; once for a key. */
export function useReturnPoints(orderId: string) {
  const { queryKey } = orderReturnQuery(orderId)
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ key, ...body }: ReturnPointsBody & { readonly key: string }) =>
      requestData({
        method: "POST",
        path: apiPath("orders", orderId, "return"),
        body,
        idempotencyKey: key,
        schema: orderReturnView,
      }),
    onSuccess: (view) => client.setQueryData(queryKey, view),
    // A refusal means that the return has moved on.
    onError: () => void client.invalidateQueries({ queryKey }),
  })
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

/** Pending and processing orders, oldest first, without those known to be digital. */
export interface OrdersToShip {
  readonly orders: readonly Order[]
  /** When they were synced, or the service responded, in ms since the epoch. */
  readonly at: number
  readonly stale?: boolean
  readonly staleReason?: StaleReason | undefined
  /** They come from the local copy; `syncing`: newer ones are on their way. */
  readonly copied?: boolean
  readonly syncing?: boolean
}

/** Every order to ship: from the local copy, or every page of the open orders until it is complete. */
export function ordersToShipQuery({ fresh = false }: ReadOptions = {}) {
  return queryOptions({
    queryKey: toShipKey,
    queryFn: async ({ signal }): Promise<OrdersToShip> => {
      let stale: Pick<ApiResponse<Order[]>, "stale" | "staleReason"> = { stale: false }
      let copy: Pick<CopyMeta, "complete" | "syncing"> = { complete: false, syncing: false }
      const { rows, at } = await readEveryPage({
        perPage: limits.perPage.max,
        idOf,
        read: async (page, per_page, again) => {
          const response = await orders.readPage(
            { status: "to-ship", page, per_page },
            { signal, fresh: fresh || again },
          )
          if (response.stale) stale = response
          copy = copyMetaOf(response.meta) ?? copy
          return response
        },
      })
      const copied = copy.complete
      const syncing = copied && copy.syncing
      return { orders: rows, at, stale: stale.stale, staleReason: stale.staleReason, copied, syncing }
    },
    staleTime: 30_000,
  })
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
