import { Link } from "@tanstack/react-router"
import { formatCount } from "../../../lib/format.ts"
import { statusWord } from "../../../ui/status.tsx"
import classes from "../orders-list.module.css"
import type { OrderList } from "./use-order-list.ts"

const tabs = [undefined, "to-ship", "pending", "processing", "shipped", "completed", "cancelled"] as const

/** Which orders are listed: all, what waits for a parcel, or one status. Each is a link that keeps the filters. */
export function OrderTabs({ list }: { list: OrderList }) {
  const { search, queue } = list
  return (
    <nav aria-label="Status" className={classes.tabs}>
      {tabs.map((status) => (
        <Link
          key={status ?? "all"}
          from="/orders"
          to="/orders"
          search={(now) => ({ ...now, status, page: 1, sort: undefined })}
          resetScroll={false}
          className={classes.tab}
          activeProps={{}}
          aria-current={status === search.status ? "page" : undefined}
          data-current={status === search.status || undefined}
        >
          {tabWord(status)}
          {status === "to-ship" && queue !== undefined && (
            <span className="text-muted l-num">
              {formatCount(queue.orders.length)}
              {!queue.complete && "+"}
            </span>
          )}
        </Link>
      ))}
    </nav>
  )
}

function tabWord(status: (typeof tabs)[number]): string {
  if (status === undefined) return "All"
  return status === "to-ship" ? "To ship" : statusWord("order", status).word
}
