import { useMediaQuery } from "@mantine/hooks"
import type { ReactNode } from "react"
import type { OrderConflict } from "../../contract/kinds/order-update.ts"
import { DataTable, DescriptionList } from "../ui/data-table.tsx"
import { Status } from "../ui/status.tsx"

const fields = [
  { field: "status", label: "Status" },
  { field: "tracking_number", label: "Tracking" },
  { field: "carrier", label: "Carrier" },
] as const
type Row = (typeof fields)[number]
type Field = Row["field"]

/**
 * The three versions in a conflict over an order: before, current, and with this change. Changes by others are marked
 * with text, not only by colour. The columns are equally wide, so that compared numbers wrap alike, and stacked if
 * there is no room.
 */
export function OrderConflictTable({ conflict: { before, theirs, yours } }: { conflict: OrderConflict }) {
  const narrow = useMediaQuery("(width < 420px)", false, { getInitialValueInEffect: false })
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
  const versions = [
    { label: "Before", cell: ({ field }: Row) => muted(valueOf(field, before[field], "Not checked")) },
    { label: "Current", cell: ({ field }: Row) => current(field) },
    { label: "Yours", cell: ({ field }: Row) => valueOf(field, yours[field], muted("Unchanged")) },
  ]
  if (narrow)
    return fields.map((row) => (
      <section key={row.field}>
        <h3>{row.label}</h3>
        <DescriptionList layout="inline" items={versions.map(({ label, cell }) => [label, cell(row)])} />
      </section>
    ))
  return (
    <DataTable
      label="Versions of the order"
      rows={fields}
      keyOf={({ field }) => field}
      columns={[
        { label: "Field", quiet: true, rowHeader: true, width: 72, cell: ({ label }) => muted(label) },
        ...versions.map((version) => ({ ...version, width: 120 })),
      ]}
    />
  )
}

const muted = (text: ReactNode) => <span className="text-muted">{text}</span>

/** A field of one version; `absent` is shown if the version lacks it. */
function valueOf(field: Field, text: string | null | undefined, absent: ReactNode = muted("None")) {
  if (text === undefined) return absent
  if (!text) return muted("None")
  return (
    <span className={field === "tracking_number" ? "l-mono wrap-anywhere" : "wrap-anywhere"}>
      {field === "status" ? <Status of="order" value={text} /> : text}
    </span>
  )
}
