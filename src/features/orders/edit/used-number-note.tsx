import { Button } from "@mantine/core"
import { Link } from "@tanstack/react-router"
import type { UsedNumbers } from "../../../../contract/orders.ts"
import { Notice } from "../../../ui/notice.tsx"

interface UsedNumberNoteProps {
  used: UsedNumbers["used"]
  accepted: boolean
  onAccept: () => void
}

/** The number stands on another order already: it is sent only when the person says that this is right. */
export function UsedNumberNote({ used, accepted, onAccept }: UsedNumberNoteProps) {
  if (used.length === 0) return null
  const orders = [...new Set(used.map(({ order_id }) => order_id))]
  return (
    <Notice
      tone={accepted ? "info" : "warning"}
      title={accepted ? "This number is already on two orders" : "Another order already has this number"}
      action={
        accepted ? undefined : (
          <Button size="xs" onClick={onAccept}>
            One parcel for both: use it
          </Button>
        )
      }
    >
      {orders.slice(0, 3).map((orderId, at) => (
        <span key={orderId}>
          {at > 0 && ", "}
          <Link to="/orders/$orderId" params={{ orderId }} className="l-link l-mono">
            {orderId}
          </Link>
        </span>
      ))}
      {orders.length > 3 && ` and ${orders.length - 3} more`}
      {accepted ? "" : ". Check that this is the right parcel."}
    </Notice>
  )
}
