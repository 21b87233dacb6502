import { useQueries, useQuery } from "@tanstack/react-query"
import { limits } from "../../../../contract/limits.ts"
import { memberNamesQuery } from "../../../api/member-names.ts"
import { orderAddressesQuery } from "../../../api/orders.ts"
import { useKnownTypes } from "../show/use-known-types.ts"
import { useOrderBook, type KnownOrders } from "../show/use-order-book.ts"
import { whyNotPacked, type Parcel, type WhyNot } from "./parcel.ts"

/** Orders to print, with everything that goes on their papers. */
export interface Parcels {
  readonly parcels: readonly Parcel[]
  /** Orders nothing is printed for. */
  readonly left: readonly { readonly id: string; readonly why: WhyNot }[]
  readonly orders: KnownOrders
  readonly addressError: Error | null
  readonly retryAddresses: () => void
  /** Parcels whose member's name is not known yet. */
  readonly nameless: number
  /** Whether everything was read that will be. */
  readonly ready: boolean
}

/** Reads what is printed for orders. @param ids at most 200, the same array while they are the same */
export function useParcels(ids: readonly string[]): Parcels {
  const orders = useOrderBook(ids)
  const found = ids.flatMap((id) => orders.orders.get(id)?.data ?? [])
  const { types, reading } = useKnownTypes(found)
  const settled = !orders.reading && !reading && orders.error === null && found.length > 0
  const packed = found.filter((order) => whyNotPacked(order, types) === undefined)
  const packedIds = packed.map(({ order_id }) => order_id)
  const addresses = useQuery({ ...orderAddressesQuery(packedIds), enabled: settled })
  const goes = new Map(addresses.data?.map((each) => [each.order_id, each]))
  const names = useNames(packed.flatMap(({ member_id }) => member_id ?? []))
  return {
    parcels: packed.map((order) => ({
      order,
      member: names.get(order.member_id ?? "") ?? order.member_id ?? "",
      goes: goes.get(order.order_id),
    })),
    left: found.flatMap((order) => {
      const why = whyNotPacked(order, types)
      return why === undefined ? [] : [{ id: order.order_id, why }]
    }),
    orders,
    addressError: addresses.error,
    retryAddresses: () => void addresses.refetch(),
    nameless: packed.filter(({ member_id }) => member_id && !names.has(member_id)).length,
    ready: settled && !addresses.isLoading,
  }
}

function useNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const distinct = [...new Set(ids)]
  const perPart = limits.perPage.max
  const parts = Array.from({ length: Math.ceil(distinct.length / perPart) }, (_, at) =>
    distinct.slice(at * perPart, (at + 1) * perPart),
  )
  const answers = useQueries({ queries: parts.map((part) => memberNamesQuery(part)) })
  return new Map(answers.flatMap(({ data }) => [...(data?.names ?? [])]))
}
