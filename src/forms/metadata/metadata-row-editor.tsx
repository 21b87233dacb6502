import { NativeSelect, TextInput } from "@mantine/core"
import { IconTrash } from "@tabler/icons-react"
import { IconButton } from "../../ui/icon-button.tsx"
import { FieldError } from "../field-error.tsx"
import { SelectChevron } from "../select-chevron.tsx"
import classes from "./metadata-field.module.css"
import { metadataKinds, type MetadataKind, type MetadataRow } from "./metadata-model.ts"
import { MetadataValue } from "./metadata-value.tsx"
import type { RowProblems } from "./row-problems.ts"

const kindNames: Readonly<Record<MetadataKind, string>> = {
  text: "Text",
  number: "Number",
  "yes-no": "Yes or no",
  nothing: "Nothing",
  json: "JSON",
}
const kindOptions = metadataKinds.map((kind) => ({ value: kind, label: kindNames[kind] }))

interface MetadataRowEditorProps {
  /** Its place, from 1. */
  number: number
  row: MetadataRow
  problems: RowProblems | undefined
  onChange: (row: MetadataRow) => void
  onRemove: () => void
}

/** One key of the metadata: its name, its kind, its value. */
export function MetadataRowEditor({ number, row, problems, onChange, onRemove }: MetadataRowEditorProps) {
  return (
    <div className={classes.row}>
      <TextInput
        className={classes.key}
        aria-label={`Key ${number}`}
        placeholder="Key"
        autoComplete="off"
        value={row.key}
        error={problems?.key === undefined ? undefined : <FieldError message={problems.key} />}
        onChange={(event) => onChange({ ...row, key: event.currentTarget.value })}
      />
      <NativeSelect
        className={classes.kind}
        aria-label={`Kind of ${row.key || `value ${number}`}`}
        data={kindOptions}
        rightSection={<SelectChevron />}
        value={row.kind}
        onChange={(event) => {
          const kind = metadataKinds.find((each) => each === event.currentTarget.value)
          if (kind !== undefined) onChange({ ...row, kind, text: textFor(kind, row.text) })
        }}
      />
      <IconButton
        label={`Remove ${row.key || `row ${number}`}`}
        icon={<IconTrash size={16} stroke={1.75} />}
        onClick={onRemove}
        size="lg"
      />
      <div className={classes.value}>
        <MetadataValue
          label={`Value of ${row.key || `row ${number}`}`}
          row={row}
          problem={problems?.text}
          onChange={(text) => onChange({ ...row, text })}
        />
      </div>
    </div>
  )
}

/** The text a value keeps when its kind changes: all of it, except where the new kind knows two values only. */
function textFor(kind: MetadataKind, text: string): string {
  if (kind === "yes-no") return ["yes", "true", "1"].includes(text.trim().toLowerCase()) ? "yes" : "no"
  return kind === "nothing" ? "" : text
}
