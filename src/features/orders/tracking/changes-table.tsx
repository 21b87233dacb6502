import { IconArrowRight, IconListCheck } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import { formatCount } from "../../../lib/format.ts"
import { EmptyState } from "../../../ui/query-state.tsx"
import { Status } from "../../../ui/status.tsx"
import heads from "../../../ui/table-head.module.css"
import type { PlannedRow, TrackingPlan } from "./tracking-plan.ts"
import classes from "./tracking.module.css"

/** Rows drawn at once. */
const most = 500

/** What changes in each order: before, and after. Rows with problems, and those left out, are not among them. */
export function ChangesTable({ plan }: { plan: TrackingPlan }) {
  const shown = plan.rows.slice(0, most)
  if (shown.length === 0) {
    return (
      <EmptyState
        icon={IconListCheck}
        title="No orders would change"
        help="Rows with problems and excluded rows aren’t sent."
      />
    )
  }
  return (
    <div className={classes.scroller} data-scroll-restoration-id="tracking-changes">
      <table className={classes.table} aria-label="What changes">
        <thead className={`${heads.head} ${heads.stays}`}>
          <tr>
            <th scope="col">Order</th>
            <th scope="col">Status</th>
            <th scope="col">Tracking number</th>
            <th scope="col">Carrier</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((planned) => (
            <ChangeRow key={planned.row.number} planned={planned} />
          ))}
        </tbody>
      </table>
      {plan.rows.length > most && (
        <p className={`l-meta text-muted ${classes.more}`}>
          The first {formatCount(most)} of {formatCount(plan.rows.length)}. The others are sent as well.
        </p>
      )}
    </div>
  )
}

function ChangeRow({ planned }: { planned: PlannedRow }) {
  const { row, before, after, change } = planned
  return (
    <tr data-same={change === "same" || undefined}>
      <td className="l-mono">
        <Link to="/orders/$orderId" params={{ orderId: row.order_id }} className="l-link">
          {row.order_id}
        </Link>
        {change === "same" && <span className={classes.aside}>Nothing to change</span>}
        {change === "unread" && <span className={classes.aside}>Not read</span>}
      </td>
      <td>
        <Move from={before?.status} to={after.status} status />
      </td>
      <td className="l-mono">
        <Move from={before?.tracking_number} to={after.tracking_number} />
      </td>
      <td>
        <Move from={before?.carrier} to={after.carrier} />
      </td>
    </tr>
  )
}

interface MoveProps {
  from: string | undefined
  to: string | undefined
  /** Drawn with its icon and word. */
  status?: boolean
}

/** One field before and after; a field that stays is said once. */
function Move({ from = "", to, status = false }: MoveProps) {
  const draw = (value: string) => (status ? <Status of="order" value={value} /> : value)
  if (to === undefined || to === from) return <span className="text-muted">{draw(from)}</span>
  return (
    <span className={classes.move}>
      {from !== "" && (
        <>
          <span className={classes.from}>{draw(from)}</span>
          <IconArrowRight size={14} stroke={2} aria-label="becomes" />
        </>
      )}
      <span>{draw(to)}</span>
    </span>
  )
}
