import { IconAlertTriangle, IconCircleCheck } from "@tabler/icons-react"
import { Fragment } from "react"
import type { DriftRow } from "../../../../contract/status.ts"
import { formatCount } from "../../../lib/format.ts"
import { RelativeTime } from "../../../ui/values.tsx"
import { Marked } from "../marked.tsx"
import heads from "../../../ui/table-head.module.css"
import tables from "../table.module.css"
import { driftHandling } from "./drift-handling.ts"
import classes from "./drift-table.module.css"

/** One row for each kind of difference, the latest first, as the server orders them. */
export function DriftTable({ rows }: { rows: readonly DriftRow[] }) {
  return (
    <table className={`${tables.table} ${classes.drift}`} aria-label="Differences">
      <thead className={heads.head}>
        <tr>
          <th scope="col" className={classes.where}>
            Where
          </th>
          <th scope="col" className={classes.said}>
            Documented
          </th>
          <th scope="col">Received</th>
          <th scope="col" className={`${tables.end} ${classes.seen}`}>
            Seen
          </th>
          <th scope="col" className={`${tables.end} ${classes.last}`}>
            Last
          </th>
          <th scope="col" className={`${tables.after} ${classes.handling}`}>
            Laurel
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Drift key={JSON.stringify([row.api, row.operation, row.field, row.said, row.came])} row={row} />
        ))}
      </tbody>
    </table>
  )
}

/** A method and a path that may break after a slash and nowhere else. */
function Operation({ name }: { name: string }) {
  const steps = name.split("/")
  return steps.map((step, index) => (
    <Fragment key={steps.slice(0, index + 1).join("/")}>
      {step}
      {index < steps.length - 1 && "/"}
      <wbr />
    </Fragment>
  ))
}

function Drift({ row }: { row: DriftRow }) {
  const { operation, field, said, came, seen, last_at } = row
  const handling = driftHandling(row)
  const handled = (
    <Marked icon={handling.tone === "warning" ? IconAlertTriangle : IconCircleCheck} tone={handling.tone}>
      {handling.words}
    </Marked>
  )
  return (
    <tr>
      <td className={`l-mono ${classes.where}`}>
        <Operation name={operation} />
      </td>
      <td className={`text-secondary ${classes.said}`}>
        {field}: {said}
      </td>
      <td>
        <span className="l-mono">{came}</span>
        <div className={classes.below}>
          <span className="text-secondary">
            {field}: {said}
          </span>
          {handled}
        </div>
      </td>
      <td className={`${tables.end} ${classes.seen}`}>{formatCount(seen)}</td>
      <td className={`text-muted ${tables.end} ${classes.last}`}>
        <RelativeTime at={last_at} />
      </td>
      <td className={`${tables.after} ${classes.handling}`}>{handled}</td>
    </tr>
  )
}
