import { Button } from "@mantine/core"
import { IconPencil, IconPrinter } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import type { Order } from "../../../../contract/program/order.ts"
import { NeedsRole } from "../../../ui/require-permission.tsx"

/** What can be done with an order. */
export function OrderActions({ order, digital }: { order: Order; digital: boolean }) {
  return (
    <>
      {!digital && (
        <NeedsRole permission="orders.update">
          <Button
            leftSection={<IconPrinter size={16} stroke={1.75} aria-hidden />}
            renderRoot={(props) => <Link {...props} to="/orders/print" search={{ ids: order.order_id }} />}
          >
            Packing slip
          </Button>
        </NeedsRole>
      )}
      <NeedsRole permission="orders.update">
        <Button
          variant="filled"
          leftSection={<IconPencil size={16} stroke={1.75} aria-hidden />}
          renderRoot={(props) => (
            <Link
              {...props}
              to="/orders/$orderId/edit"
              params={{ orderId: order.order_id }}
              resetScroll={false}
            />
          )}
        >
          Change status or tracking
        </Button>
      </NeedsRole>
    </>
  )
}
