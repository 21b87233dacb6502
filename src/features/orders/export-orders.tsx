import { type QueryClient, useQueryClient } from "@tanstack/react-query"
import { limits } from "../../../contract/limits.ts"
import { type Order, orderListReader, shipmentOf } from "../../../contract/program/order.ts"
import { apiPath } from "../../api/request.ts"
import { memberNamesQuery } from "../../api/members.ts"
import { orderAddressesQuery } from "../../api/orders.ts"
import { requestParts, requestsFor } from "../../api/paging.ts"
import { useSession } from "../../api/session.ts"
import { type CsvCell, type CsvColumns, csvRows } from "../../lib/csv.ts"
import { timeNeeded, timeSentence } from "../../lib/format.ts"
import { isoDayOf } from "../../lib/time.ts"
import { DownloadDialog, exportTask, selectionTask } from "../../forms/download.tsx"
import {
  ordersText,
  type OrderRow,
  orderRow,
  type PackedOrder,
  type RewardTypes,
  useRewardTypes,
} from "./order-row.tsx"
import { countText, type KnownTotal, withinDays } from "./order-total.ts"
import { dayRange, toOrderFilter, type OrdersSearch } from "./order-search.ts"
import { defined } from "../../lists/list-params.ts"

/** Exports every order the list's filters match. Needs `exports.people`. */
export function ExportOrders(props: {
  search: OrdersSearch
  rows: readonly OrderRow[]
  total: KnownTotal | undefined
  onClose: () => void
}) {
  const { search, rows, total, onClose } = props
  const client = useQueryClient()
  const { time_zone: timeZone } = useSession().program
  const { types } = useRewardTypes(rows.map(({ order }) => order))
  const { status, member: member_id } = search
  const exact = total?.exact === true ? total.count : undefined
  return (
    <DownloadDialog
      title="Export orders"
      action={`Export ${total === undefined ? "" : `${countText(total)} `}${exact === 1 ? "order" : "orders"}`}
      ready={total === undefined || total.count > 0}
      task={() =>
        exportTask({
          name: `Orders ${isoDayOf(Date.now())}`,
          body: { kind: "orders", filter: defined({ status, member_id, ...dayRange(search) }) },
          path: apiPath("program", "orders"),
          query: { ...toOrderFilter(search) },
          schema: orderListReader.tolerant,
          idOf: (order) => order.order_id,
          columns: Object.keys(columns),
          cellsOf: (orders) => orderRows(client, withinDays(orders, search, timeZone), types),
          total: exact,
        })
      }
      onClose={onClose}
    >
      <FileContents of="the orders that the list’s filters match" />
      <p className="text-secondary">
        {exact === undefined
          ? "The total isn’t known until the end."
          : timeSentence(timeNeeded(requestsFor(exact, limits.perPage.max)))}{" "}
        Your team’s own work comes first, so it may take longer.
      </p>
    </DownloadDialog>
  )
}

/** Exports orders that are on the screen: no request to the service. Needs `exports.people`. */
export function ExportSelection({ rows, onClose }: { rows: readonly OrderRow[]; onClose: () => void }) {
  const client = useQueryClient()
  const types = new Map(
    rows.flatMap(({ order, type }) => (type && order.reward_id ? [[order.reward_id, type] as const] : [])),
  )
  const orders = rows.map(({ order }) => order)
  const title = `Export ${ordersText(rows.length)}`
  return (
    <DownloadDialog
      title={title}
      action={title}
      ready={rows.length > 0}
      task={() =>
        selectionTask({
          name: "Orders",
          kind: "orders",
          count: orders.length,
          columns: Object.keys(columns),
          cells: () => orderRows(client, orders, types),
        })
      }
      onClose={onClose}
    >
      <FileContents of={`${ordersText(rows.length)}, as shown`} />
    </DownloadDialog>
  )
}

const FileContents = ({ of }: { of: string }) => (
  <p>
    A file with {of}, for carrier software: one line each, with the address where it was captured here at the
    redemption. A quantity that was estimated from the points says so. It has people’s data in it: who
    exported it, and when, is in the audit log.
  </p>
)

const whyNone = {
  not_redeemed_here: "not redeemed with Laurel",
  none_given: "none given",
  removed: "removed after the retention period",
} as const

const addressFields = ["name", "line1", "line2", "city", "state", "postal_code", "country"] as const

/** The columns of the file: the service's field names, then Laurel's own, for carrier software. */
const columns: CsvColumns<PackedOrder> = {
  order_id: ({ order }) => order.order_id,
  status: ({ order }) => order.status,
  created_at: ({ order }) => order.created_at,
  shipped_at: ({ order }) => order.shipped_at,
  reward_id: ({ order }) => order.reward_id,
  reward_name: ({ order }) => order.reward_name,
  type: ({ type }) => type,
  points_spent: ({ order }) => order.points_spent,
  member_id: ({ order }) => order.member_id,
  // The id has a separate column.
  member_name: ({ order, member }) => (member === order.member_id ? undefined : member),
  tracking_number: ({ order }) => shipmentOf(order).tracking_number,
  carrier: ({ order }) => shipmentOf(order).carrier,
  quantity: ({ goes }) => goes?.quantity.pieces,
  quantity_inferred: ({ goes }) =>
    goes?.quantity.pieces != null && goes.quantity.inferred ? "yes" : undefined,
  ...Object.fromEntries(
    addressFields.map((field) => [`address_${field}`, ({ goes }: PackedOrder) => goes?.address?.[field]]),
  ),
  address_missing_because: ({ goes }) => (goes?.why_none ? whyNone[goes.why_none] : undefined),
}

/** Orders as rows of the file, with names, addresses and quantities from Laurel's data: no upstream request. */
async function orderRows(
  client: QueryClient,
  orders: readonly Order[],
  types: RewardTypes,
): Promise<CsvCell[][]> {
  const rows: CsvCell[][] = []
  // One part at a time, to limit memory for a large file.
  for (const part of requestParts(orders, limits.perPage.max)) {
    const members = part.flatMap(({ member_id }) => member_id || [])
    const [names, addresses] = await Promise.all([
      client.fetchQuery({ ...memberNamesQuery(members), staleTime: 0 }),
      client.fetchQuery(orderAddressesQuery(part.map(({ order_id }) => order_id))),
    ])
    const byOrder = new Map(addresses.map((each) => [each.order_id, each]))
    const packed = part.map((order) => ({
      ...orderRow(order, names, types),
      goes: byOrder.get(order.order_id),
    }))
    rows.push(...csvRows(columns, packed))
  }
  return rows
}
