import { useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import type { OrderAddress } from "../../../../contract/orders.ts"
import { seesRowsWhole } from "../../../../contract/redaction.ts"
import type { Order } from "../../../../contract/program/order.ts"
import { auditQuery } from "../../../api/audit.ts"
import { orderRowsQuery } from "../../../api/order-book.ts"
import { useCan, useSession } from "../../../api/session.ts"
import { timelineOf } from "./timeline.ts"

const nothing: readonly never[] = []

/** What is known to have happened to an order, and where was looked. Each source fails for itself. */
export function useTimeline(order: Order, address: OrderAddress | undefined) {
  const { user, permissions } = useSession()
  const mayAudit = useCan("audit.read")
  // A search of rows that finds tells as much as the rows, so it is for those who see them whole.
  const maySearch = seesRowsWhole("order-update", user.role)
  const audit = useQuery({ ...auditQuery({ kind: "order", id: order.order_id }, 1), enabled: mayAudit })
  const rows = useQuery({ ...orderRowsQuery(order.order_id), enabled: maySearch })
  const entries = audit.data?.entries ?? nothing
  const found = rows.data?.rows ?? nothing
  const events = useMemo(
    () => timelineOf({ order, address, audit: entries, rows: found }),
    [order, address, entries, found],
  )
  return {
    events,
    /** How far the audit log was looked at. */
    audited: !mayAudit ? "none" : permissions["audit.read"] === "own" ? "own" : "all",
    /** Jobs of several orders that were looked through; undefined where none were. */
    jobs: rows.data?.jobs,
    error: audit.error ?? rows.error,
    retry: () => {
      if (audit.error !== null) void audit.refetch()
      if (rows.error !== null) void rows.refetch()
    },
  } as const
}
