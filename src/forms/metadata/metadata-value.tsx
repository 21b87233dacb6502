import { Textarea, TextInput } from "@mantine/core"
import { Segmented } from "../../ui/segmented.tsx"
import { FieldError } from "../field-error.tsx"
import classes from "./metadata-field.module.css"
import type { MetadataRow } from "./metadata-model.ts"

interface MetadataValueProps {
  label: string
  row: MetadataRow
  problem: string | undefined
  onChange: (text: string) => void
}

const yesNo = [
  { value: "yes", label: "Yes" },
  { value: "no", label: "No" },
] as const

/** The field that fits a value's kind. Text with line breaks gets several lines, or they would be lost. */
export function MetadataValue({ label, row, problem, onChange }: MetadataValueProps) {
  const error = problem === undefined ? undefined : <FieldError message={problem} />
  if (row.kind === "nothing") return <p className={classes.nothing}>The key is there and holds nothing.</p>
  if (row.kind === "yes-no") {
    return (
      <Segmented
        label={label}
        value={row.text === "yes" ? "yes" : "no"}
        options={yesNo}
        onChange={onChange}
      />
    )
  }
  if (row.kind === "json" || row.text.includes("\n")) {
    return (
      <Textarea
        aria-label={label}
        autosize
        minRows={2}
        maxRows={12}
        value={row.text}
        error={error}
        spellCheck={row.kind === "text"}
        classNames={row.kind === "json" ? { input: "l-mono" } : {}}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    )
  }
  return (
    <TextInput
      aria-label={label}
      placeholder="Value"
      autoComplete="off"
      inputMode={row.kind === "number" ? "decimal" : "text"}
      value={row.text}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
