import { Button } from "@mantine/core"
import { IconBarcode, IconPrinter, IconUpload } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import { useListLayout } from "../../../lists/list-columns.ts"
import { RequirePermission } from "../../../ui/require-permission.tsx"
import { waitsForParcel } from "../order-row.tsx"
import { printable } from "./printable.ts"
import type { OrderList } from "./use-order-list.ts"

/** Where one goes from the list to ship: numbers from a file, slips for what waits on this page, the ship desk. */
export function OrdersActions({ list }: { list: OrderList }) {
  const layout = useListLayout()
  const { ids } = printable(list.rows.filter(waitsForParcel).map(({ order }) => order.order_id))
  return (
    <>
      {layout === "wide" && (
        <RequirePermission permission="orders.update">
          <Button
            leftSection={<IconUpload size={16} stroke={1.75} aria-hidden />}
            renderRoot={(props) => <Link {...props} to="/orders/tracking-file" />}
          >
            Import tracking
          </Button>
        </RequirePermission>
      )}
      {layout !== "phone" && ids !== "" && (
        <RequirePermission permission="orders.update">
          <Button
            leftSection={<IconPrinter size={16} stroke={1.75} aria-hidden />}
            renderRoot={(props) => <Link {...props} to="/orders/print" search={{ ids }} />}
          >
            Packing slips
          </Button>
        </RequirePermission>
      )}
      <RequirePermission permission="orders.update">
        <Button
          variant="filled"
          leftSection={<IconBarcode size={16} stroke={1.75} aria-hidden />}
          renderRoot={(props) => <Link {...props} to="/orders/ship" />}
        >
          Ship desk
        </Button>
      </RequirePermission>
    </>
  )
}
