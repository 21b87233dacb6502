import { useQueryClient } from "@tanstack/react-query"
import { limits } from "../../../../contract/limits.ts"
import { orderListReader } from "../../../../contract/program/order.ts"
import { requestsFor } from "../../../api/paging.ts"
import { apiPath } from "../../../api/request.ts"
import { useSession } from "../../../api/session.ts"
import { cost } from "../../../lib/format.ts"
import { isoDayOf } from "../../../lib/time.ts"
import { DownloadDialog, exportTask } from "../../../ui/download.tsx"
import { daysOf, filterOf } from "../list/orders-search.ts"
import { countedOrders } from "../list/orders-words.ts"
import type { OrderList } from "../list/use-order-list.ts"
import { withinDays } from "../list/within-days.ts"
import { useRewardTypes } from "../show/use-reward-types.ts"
import { ExportWords } from "./export-words.tsx"
import { ExportSelection } from "./export-selection.tsx"
import { orderCsvColumns } from "./order-csv.ts"
import { orderCsvRows } from "./read-beside.ts"

interface ExportOrdersProps {
  list: OrderList
  onClose: () => void
}

/** Exports every order the list's filters match; what waits for a parcel is here already. Needs `exports.people`. */
export function ExportOrders({ list, onClose }: ExportOrdersProps) {
  return list.toShip ? (
    <ExportSelection rows={list.rows} onClose={onClose} />
  ) : (
    <ExportFilter list={list} onClose={onClose} />
  )
}

function ExportFilter({ list, onClose }: ExportOrdersProps) {
  const client = useQueryClient()
  const { search, total } = list
  const { time_zone: timeZone } = useSession().program
  const types = useRewardTypes(list.rows.map(({ order }) => order))
  const filter = filterOf(search)
  const { from, to } = daysOf(search)
  const requests = total?.exact === true ? requestsFor(total.count, limits.perPage.max) : undefined
  const log = { status: search.status, member_id: search.member, from, to }
  return (
    <DownloadDialog
      title="Export orders"
      action={total === undefined ? "Export orders" : `Export ${countedOrders(total)}`}
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
