import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { orderQuery } from "../../../api/orders.ts"
import { JobLink } from "../../../forms/job-link.tsx"
import { OutcomeFacts, type OneRow } from "../../../forms/job-outcome.tsx"
import { formatPoints } from "../../../lib/format.ts"
import { Status } from "../../../ui/status.tsx"

/** What came of a redemption: the order, what it cost, where it stands. */
export function RedemptionFacts({ one }: { one: OneRow }) {
  const { job, row, status } = one
  const orderId = status === "confirmed" ? row.upstream_id : null
  const { data, error } = useQuery({ ...orderQuery(orderId ?? "none"), enabled: orderId !== null })
  const order = data?.data
  return (
    <OutcomeFacts
      facts={[
        {
          label: "Order",
          value:
            orderId === null ? null : (
              <Link to="/orders/$orderId" params={{ orderId }} className="l-link l-mono">
                {orderId}
              </Link>
            ),
        },
        {
          label: "Points spent",
          value:
            typeof order?.points_spent === "number" ? (
              <span className="l-num">{formatPoints(order.points_spent)}</span>
            ) : error !== null ? (
              "not loaded"
            ) : null,
        },
        { label: "Status", value: order?.status ? <Status of="order" value={order.status} /> : null },
        {
          label: "Known from",
          value: row.known_by === "look" ? "the member’s orders (there was no usable response)" : null,
        },
        { label: "Job", value: <JobLink id={job.id}>{job.id}, 1 row</JobLink> },
      ]}
    />
  )
}
