import { useMediaQuery } from "@mantine/hooks"
import type { ReactNode } from "react"
import type { RowConflict } from "../../contract/job-rows.ts"
import { memberUpdateFields } from "../../contract/kinds/member-update.ts"
import { memberFields } from "../../contract/program/member-fields.ts"
import { DataTable, DescriptionList } from "../ui/data-table.tsx"
import { Status } from "../ui/status.tsx"

type Field = keyof RowConflict["yours"]
type Row = Readonly<{ field: Field; label: string }>

const orderFields: readonly Row[] = [
  { field: "status", label: "Status" },
  { field: "tracking_number", label: "Tracking" },
  { field: "carrier", label: "Carrier" },
]

/**
 * The three versions in a conflict over an order or a member: before, current, and with this change. Changes by others
 * are marked with text, not only by colour. The columns are equally wide, so that compared numbers wrap alike, and
 * stacked if there is no room.
 */
export function ConflictTable(props: { of: "order" | "member"; conflict: RowConflict }) {
  const { of, conflict } = props
  const { before, theirs, yours } = conflict
  const narrow = useMediaQuery("(width < 420px)", false, { getInitialValueInEffect: false })
  const changed = memberUpdateFields.filter((field) => yours[field] !== undefined)
  const fields =
    of === "order" ? orderFields : changed.map((field) => ({ field, label: memberFields[field].label }))
  const valueOf = (field: Field, text: string | null | undefined, absent?: ReactNode) =>
    text === undefined && absent !== undefined ? absent : <Value of={of} field={field} text={text} />
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
  const labels = of === "order" ? (["Current", "Yours"] as const) : (["Now", "After"] as const)
  const versions = [
    { label: "Before", cell: ({ field }: Row) => muted(valueOf(field, before[field], "Not checked")) },
    { label: labels[0], cell: ({ field }: Row) => current(field) },
    { label: labels[1], cell: ({ field }: Row) => valueOf(field, yours[field], muted("Unchanged")) },
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
      label={`Versions of the ${of}`}
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

/** A field of one version. */
function Value(props: { of: "order" | "member"; field: Field; text: string | null | undefined }) {
  const { of, field, text } = props
  if (!text) return muted("None")
  return (
    <span className={field === "tracking_number" ? "l-mono wrap-anywhere" : "wrap-anywhere"}>
      {field === "status" ? <Status of={of} value={text} /> : text}
    </span>
  )
}
