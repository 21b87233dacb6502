import { Button } from "@mantine/core"
import "@mantine/core/styles/Button.layer.css"
import "@mantine/core/styles/Loader.layer.css"
import { IconPackage } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import { EmptyState } from "../../../ui/empty-state.tsx"
import { PageHeader } from "../../../ui/page-header.tsx"

/** No order has this id. */
export function OrderMissing({ orderId }: { orderId: string }) {
  return (
    <>
      <PageHeader title="No such order" path={[{ label: "Orders", to: "/orders" }]} />
      <EmptyState
        icon={IconPackage}
        title={`There is no order with the id ${orderId}`}
        help="The number is mistyped, or it is of another program. Orders are found by their whole number."
        actions={<Button renderRoot={(props) => <Link {...props} to="/orders" />}>Back to orders</Button>}
      />
    </>
  )
}
