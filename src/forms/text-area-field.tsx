import { Textarea } from "@mantine/core"
import { useController, type FieldValues } from "react-hook-form"
import { FieldError } from "./field-error.tsx"
import { FieldLabel } from "./field-label.tsx"
import type { FieldProps } from "./field-props.ts"

interface TextAreaFieldProps<I extends FieldValues, O> extends FieldProps<I, O, string> {
  /** Lines it begins with; it grows with the text. */
  rows?: number
  /** The only field there is needs no word about being optional. */
  alone?: boolean
}

/** Several lines of text. */
export function TextAreaField<I extends FieldValues, O>(props: TextAreaFieldProps<I, O>) {
  const { control, name, label, help, optional = false, disabled = false, rows = 4, alone = false } = props
  const { field, fieldState } = useController({ control, name })
  const message = fieldState.error?.message
  return (
    <Textarea
      {...field}
      size="md"
      autosize
      minRows={rows}
      maxRows={24}
      label={<FieldLabel label={label} optional={optional && !alone} />}
      description={help}
      error={message === undefined ? undefined : <FieldError message={message} />}
      required={!optional}
      disabled={disabled}
    />
  )
}
