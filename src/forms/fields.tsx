import { NativeSelect, Textarea, TextInput } from "@mantine/core"
import type { HTMLInputTypeAttribute, ReactNode } from "react"
import { type Control, type FieldPathByValue, type FieldValues, useController } from "react-hook-form"
import { FieldError, SelectChevron } from "../ui/field-parts.tsx"
import classes from "./form.module.css"

/** A field's label. What may be left empty says so at the right end; what is required is not marked. */
export function FieldLabel({ label, optional }: { label: string; optional: boolean }) {
  return (
    <span className={classes.label} data-aside={optional ? "Optional" : undefined}>
      {label}
    </span>
  )
}

/** What every field takes. `V` is the kind of value it edits: naming a field of another kind is a type error. */
export interface FieldProps<I extends FieldValues, O, V> {
  control: Control<I, unknown, O>
  name: FieldPathByValue<I, V>
  label: string
  help?: ReactNode
  optional?: boolean
  disabled?: boolean
}

interface TextFieldProps<I extends FieldValues, O> extends FieldProps<I, O, string> {
  type?: HTMLInputTypeAttribute
  placeholder?: string
  autoComplete?: string
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

interface TextAreaFieldProps<I extends FieldValues, O> extends FieldProps<I, O, string> {
  rows?: number
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

interface SelectFieldProps<I extends FieldValues, O> extends FieldProps<I, O, string> {
  options: readonly { value: string; label: string; disabled?: boolean }[]
}

/** One of a few fixed values. The platform's own list: it works the same on a phone. */
export function SelectField<I extends FieldValues, O>(props: SelectFieldProps<I, O>) {
  const { control, name, label, help, optional = false, disabled = false, options } = props
  const { field, fieldState } = useController({ control, name })
  const message = fieldState.error?.message
  return (
    <NativeSelect
      {...field}
      size="md"
      data={[...options]}
      rightSection={<SelectChevron />}
      label={<FieldLabel label={label} optional={optional} />}
      description={help}
      error={message === undefined ? undefined : <FieldError message={message} />}
      required={!optional}
      disabled={disabled}
    />
  )
}
