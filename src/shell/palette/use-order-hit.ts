import { useDebouncedValue } from "@mantine/hooks"
import { useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query"
import { shipmentOf, type Order } from "../../../contract/program/order.ts"
import { orderQuery, ordersKey, ordersQuery } from "../../api/orders.ts"
import { type ParcelLink, useParcelLink } from "../../api/carriers.ts"
import { useCan } from "../../api/session.ts"
import type { Answer } from "../../api/request.ts"

/** The order a text names. */
export interface OrderHit {
  readonly order: Order | undefined
  /** Where its parcel can be followed. */
  readonly parcel: ParcelLink | undefined
  /** It is being looked up. */
  readonly searching: boolean
}

/** The first page of the list, as the list asks for it: it shows how orders are numbered, and is warm for their page. */
const someOrders = ordersQuery({ page: 1, per_page: 25 })

/**
 * The order whose number was typed, whole or only its digits. The document does not say how orders are numbered
 * (docs/api/program.md, Order), so the letters before the digits are those of orders that were read.
 */
export function useOrderHit(text: string): OrderHit {
  const client = useQueryClient()
  const allowed = useCan("orders.read")
  const [rested] = useDebouncedValue(text, 200)
  const digits = /^\d{3,}$/.test(rested)
  const known = allowed ? knownIds(client) : []
  const first = useQuery({ ...someOrders, enabled: allowed && digits && known.length === 0 })
  const ids = known.length > 0 ? known : (first.data?.data.map(({ order_id }) => order_id) ?? [])
  const id = allowed ? namedOrder(rested, ids) : undefined
  const found = useQuery({ ...orderQuery(id ?? "none"), enabled: id !== undefined, retry: false })
  const order = id !== undefined && rested === text && found.error === null ? found.data?.data : undefined
  const shipment = order === undefined ? undefined : shipmentOf(order)
  const parcel = useParcelLink(shipment?.tracking_number, shipment?.carrier)
  const pending = /^\d{3,}$/.test(text) || namedOrder(text, ids) !== undefined
  return {
    order,
    parcel,
    searching: allowed && pending && (rested !== text || first.isFetching || found.isLoading),
  }
}

/** The id a text means: itself where it begins as orders do, else its digits behind the letters of an order. */
function namedOrder(text: string, ids: readonly string[]): string | undefined {
  const letters = /^\D+/.exec(ids[0] ?? "")?.[0]
  if (/^\d{3,}$/.test(text)) return ids.length === 0 ? undefined : `${letters ?? ""}${text}`
  if (/\s/.test(text) || !/\d/.test(text)) return undefined
  const begins = letters ?? "ord"
  return text.toLowerCase().startsWith(begins.toLowerCase())
    ? `${begins}${text.slice(begins.length)}`
    : undefined
}

/** Ids of the orders in the lists this browser holds. */
function knownIds(client: QueryClient): string[] {
  const pages = client.getQueriesData<Answer<Order[]>>({ queryKey: [...ordersKey, "page"] })
  return pages.flatMap(([, answer]) => answer?.data.map(({ order_id }) => order_id) ?? [])
}
