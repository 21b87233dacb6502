import type { OrderConflict } from "../../contract/job-rows.ts"
import { DataTable } from "../ui/data-table.tsx"
import { Status } from "../ui/status.tsx"

const fields = [
  { field: "status", label: "Status" },
  { field: "tracking_number", label: "Tracking" },
  { field: "carrier", label: "Carrier" },
] as const
type Field = (typeof fields)[number]["field"]

/**
 * The three versions in a conflict over an order: as it was seen before, as it is there now, and as this change wants it.
 * What somebody else changed is marked with a word, not by colour alone.
 */
export function OrderConflictTable({ conflict }: { conflict: OrderConflict }) {
  const { before, theirs, yours } = conflict
  const changed = (field: Field) =>
    before[field] !== undefined && (before[field] ?? "") !== (theirs[field] ?? "")
  return (
    <DataTable
      label="Versions of the order"
      rows={fields}
      keyOf={({ field }) => field}
      columns={[
        {
          label: "Field",
          quiet: true,
          rowHeader: true,
          width: 72,
          cell: ({ label }) => <span className="text-muted">{label}</span>,
        },
        {
          label: "Before",
          cell: ({ field }) => (
            <span className="text-muted">
              {before[field] === undefined ? "Not checked" : <Value field={field} text={before[field]} />}
            </span>
          ),
        },
        {
          label: "Current",
          cell: ({ field }) => (
            <>
              <Value field={field} text={theirs[field]} />
              {changed(field) && (
                <div className="tone-text l-meta" data-tone="warning">
                  changed
                </div>
              )}
            </>
          ),
        },
        {
          label: "Yours",
          cell: ({ field }) =>
            yours[field] === undefined ? (
              <span className="text-muted">Unchanged</span>
            ) : (
              <Value field={field} text={yours[field]} />
            ),
        },
      ]}
    />
  )
}

function Value({ field, text }: { field: Field; text: string | null | undefined }) {
  if (!text) return <span className="text-muted">None</span>
  if (field === "status") return <Status of="order" value={text} />
  return (
    <span className={field === "tracking_number" ? "l-mono wrap-anywhere" : "wrap-anywhere"}>{text}</span>
  )
}
