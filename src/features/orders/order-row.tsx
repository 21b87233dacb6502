import { IconPrinter } from "@tabler/icons-react"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useMemo } from "react"
import { limits } from "../../../contract/limits.ts"
import { isWaiting, type Order, shipmentOf } from "../../../contract/program/order.ts"
import type { OrderBaseline } from "../../../contract/kinds/order-update.ts"
import type { OrderAddress } from "../../../contract/orders.ts"
import { hasPostcodes, noPostcode } from "../../../contract/program/common.ts"
import type { ShippingAddress } from "../../../contract/program/reward.ts"
import { dayAt } from "../../../contract/zoned-days.ts"
import { type KnownNames, memberNamesQuery } from "../../api/members.ts"
import { rewardsInCache, rewardsQuery } from "../../api/rewards.ts"
import { counted } from "../../lib/format.ts"
import { countryName } from "../../lib/names.ts"
import { longDay, millis } from "../../lib/time.ts"
import { RequirePermission } from "../../lists/require-permission.tsx"
import { useServerNow } from "../../ui/hooks.ts"
import { dayRange, type OrdersSearch } from "./order-search.ts"
import { buttonIcon, LinkButton } from "../../ui/button.tsx"

/**
 * An order, its member's name (the id until known) and its type (`digital`, `physical`, …; undefined when unknown).
 */
export interface OrderRow {
  readonly order: Order
  readonly member: string
  readonly type: string | undefined
}

/** An order with its packing data: address and quantity, as far as they were read. */
export interface PackedOrder extends OrderRow {
  readonly goes: OrderAddress | undefined
}

/** Types of rewards by reward id: the list response has no types. */
export type RewardTypes = ReadonlyMap<string, string>

export function orderRow(order: Order, known: KnownNames | undefined, types: RewardTypes): OrderRow {
  const id = order.member_id ?? ""
  return { order, member: known?.names.get(id) ?? id, type: rewardTypeFor(order, types) }
}

/** The order's own type, else its reward's. */
export function rewardTypeFor({ fulfillment, reward_id }: Order, types: RewardTypes): string | undefined {
  return fulfillment?.type ?? (reward_id ? types.get(reward_id) : undefined)
}

export const isDigital = (type: string | undefined) => type?.toLowerCase() === "digital"

export const isCancelled = (status: string | null | undefined) => /^cancell?ed$/i.test(status ?? "")

/** Whether an order is to be shipped, as the server lists and counts them (`to-ship`): also one with a number. */
export function isToShip({ order, type }: Pick<OrderRow, "order" | "type">): boolean {
  return isWaiting(order.status) && !isDigital(type)
}

/** Whether an order is to be shipped and has no tracking number yet: adding one ships it. */
export function waitsForParcel(row: Pick<OrderRow, "order" | "type">): boolean {
  return isToShip(row) && shipmentOf(row.order).tracking_number === undefined
}

/** Sorts rows the oldest first; those without a date come last. */
export function byAge({ order: one }: OrderRow, { order: other }: OrderRow): number {
  return orderAge(one) - orderAge(other)
}

/**
 * Orders made within the days, in the program's time zone. An order without a time is included: it may be one of
 * them.
 */
export function withinDays(
  orders: readonly Order[],
  days: Pick<OrdersSearch, "from" | "to">,
  timeZone: string,
): readonly Order[] {
  const { from = "", to = "9999" } = dayRange(days)
  if (from === "" && to === "9999") return orders
  return orders.filter(({ created_at }) => {
    const at = created_at ? millis(created_at) : Number.NaN
    if (Number.isNaN(at)) return true
    const day = dayAt(at, timeZone)
    return day >= from && day <= to
  })
}

function orderAge({ created_at }: Order): number {
  const at = millis(created_at ?? "")
  return Number.isNaN(at) ? Number.MAX_SAFE_INTEGER : at
}

export function orderName({ reward_name, reward_id, order_id }: Order): string {
  return reward_name || reward_id || order_id
}

