import type { CopyMeta } from "../../contract/copy.ts"
import { limits } from "../../contract/limits.ts"
import { memberSearchScope } from "../../contract/members.ts"
import {
  orderFacetsQuery,
  type OrderFacetsQuery,
  type OrderFacets,
  orderSearchQuery,
  type OrderSearchQuery,
  orderSortOf,
} from "../../contract/orders.ts"
import { timeOf } from "../../contract/program/common.ts"
import { type Order, orderListReader } from "../../contract/program/order.ts"
import { rewardListReader } from "../../contract/program/reward.ts"
import { can } from "../../contract/roles.ts"
import { addDays, startOfDay } from "../../contract/zoned-days.ts"
import type { CoreContext } from "../context.ts"
import { copiedPage, copyState, listRequested, renderList, servicePage } from "../copy/copied-list.ts"
import type { OrderFilter } from "../copy/copy-store.ts"
import { conflict, stored } from "../errors.ts"
import { planById } from "../gateway/upstream-read.ts"
import { type ApiRequest, type ApiResponse, readOptionsOf, success } from "../http.ts"
import { copiedRewards } from "../rewards/reward-list.ts"
import { readQuery } from "../validation.ts"

/** `GET /api/orders`: from the copy once it is complete; until then one request to the service. @throws AppError */
export async function listOrders(context: CoreContext, request: ApiRequest): Promise<ApiResponse> {
  const query = readQuery(request.search, orderSearchQuery)
  listRequested(context, request, "orders", query)
  const { copy, meta } = await copyState(context, "orders")
  if (copy === undefined) return listFromService(context, request, query, meta)
  const { page = 1, per_page: perPage = limits.perPage.default } = query
  const sort = orderSortOf(query.sort ?? (query.status === "to-ship" ? "created_at" : "-created_at"))
  const filter = await filterOf(context, request, query)
  const found = await stored(copy.orders.list({ ...filter, sort, page, perPage }))
  return copiedPage(context, request, "order", found, query, meta)
}

/** `GET /api/orders/facets`: counts of the copy; empty until it is complete. @throws AppError */
export async function countOrders(context: CoreContext, request: ApiRequest): Promise<ApiResponse> {
  const query = readQuery(request.search, orderFacetsQuery)
  const { copy, meta } = await copyState(context, "orders")
  const none: OrderFacets = { statuses: [], to_ship: 0, rewards: [] }
  const filter = await filterOf(context, request, query)
  return success(copy === undefined ? none : await stored(copy.orders.facets(filter)), { meta: { ...meta } })
}

async function filterOf(
  context: CoreContext,
  { user: { role } }: ApiRequest,
  { search, status, member_id, reward_id, type, from, to }: OrderFacetsQuery,
): Promise<OrderFilter> {
  const { time_zone } = await context.settings.get("program")
  const scope = memberSearchScope(role)
  return {
    search,
    scope: scope === "all" ? "contact" : scope,
    foundIds: search && can(role, "orders.address") ? await context.recipients.find(search) : [],
    status,
    memberId: member_id,
    rewardId: reward_id,
    type,
    rewardTypes: await knownTypes(context),
    from: from === undefined ? undefined : startOfDay(from, time_zone),
    to: to === undefined ? undefined : startOfDay(addDays(to, 1), time_zone),
  }
}

/** Types of rewards for orders that do not say theirs: of the local copy, else of those that were read lately. */
async function knownTypes(context: CoreContext): Promise<OrderFilter["rewardTypes"]> {
  const cached = () =>
    context.reads.cachedWithTag("rewards").flatMap(({ data }) => {
      const rows = Array.isArray(data) ? data : [data]
      return rewardListReader.tolerant.safeParse(rows).data ?? []
    })
  const rewards = (await copiedRewards(context)) ?? cached()
  const types = new Map(rewards.map(({ id, type }) => [id, type?.toLowerCase() ?? ""]))
  return [...types].map(([id, type]) => ({ id, type }))
}

async function listFromService(
  context: CoreContext,
  request: ApiRequest,
  query: OrderSearchQuery,
  state: CopyMeta,
): Promise<ApiResponse> {
  const { search, reward_id, type, sort: _sort, status, from, to, ...documented } = query
  if (search !== undefined || reward_id !== undefined || type !== undefined) {
    throw conflict(
      "Orders can be searched, and filtered by reward and type, once all of them are synced. Nothing was read. Filter by status, member or days until then.",
    )
  }
  if (status === "to-ship") return ordersToShip(context, request, query, state)
  const list = { operation: "GET /orders", redacts: "order" } as const
  // Neither the zone of its days nor whether they are included is documented (docs/open-points.md).
  const days = {
    ...(from !== undefined && { from: addDays(from, -1) }),
    ...(to !== undefined && { to: addDays(to, 1) }),
  }
  const filter = { ...documented, ...days, ...(status !== undefined && { status }) }
  return servicePage(context, request, list, filter, state)
}

/** Of a service that never sends an empty page no more are read. */
const mostPages = 100

/** The open orders, oldest first: the service documents no order of its pages, so the oldest may be on the last one. */
async function ordersToShip(
  { clock, reads }: CoreContext,
  request: ApiRequest,
  { member_id, page = 1, per_page = limits.perPage.default }: OrderSearchQuery,
  state: CopyMeta,
): Promise<ApiResponse> {
  const open = new Map<string, Order>()
  let oldest: Awaited<ReturnType<typeof reads.read>> | undefined
  for (const status of ["pending", "processing"]) {
    for (let read = 1; read <= mostPages; read += 1) {
      const filter = { status, page: read, per_page: limits.perPage.max, ...(member_id && { member_id }) }
      const result = await reads.read(planById("GET /orders", {}, filter), readOptionsOf(request))
      if (oldest === undefined || result.response.answeredAt < oldest.response.answeredAt) oldest = result
      const orders = orderListReader.tolerant.parse(result.response.data)
      const before = open.size
      for (const order of orders) open.set(order.order_id, order)
      // A service that repeats a page has no more rows.
      if (read === 1 ? orders.length < limits.perPage.max : open.size === before) break
    }
  }
  const every = [...open.values()]
    .filter(({ fulfillment }) => fulfillment?.type !== "digital")
    .toSorted((one, other) => (timeOf(one.created_at) ?? Infinity) - (timeOf(other.created_at) ?? Infinity))
  const data = every.slice((page - 1) * per_page, page * per_page)
  const meta = { page, per_page, total: every.length, ...state }
  if (oldest === undefined) throw new Error("Nothing was read.")
  const response = { ...oldest.response, data, meta }
  return renderList(clock, request, "order", { ...oldest, response })
}
