import { type QueryClient, useQueryClient } from "@tanstack/react-query"
import { limits } from "../../../contract/limits.ts"
import type { OrderAddress } from "../../../contract/orders.ts"
import { type Order, orderListReader, shipmentOf } from "../../../contract/program/order.ts"
import { createExport } from "../../api/exports.ts"
import { type KnownNames, memberNamesQuery } from "../../api/member-names.ts"
import { orderAddressesQuery } from "../../api/orders.ts"
import { requestsFor } from "../../api/paging.ts"
import { apiPath } from "../../api/request.ts"
import { useSession } from "../../api/session.ts"
import { countText, type KnownTotal, withinDays } from "./order-total.ts"
import { ordersText, type OrderRow, orderRow, type RewardTypes, useRewardTypes } from "./order-row.tsx"
import { daysOf, filterOf, type OrdersSearch } from "./search.ts"
import { cost } from "../../lib/format.ts"
import type { CsvCell } from "../../lib/csv.ts"
import { isoDayOf } from "../../lib/time.ts"
import { DownloadDialog, exportTask } from "../../lists/download.tsx"

interface ExportOrdersProps {
  search: OrdersSearch
  rows: readonly OrderRow[]
  total: KnownTotal | undefined
  onClose: () => void
}

/** Exports every order the list's filters match; what waits for a parcel is here already. Needs `exports.people`. */
export function ExportOrders(props: ExportOrdersProps) {
  return props.search.status === "to-ship" ? <ExportSelection {...props} /> : <ExportFilter {...props} />
}

function ExportFilter({ search, rows, total, onClose }: ExportOrdersProps) {
  const client = useQueryClient()
  const { time_zone: timeZone } = useSession().program
  const { types } = useRewardTypes(rows.map(({ order }) => order))
  const filter = filterOf(search)
  const { from, to } = daysOf(search)
  const requests = total?.exact === true ? requestsFor(total.count, limits.perPage.max) : undefined
  const log = { status: search.status, member_id: search.member, from, to }
  return (
    <DownloadDialog
      title="Export orders"
      action={`Export ${total === undefined ? "" : `${countText(total)} `}${total?.exact === true && total.count === 1 ? "order" : "orders"}`}
      ready={total === undefined || total.count > 0}
      task={() =>
        exportTask({
          name: `Orders ${isoDayOf(Date.now())}`,
          body: {
            kind: "orders",
            filter: Object.fromEntries(
              Object.entries(log).filter((entry): entry is [string, string] => entry[1] !== undefined),
            ),
          },
          path: apiPath("program", "orders"),
          query: { ...filter },
          schema: orderListReader.tolerant,
          idOf: (order) => order.order_id,
          columns: orderCsvColumns,
          cellsOf: (orders) => orderCsvRows(client, withinDays(orders, search, timeZone), types),
          total: total?.exact === true ? total.count : undefined,
        })
      }
      onClose={onClose}
    >
      <ExportWords what="the orders that the list’s filters match" />
      <p className="text-secondary">
        {requests === undefined
          ? "One request per 100 orders; the total isn’t known until the end."
          : `${cost(requests)}, shared by the whole team.`}{" "}
        It runs in the background after other people’s requests.
      </p>
    </DownloadDialog>
  )
}

interface ExportSelectionProps {
  rows: readonly OrderRow[]
  onClose: () => void
}

/** Exports orders that are on the screen: nothing is asked of the service. Needs `exports.people`. */
export function ExportSelection({ rows, onClose }: ExportSelectionProps) {
  const client = useQueryClient()
  const types = new Map(
    rows.flatMap(({ order, type }) => (type && order.reward_id ? [[order.reward_id, type] as const] : [])),
  )
  const orders = rows.map(({ order }) => order)
  return (
    <DownloadDialog
      title={`Export ${ordersText(rows.length)}`}
      action={`Export ${ordersText(rows.length)}`}
      ready={rows.length > 0}
      task={() => ({
        name: `Orders ${isoDayOf(Date.now())}.csv`,
        columns: orderCsvColumns,
        large: false,
        run: async (file, signal, onProgress) => {
          await createExport({ kind: "orders", filter: { selected: String(orders.length) } }, signal)
          onProgress({ done: 0, of: 1, restarts: 0 })
          const cells = await orderCsvRows(client, orders, types)
          signal.throwIfAborted()
          await file.begin()
          await file.add(cells)
          return cells.length
        },
      })}
      onClose={onClose}
    >
      <ExportWords what={`the ${ordersText(rows.length)} you selected, as shown`} />
      <p className="text-secondary">No request: everything in it is here already.</p>
    </DownloadDialog>
  )
}

/** What a file of orders holds, and what it does not. */
export function ExportWords({ what }: { what: string }) {
  return (
    <p>
      A CSV file with {what}, for carrier software: one line each, with the address where it was captured here
      at the redemption. A quantity that was estimated from the points says so. It has people’s data in it:
      who exported it, and when, is in the audit log.
    </p>
  )
}

/** The columns of an export of orders: the service's field names, then what this desk knows, for carrier software. */
export const orderCsvColumns = [
  "order_id",
  "status",
  "created_at",
  "shipped_at",
  "reward_id",
  "reward_name",
  "type",
  "points_spent",
  "member_id",
  "member_name",
  "tracking_number",
  "carrier",
  "quantity",
  "quantity_inferred",
  "address_name",
  "address_line1",
  "address_line2",
  "address_city",
  "address_state",
  "address_postal_code",
  "address_country",
  "address_missing_because",
] as const

const whyNone = {
  not_redeemed_here: "not redeemed with Laurel",
  none_given: "none given",
  removed: "removed after the retention period",
} as const

/** An order as cells, in the order of the columns. Without a captured address its columns are empty and say why. */
export function orderCsvCells({ order, member, type }: OrderRow, where: OrderAddress | undefined): CsvCell[] {
  const { tracking_number, carrier } = shipmentOf(order)
  const address = where?.address
  return [
    order.order_id,
    order.status,
    order.created_at,
    order.shipped_at,
    order.reward_id,
    order.reward_name,
    type,
    order.points_spent,
    order.member_id,
    // The id stands beside it already.
    member === order.member_id ? undefined : member,
    tracking_number,
    carrier,
    where?.quantity.pieces,
    where?.quantity.pieces != null && where.quantity.inferred ? "yes" : undefined,
    address?.name,
    address?.line1,
    address?.line2,
    address?.city,
    address?.state,
    address?.postal_code,
    address?.country,
    where?.why_none ? whyNone[where.why_none] : undefined,
  ]
}

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
