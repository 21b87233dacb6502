import { Link } from "@tanstack/react-router"

/** Leads to an order's page. */
export function OrderLink({ id }: { id: string }) {
  return (
    <Link to="/orders/$orderId" params={{ orderId: id }} className="l-link l-mono">
      {id}
    </Link>
  )
}
