import type { OrderConflict } from "../../contract/job-rows.ts"
import { Status } from "../ui/status.tsx"
import classes from "./job.module.css"

const fields = [
  { field: "status", label: "Status" },
  { field: "tracking_number", label: "Tracking" },
  { field: "carrier", label: "Carrier" },
] as const

/**
 * The three versions in a conflict over an order: as it was seen before, as it is there now, and as this change wants it.
 * What somebody else changed is marked with a word, not by colour alone.
 */
export function OrderConflictTable({ conflict }: { conflict: OrderConflict }) {
  const { before, theirs, yours } = conflict
  return (
    <table className={classes.conflict}>
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">Field</span>
          </th>
          <th scope="col">Before</th>
          <th scope="col">Current</th>
          <th scope="col">Yours</th>
        </tr>
      </thead>
      <tbody>
        {fields.map(({ field, label }) => {
          const changed = before[field] !== undefined && textOf(before[field]) !== textOf(theirs[field])
          return (
            <tr key={field}>
              <th scope="row">{label}</th>
              <td className="text-muted">
                {before[field] === undefined ? "Not checked" : <Value field={field} text={before[field]} />}
              </td>
              <td data-changed={changed || undefined}>
                <Value field={field} text={theirs[field]} />
                {changed && <small>changed</small>}
              </td>
              <td>
                {yours[field] === undefined ? (
                  <span className="text-muted">Unchanged</span>
                ) : (
                  <Value field={field} text={yours[field]} />
                )}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

function textOf(text: string | null | undefined): string {
  return text ?? ""
}

function Value({
  field,
  text,
}: {
  field: (typeof fields)[number]["field"]
  text: string | null | undefined
}) {
  if (!text) return <span className="text-muted">None</span>
  if (field === "status") return <Status of="order" value={text} />
  return <span className={field === "tracking_number" ? "l-mono" : undefined}>{text}</span>
}
