import { Button } from "@mantine/core"
import { IconPlus } from "@tabler/icons-react"
import { useController, type FieldValues } from "react-hook-form"
import { limits } from "../../../contract/limits.ts"
import * as z from "zod/mini"
import { FieldError } from "../field-error.tsx"
import { FieldLabel } from "../field-label.tsx"
import type { FieldProps } from "../field-props.ts"
import classes from "./metadata-field.module.css"
import { metadataRow, type MetadataRow } from "./metadata-model.ts"
import { MetadataRowEditor } from "./metadata-row-editor.tsx"
import { rowProblems } from "./row-problems.ts"

const rowList = z.array(metadataRow)

/** Free-form data as rows of key and value: add, rename, change, remove. */
export function MetadataField<I extends FieldValues, O>(props: FieldProps<I, O, MetadataRow[]>) {
  const { control, name, label, help } = props
  const { field, fieldState } = useController({ control, name })
  const rows = rowList.safeParse(field.value).data ?? []
  const { own, byRow } = rowProblems(fieldState.error)
  const set = (index: number, row: MetadataRow) => field.onChange(rows.with(index, row))

  return (
    <fieldset className={classes.field} ref={(box) => field.ref(focusTarget(box))}>
      <legend className={classes.label}>
        <FieldLabel label={label} optional={props.optional ?? false} />
      </legend>
      {rows.map((row, index) => (
        <MetadataRowEditor
          // Rows have no identity but their place: keys can be renamed, and repeat while somebody types.
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          number={index + 1}
          row={row}
          problems={byRow.get(index)}
          onChange={(changed) => set(index, changed)}
          onRemove={() => field.onChange(rows.toSpliced(index, 1))}
        />
      ))}
      {own === undefined ? (
        help !== undefined && <p className={classes.help}>{help}</p>
      ) : (
        <div className={classes.problem} role="alert">
          <FieldError message={own} />
        </div>
      )}
      <div>
        <Button
          size="xs"
          leftSection={<IconPlus size={14} stroke={2} aria-hidden />}
          disabled={rows.length >= limits.metadata.keys}
          onClick={() => field.onChange([...rows, { key: "", kind: "text", text: "" }])}
        >
          Add a key
        </Button>
      </div>
    </fieldset>
  )
}

/** The form focuses its first invalid field; here that is the first invalid row. */
function focusTarget(box: HTMLElement | null) {
  if (box === null) return null
  return {
    focus: () => {
      const invalid = box.querySelector<HTMLElement>("[aria-invalid=true]")
      ;(invalid ?? box.querySelector<HTMLElement>("input, button"))?.focus()
    },
  }
}
