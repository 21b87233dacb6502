import { type QueryClient, useQueryClient } from "@tanstack/react-query"
import { limits } from "../../../contract/limits.ts"
import type { OrderFacetsQuery } from "../../../contract/orders.ts"
import { type Order, orderListReader, shipmentOf } from "../../../contract/program/order.ts"
import { addDays } from "../../../contract/zoned-days.ts"
import { apiPath } from "../../api/request.ts"
import { memberNamesQuery } from "../../api/members.ts"
import { orderAddressesQuery } from "../../api/orders.ts"
import { requestParts } from "../../api/paging.ts"
import { useSession } from "../../api/session.ts"
import { type CsvCell, type CsvColumns, csvRows } from "../../lib/csv.ts"
import { isoDayOf } from "../../lib/time.ts"
import { DownloadDialog, exportTask, selectionTask } from "../../forms/download.tsx"
import {
  ordersText,
  type OrderRow,
  orderRow,
  type PackedOrder,
  type RewardTypes,
  withinDays,
} from "./order-row.tsx"
import { defined } from "../../lists/list-params.ts"

/** Exports every order the list's filters match. Needs `exports.people`. */
export function ExportOrders(props: {
  filter: OrderFacetsQuery
  copied: boolean
  total: number | undefined
  types: RewardTypes
  onClose: () => void
}) {
  const { filter, copied, total, types, onClose } = props
  const client = useQueryClient()
  const { time_zone: timeZone } = useSession().program
  return (
    <DownloadDialog
      title="Export orders"
      action={`Export ${total === undefined ? "orders" : ordersText(total)}`}
      ready={total !== 0}
      task={() =>
        exportTask({
          name: `Orders ${isoDayOf(Date.now())}`,
          body: { kind: "orders", filter: defined(filter) },
          ...(copied || filter.status === "to-ship"
            ? { path: apiPath("orders"), perPage: copied ? limits.copyPage : limits.perPage.max }
            : { path: apiPath("program", "orders") }),
          query: copied ? { ...filter } : widerDays(filter),
          schema: orderListReader.tolerant,
          idOf: (order) => order.order_id,
          columns: Object.keys(columns),
          cellsOf: (orders) =>
            orderRows(client, copied ? orders : withinDays(orders, filter, timeZone), types),
          total,
        })
      }
      onClose={onClose}
    >
      <FileContents of="the orders that the list’s filters match" />
      {!copied && (
        <p className="text-secondary">
          The total isn’t known until the end. Your team’s own work comes first, so it may take longer.
        </p>
      )}
    </DownloadDialog>
  )
}

/** A day more at both ends: the service documents neither the zone of its days nor whether they are included. */
function widerDays({ from, to, ...filter }: OrderFacetsQuery) {
  return { ...filter, ...defined({ from: from && addDays(from, -1), to: to && addDays(to, 1) }) }
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
