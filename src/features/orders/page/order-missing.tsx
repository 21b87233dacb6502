import { Button } from "@mantine/core"
import { IconPackage } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import { EmptyState } from "../../../ui/query-state.tsx"
import { PageHeader } from "../../../ui/page-header.tsx"

/** No order has this id. */
export function OrderMissing({ orderId }: { orderId: string }) {
  return (
    <>
      <PageHeader title="Order not found" path={[{ label: "Orders", to: "/orders" }]} />
      <EmptyState
        icon={IconPackage}
        title={`No order has the id ${orderId}`}
        help="Check the number: orders are found by their full id."
        actions={<Button renderRoot={(props) => <Link {...props} to="/orders" />}>Back to orders</Button>}
      />
    </>
  )
}
