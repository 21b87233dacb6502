import { Button } from "@mantine/core"
import { mostReads } from "../../../api/order-lookup.ts"
import { cost } from "../../../lib/format.ts"
import { formatCount } from "../../../lib/format.ts"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { Notice } from "../../../ui/notice.tsx"
import type { LookedUpOrders } from "../../../api/order-lookup.ts"

/** Orders the preview cannot show, what that means, and what reading them costs. */
export function UnreadOrders({ orders }: { orders: LookedUpOrders }) {
  const { unread, reading, error } = orders
  if (error !== null) {
    return <ErrorNotice error={error} what="Some orders weren’t compared." onRetry={orders.retry} />
  }
  if (reading) {
    return (
      <p className="l-meta text-muted">
        Orders are compared first: at most {cost(mostReads)}. Recently loaded orders cost nothing.
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
      They aren’t waiting to ship. If one already has another tracking number, you’ll be asked when it’s sent.
    </Notice>
  )
}