/** The current values of the three editable fields, sent along so that changes by others are not overwritten. */
export function expectedFields(order: Order): OrderBaseline {
  const { tracking_number = null, carrier = null } = shipmentOf(order)
  return { status: order.status ?? null, tracking_number, carrier }
}

export const ordersText = (count: number) => counted(count, "order")

export const itemsText = (count: number) => counted(count, "item")

/**
 * Types of rewards, from the catalogue's first page if needed. While `reading`, a digital order may look like a
 * parcel.
 */
export function useRewardTypes(orders: readonly Order[]): { types: RewardTypes; reading: boolean } {
  const client = useQueryClient()
  const { data, isFetching } = useQuery({
    ...rewardsQuery({ page: 1, per_page: limits.perPage.max }),
    enabled: orders.some(({ fulfillment, reward_id }) => !fulfillment?.type && reward_id),
  })
  const types = useMemo(() => {
    const known = [...rewardsInCache(client), ...(data?.data ?? [])]
    return new Map(known.flatMap(({ id, type }) => (type ? [[id, type] as const] : [])))
  }, [client, data])
  return { types, reading: isFetching && data === undefined }
}

/** Orders with the names of their members (and of the filter's `member`) and the types of their rewards. */
export function useOrderRows(orders: readonly Order[], member?: string) {
  const { types, reading } = useRewardTypes(orders)
  const ids = [member, ...orders.map(({ member_id }) => member_id)].flatMap((id) => id || [])
  const { data: names, isFetching, isPlaceholderData } = useQuery(memberNamesQuery(ids))
  const rows = useMemo(() => orders.map((order) => orderRow(order, names, types)), [orders, names, types])
  return {
    rows,
    names,
    namesLoading: isFetching && (names === undefined || isPlaceholderData),
    types,
    reading,
  }
}

/** An address as written on a parcel, line by line, the country last in capitals. */
export function addressLines(address: ShippingAddress): string[] {
  const { name, line1, line2, city, state, postal_code, country } = address
  const code = postal_code === noPostcode && !hasPostcodes(country) ? "" : postal_code
  const place = [city, state, code].filter(Boolean).join(" ")
  return [name, line1, line2, place, countryName(country).toUpperCase()].filter(
    (line): line is string => line !== undefined && line !== "",
  )
}

/** Why the address of an order is unknown. */
export function whyNoAddress({ why_none, removed_at }: OrderAddress): string {
  const day = removed_at === null ? "" : `on ${longDay(removed_at)}, `
  if (why_none === "removed") return `The address was removed ${day}after the retention period.`
  if (why_none === "none_given") return "No address was given at redemption."
  return "No address here: it was not redeemed with Laurel, and the service doesn’t share addresses."
}

export function PrintButton({ ids, label }: { ids: readonly string[]; label: string }) {
  return (
    <RequirePermission permission="orders.update">
      <LinkButton
        leftSection={<IconPrinter {...buttonIcon} />}
        to="/orders/print"
        search={{ ids: ids.join(",") }}
      >
        {label}
      </LinkButton>
    </RequirePermission>
  )
}

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
/** Age from which an order is highlighted, in ms. */
const lateFrom = 3 * day

/**
 * How long ago an unshipped order was placed: `35 min`, `3 h`, `4 d`, or `4 days ago` with `ordered`; coloured from 3
 * days on.
 */
export function Waiting({ since, ordered }: { since: string | null | undefined; ordered?: boolean }) {
  const now = useServerNow("half-minute")
  const at = since ? millis(since) : Number.NaN
  if (Number.isNaN(at)) return null
  const ms = Math.max(0, now - at)
  return (
    <span className={`l-num ${ms >= lateFrom ? "tone-text l-strong" : "text-secondary"}`} data-tone="warning">
      {ordered ? `${waitingTime(ms, true)} ago` : waitingTime(ms, false)}
    </span>
  )
}

function waitingTime(ms: number, long: boolean): string {
  if (ms < hour) return `${Math.floor(ms / minute)} min`
  if (ms < day) return `${Math.floor(ms / hour)} h`
  const days = Math.floor(ms / day)
  return long ? counted(days, "day") : `${days} d`
}
