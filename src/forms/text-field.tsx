import { TextInput } from "@mantine/core"
import type { HTMLInputTypeAttribute } from "react"
import { useController, type FieldValues } from "react-hook-form"
import { FieldError } from "./field-error.tsx"
import { FieldLabel } from "./field-label.tsx"
import type { FieldProps } from "./field-props.ts"

interface TextFieldProps<I extends FieldValues, O> extends FieldProps<I, O, string> {
  type?: HTMLInputTypeAttribute
  placeholder?: string
  /** For the browser's own suggestions; off where the field is about somebody else. */
  autoComplete?: string
  /** Takes the focus when its drawer opens. */
  first?: boolean
}

/** One line of text. */
export function TextField<I extends FieldValues, O>(props: TextFieldProps<I, O>) {
  const { control, name, label, help, optional = false, disabled = false } = props
  const { field, fieldState } = useController({ control, name })
  const message = fieldState.error?.message
  return (
    <TextInput
      {...field}
      size="md"
      label={<FieldLabel label={label} optional={optional} />}
      description={help}
      error={message === undefined ? undefined : <FieldError message={message} />}
      required={!optional}
      disabled={disabled}
      type={props.type ?? "text"}
      placeholder={props.placeholder}
      autoComplete={props.autoComplete ?? "off"}
      data-autofocus={props.first || undefined}
    />
  )
}
