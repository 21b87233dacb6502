import type { OrderUpdateRow } from "../../../../contract/job-rows.ts"
import { shipmentOf, type Order } from "../../../../contract/program/order.ts"
import type { TrackingRow } from "./tracking-row.ts"

/** The three fields of an order that a row may change, as text; empty is none. */
interface OrderFields {
  readonly status: string
  readonly tracking_number: string
  readonly carrier: string
}

/** What a row does to its order. */
export interface PlannedRow {
  readonly row: TrackingRow
  /** The order as it was read; undefined: not read, so it is compared when its turn comes. */
  readonly before: OrderFields | undefined
  /** The fields that are set; a field that stays as it is, is left out. */
  readonly after: Partial<OrderFields> & Pick<OrderFields, "tracking_number">
  readonly change: "change" | "same" | "unread"
}

/** Statuses behind which an order that was sent is not moved back, unless the file says so. */
const sentAlready = new Set(["shipped", "completed"])

/**
 * Works out what a row does. Without a status in the file the order becomes shipped, unless it is already.
 * @param carrier from the file, else from the number; undefined leaves the order's own
 */
export function planRow(row: TrackingRow, order: Order | undefined, carrier: string | undefined): PlannedRow {
  const before = order === undefined ? undefined : fieldsOf(order)
  const stays = row.status === undefined && sentAlready.has(before?.status.toLowerCase() ?? "")
  const after = {
    ...(stays ? {} : { status: row.status ?? "shipped" }),
    tracking_number: row.tracking_number,
    ...(carrier === undefined ? {} : { carrier }),
  }
  return { row, before, after, change: changeOf(before, after) }
}

function fieldsOf(order: Order): OrderFields {
  const { tracking_number = "", carrier = "" } = shipmentOf(order)
  return { status: order.status ?? "", tracking_number, carrier }
}

function changeOf(before: OrderFields | undefined, after: PlannedRow["after"]): PlannedRow["change"] {
  if (before === undefined) return "unread"
  const { status = before.status, tracking_number: number, carrier = before.carrier } = after
  return status === before.status && number === before.tracking_number && carrier === before.carrier
    ? "same"
    : "change"
}

/**
 * The row of the job, with the order as the person saw it in the preview: changed by somebody else since, it becomes a
 * conflict. Of an order that was not read only this is known: it should have no other number yet.
 */
export function jobRow({ row, before, after }: PlannedRow): OrderUpdateRow {
  const { status, ...rest } = after
  return {
    order_id: row.order_id,
    ...rest,
    ...(status === undefined ? {} : { status: row.status ?? "shipped" }),
    expected:
      before === undefined
        ? { tracking_number: null }
        : {
            status: before.status || null,
            tracking_number: before.tracking_number || null,
            carrier: before.carrier || null,
          },
  }
}
