import { useNavigate } from "@tanstack/react-router"
import { formatCount } from "../../../lib/format.ts"
import { Segmented } from "../../../ui/segmented.tsx"
import classes from "./tracking.module.css"
import type { TrackingView } from "./tracking-search.ts"
import type { TrackingPlan } from "./use-tracking-plan.ts"

interface ViewChoiceProps {
  view: TrackingView
  plan: TrackingPlan
}

/** The file's rows, or what they change in each order. */
export function ViewChoice({ view, plan }: ViewChoiceProps) {
  const navigate = useNavigate()
  const { unread } = plan.orders
  return (
    <div className={classes.views}>
      <Segmented<TrackingView>
        label="What is shown"
        value={view}
        options={[
          { value: "rows", label: "Rows of the file" },
          { value: "changes", label: "What changes" },
        ]}
        onChange={(chosen) =>
          void navigate({ to: "/orders/tracking-file", search: { view: chosen }, replace: true })
        }
      />
      <output className="l-meta text-muted l-num">
        {plan.orders.reading
          ? `Comparing with the orders: ${formatCount(plan.rows.length - unread.length)} of ${formatCount(plan.rows.length)}`
          : ""}
      </output>
    </div>
  )
}
