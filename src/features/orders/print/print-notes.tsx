import { Button } from "@mantine/core"
import { limits } from "../../../../contract/limits.ts"
import { mostReads } from "../../../api/order-book.ts"
import { cost, formatCount } from "../../../lib/format.ts"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { Notice } from "../../../ui/notice.tsx"
import classes from "./print-page.module.css"
import type { Parcels } from "./use-parcels.ts"

/** What a person should know before printing: what is missing, what is left out, and what is not known yet. */
export function PrintNotes({ read, beyond }: { read: Parcels; beyond: number }) {
  const { orders, left, nameless } = read
  return (
    <div className={classes.notes}>
      {orders.reading && (
        <output className="l-meta text-muted">
          Loading the orders: at most {cost(mostReads)}. Recently loaded orders cost nothing.
        </output>
      )}
      {beyond > 0 && (
        <Notice tone="warning" title={`Only the first ${limits.ordersAtOnce} orders are printed at once`}>
          {ordersText(beyond)} more {beyond === 1 ? "is" : "are"} not among them. Print those separately.
        </Notice>
      )}
      {orders.error !== null && (
        <ErrorNotice error={orders.error} what="Couldn’t load all orders." onRetry={orders.retry} />
      )}
      {read.addressError !== null && (
        <ErrorNotice
          error={read.addressError}
          what="Couldn’t load addresses and quantities. The printed pages say so."
          onRetry={read.retryAddresses}
        />
      )}
      {!orders.reading && orders.error === null && orders.unread.length > 0 && (
        <Notice
          tone="warning"
          title={`${ordersText(orders.unread.length)} not loaded yet and not printed`}
          action={
            <Button size="xs" onClick={orders.readRest}>
              Read {orders.unread.length === 1 ? "it" : "them"}: {cost(orders.unread.length)}
            </Button>
          }
        />
      )}
      {orders.missing.size > 0 && (
        <Notice tone="warning" title={`The service has no ${orders.missing.size === 1 ? "order" : "orders"}`}>
          <span className="l-mono">{[...orders.missing].join(", ")}</span>
        </Notice>
      )}
      {left.length > 0 && (
        <Notice tone="info" title={`${ordersText(left.length)} excluded`}>
          {left
            .map(({ id, why }) => `${id} ${why === "cancelled" ? "was cancelled" : "is sent as a code"}`)
            .join(", ")}
          .
        </Notice>
      )}
      {nameless > 0 && read.ready && (
        <Notice tone="info" title={`${formatCount(nameless)} names are not known yet`}>
          They come by themselves within a minute; until then the member’s id is printed.
        </Notice>
      )}
    </div>
  )
}

function ordersText(count: number): string {
  return count === 1 ? "1 order" : `${formatCount(count)} orders`
}
