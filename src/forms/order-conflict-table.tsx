import type { ReactNode } from "react"
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
export function OrderConflictTable({ conflict: { before, theirs, yours } }: { conflict: OrderConflict }) {
  const current = (field: Field) => (
    <>
      {valueOf(field, theirs[field])}
      {before[field] !== undefined && (before[field] ?? "") !== (theirs[field] ?? "") && (
        <div className="tone-text l-meta" data-tone="warning">
          changed
        </div>
      )}
    </>
  )
  return (
    <DataTable
      label="Versions of the order"
      rows={fields}
      keyOf={({ field }) => field}
      columns={[
        { label: "Field", quiet: true, rowHeader: true, width: 72, cell: ({ label }) => muted(label) },
        { label: "Before", cell: ({ field }) => muted(valueOf(field, before[field], "Not checked")) },
        { label: "Current", cell: ({ field }) => current(field) },
        { label: "Yours", cell: ({ field }) => valueOf(field, yours[field], muted("Unchanged")) },
      ]}
    />
  )
}

const muted = (text: ReactNode) => <span className="text-muted">{text}</span>

/** A field of one version; `absent` stands where the version says nothing of it. */
function valueOf(field: Field, text: string | null | undefined, absent: ReactNode = muted("None")) {
  if (text === undefined) return absent
  if (!text) return muted("None")
  return (
    <span className={field === "tracking_number" ? "l-mono wrap-anywhere" : "wrap-anywhere"}>
      {field === "status" ? <Status of="order" value={text} /> : text}
    </span>
  )
}
