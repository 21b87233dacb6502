import { useQueryClient, type QueryClient } from "@tanstack/react-query"
import { useEffect, useMemo } from "react"
import { useExternalValue } from "../../../ui/hooks.ts"
import { type BookState, createOrderBook, type OrderBook, youngEnough } from "../../../api/order-book.ts"
import { orderQuery, ordersQuery } from "../../../api/orders.ts"

/** Orders by their ids, with what is known of them. */
export interface KnownOrders extends BookState {
  /** Orders that were neither read nor found missing. */
  readonly unread: readonly string[]
  /** Reads those too, a request each. */
  readonly readRest: () => void
  /** Tries again what failed. */
  readonly retry: () => void
}

/** Reads orders by id: copies, then pages, then a few by themselves. @param ids the same array while they are the same */
export function useOrderBook(ids: readonly string[]): KnownOrders {
  const client = useQueryClient()
  const book = useMemo(() => bookOf(client), [client])
  const state = useExternalValue(book.state)
  useEffect(() => {
    if (ids.length > 0) book.want(ids)
    return book.stop
  }, [book, ids])
  const unread = ids.filter((id) => !state.orders.has(id) && !state.missing.has(id))
  return { ...state, unread, readRest: () => book.wantAll(ids), retry: () => book.want(ids) }
}

function bookOf(client: QueryClient): OrderBook {
  return createOrderBook({
    readPage: (query, signal) => untilStopped(client.fetchQuery(ordersQuery(query)), signal),
    readOne: (id, signal) => untilStopped(client.fetchQuery(orderQuery(id)), signal),
    copyOf(id) {
      const copy = client.getQueryData(orderQuery(id).queryKey)
      return copy !== undefined && Date.now() - copy.at < youngEnough ? copy : undefined
    },
  })
}

/** What others may wait for too goes on; only this reader stops. */
async function untilStopped<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  const data = await answer
  signal.throwIfAborted()
  return data
}
