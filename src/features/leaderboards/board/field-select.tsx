import { NativeSelect } from "@mantine/core"
import { SelectChevron } from "../../../ui/field-parts.tsx"
import classes from "./board-side.module.css"

interface FieldSelectProps {
  label: string
  value: string | null
  fields: readonly string[]
  help?: string | undefined
  disabled?: boolean
  onChange: (field: string | null) => void
}

/** One of the fields that were sent, or none of them. */
export function FieldSelect({ label, value, fields, help, disabled = false, onChange }: FieldSelectProps) {
  return (
    <NativeSelect
      label={label}
      description={help}
      value={value ?? ""}
      disabled={disabled}
      data={[{ value: "", label: "None" }, ...fields.map((field) => ({ value: field, label: field }))]}
      rightSection={<SelectChevron />}
      classNames={{ input: classes.select ?? "" }}
      onChange={(event) => onChange(event.currentTarget.value || null)}
    />
  )
}
