import { Button } from "@mantine/core"
import "@mantine/core/styles/Button.layer.css"
import "@mantine/core/styles/Loader.layer.css"
import { mostReads } from "../../../api/order-book.ts"
import { cost } from "../../../lib/cost.ts"
import { formatCount } from "../../../lib/format.ts"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { Notice } from "../../../ui/notice.tsx"
import type { KnownOrders } from "../show/use-order-book.ts"

/** Orders the preview cannot show, what that means, and what reading them costs. */
export function UnreadOrders({ orders }: { orders: KnownOrders }) {
  const { unread, reading, error } = orders
  if (error !== null) {
    return <ErrorNotice error={error} what="Not all orders were compared." onRetry={orders.retry} />
  }
  if (reading) {
    return (
      <p className="l-meta l-3">
        Orders are compared first: at most {cost(mostReads)}. What was read lately costs nothing.
      </p>
    )
  }
  if (unread.length === 0) return null
  const count = unread.length === 1 ? "1 order was" : `${formatCount(unread.length)} orders were`
  return (
    <Notice
      tone="info"
      title={`${count} not compared`}
      action={
        <Button size="xs" onClick={orders.readRest}>
          Compare {unread.length === 1 ? "it" : "them"}: {cost(unread.length)}
        </Button>
      }
    >
      They are not among those that wait for a parcel. One that has another tracking number already is asked
      about when its turn comes.
    </Notice>
  )
}
