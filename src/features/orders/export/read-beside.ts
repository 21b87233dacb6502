import type { QueryClient } from "@tanstack/react-query"
import type { OrderAddress } from "../../../../contract/orders.ts"
import { limits } from "../../../../contract/limits.ts"
import type { Order } from "../../../../contract/program/order.ts"
import { memberNamesQuery, type KnownNames } from "../../../api/member-names.ts"
import { orderAddressesQuery } from "../../../api/orders.ts"
import type { CsvCell } from "../../../lib/csv.ts"
import { orderRow, type RewardTypes } from "../show/order-row.ts"
import { orderCsvCells } from "./order-csv.ts"

/** Orders as rows of a file, with names, addresses and quantities as this desk knows them: no upstream request for any. */
export async function orderCsvRows(
  client: QueryClient,
  orders: readonly Order[],
  types: RewardTypes,
): Promise<CsvCell[][]> {
  const rows: CsvCell[][] = []
  for (let at = 0; at < orders.length; at += limits.perPage.max) {
    const some = orders.slice(at, at + limits.perPage.max)
    // oxlint-disable-next-line no-await-in-loop -- one part at a time, so that a large file stays small in memory
    const [names, addresses] = await Promise.all([namesOf(client, some), addressesOf(client, some)])
    rows.push(
      ...some.map((order) => orderCsvCells(orderRow(order, names, types), addresses.get(order.order_id))),
    )
  }
  return rows
}

async function namesOf(client: QueryClient, orders: readonly Order[]): Promise<KnownNames | undefined> {
  const ids = orders.flatMap(({ member_id }) => (member_id ? [member_id] : []))
  return ids.length === 0 ? undefined : client.fetchQuery({ ...memberNamesQuery(ids), staleTime: 0 })
}

async function addressesOf(
  client: QueryClient,
  orders: readonly Order[],
): Promise<ReadonlyMap<string, OrderAddress>> {
  const found = await client.fetchQuery(orderAddressesQuery(orders.map(({ order_id }) => order_id)))
  return new Map(found.map((each) => [each.order_id, each]))
}
