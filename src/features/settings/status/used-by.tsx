import type { BudgetView } from "../../../../contract/status.ts"
import { formatCount } from "../../../lib/format.ts"
import classes from "./used-by.module.css"

/** How many are named; the rest is one line. */
const named = 6

/** Who used the budget in the last 30 minutes, most first. */
export function UsedBy({ rows }: { rows: BudgetView["used_by"] }) {
  const total = rows.reduce((sum, { requests }) => sum + requests, 0)
  if (total === 0) return <p className={classes.nobody}>No requests in the last 30 minutes.</p>
  const shown = rows.length > named ? rows.slice(0, named - 1) : rows
  const rest = rows.slice(shown.length)
  const lines = [
    ...shown,
    ...(rest.length === 0
      ? []
      : [{ name: `${rest.length} others`, requests: rest.reduce((sum, { requests }) => sum + requests, 0) }]),
  ]
  return (
    <div>
      <h3 className={classes.head}>Used by</h3>
      <ul className={classes.list}>
        {lines.map(({ name, requests }) => (
          <li key={name} className={classes.line}>
            <span className={classes.name}>{name}</span>
            <span className={classes.track} aria-hidden>
              <i style={{ width: `${(100 * requests) / total}%` }} />
            </span>
            <span className={classes.count}>{formatCount(requests)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
