import { useState } from "react"
import { orderName, type OrderRow } from "../show/order-row.ts"

/** What an order is and for whom, as far as this page has seen it: "Drill kit for Ana Silva". */
export type OrderNames = (id: string) => string | undefined

/** Remembers what orders are: they leave the queue when they are shipped. Never kept beyond the page. */
export function useOrderNames(rows: readonly OrderRow[]): OrderNames {
  const [seen, setSeen] = useState<ReadonlyMap<string, string>>(() => new Map())
  const news = rows
    .map((row) => [row.order.order_id, nameOf(row)] as const)
    .filter(([id, name]) => seen.get(id) !== name)
  if (news.length > 0) setSeen(new Map([...seen, ...news]))
  return (id) => seen.get(id)
}

function nameOf({ order, member }: OrderRow): string {
  return member === "" ? orderName(order) : `${orderName(order)} for ${member}`
}
