import { NativeSelect, Textarea, TextInput } from "@mantine/core"
import { useState, type HTMLInputTypeAttribute, type ReactNode } from "react"
import { type Control, type FieldPathByValue, type FieldValues, useController } from "react-hook-form"
import { useComposedText } from "../ui/hooks.ts"
import { countFormatCharacters, exactText } from "../../contract/typed-text.ts"
import { FieldError, SelectChevron } from "../ui/field-parts.tsx"
import classes from "./form.module.css"

/** A field's label with a note at its right end. Optional fields are marked there; required ones are not marked. */
export function FieldLabel({ label, aside }: { label: string; aside?: string | undefined }) {
  return (
    <span className={classes.label} data-aside={aside}>
      {label}
    </span>
  )
}

/** Props of every field. `V` is the type of its value: naming a field of another type is a type error. */
export interface FieldProps<I extends FieldValues, O, V> {
  control: Control<I, unknown, O>
  name: FieldPathByValue<I, V>
  label: string
  /** At the label's right end, instead of "Optional". */
  aside?: string | undefined
  help?: ReactNode
  optional?: boolean
  disabled?: boolean
}

/** Props of a Mantine input for a field: value, label, help, error and size. */
export function useField<I extends FieldValues, O>(props: FieldProps<I, O, string>) {
  const { control, name, label, help, optional = false, disabled = false } = props
  const { aside = optional ? "Optional" : undefined } = props
  const { field, fieldState } = useController({ control, name })
  const message = fieldState.error?.message
  return {
    ...field,
    size: "md",
    label: <FieldLabel label={label} aside={aside} />,
    description: help,
    error: message !== undefined && <FieldError message={message} />,
    required: !optional,
    disabled,
  }
}

/** Input props for an id, number, reference, e-mail or phone, and a note after invisible characters were removed. */
export function useExactText(value: string, onText: (text: string) => void) {
  const [removed, setRemoved] = useState(false)
  const props = useComposedText(value, (text) => {
    const exact = exactText(text)
    setRemoved(exact !== "" && (removed || countFormatCharacters(text) > 0))
    onText(exact)
  })
  return { props, note: removed && value !== "" ? "Invisible characters were removed." : undefined }
}

/** One line of text; `first` is focused when its drawer opens. */
export function TextField<I extends FieldValues, O>(
  props: FieldProps<I, O, string> & {
    type?: HTMLInputTypeAttribute
    placeholder?: string
    first?: boolean
    /** An id, number, reference, e-mail or phone, in which every character counts. */
    exact?: boolean
  },
) {
  const { type = "text", placeholder, first, exact = false } = props
  const field = useField(props)
  const composed = useComposedText(field.value, field.onChange)
  const { props: cleaned, note } = useExactText(field.value, field.onChange)
  return (
    <TextInput
      {...field}
      {...(exact ? cleaned : composed)}
      {...(exact && note !== undefined && { description: note })}
      {...{ type, placeholder }}
      autoComplete="off"
      data-autofocus={first || undefined}
    />
  )
}

/** Several lines of text. */
export function TextAreaField<I extends FieldValues, O>(props: FieldProps<I, O, string> & { rows?: number }) {
  return <Textarea {...useField(props)} autosize minRows={props.rows ?? 4} maxRows={24} />
}

/** A native select of a few fixed values, which works the same on a phone. */
export function SelectField<I extends FieldValues, O>(
  props: FieldProps<I, O, string> & {
    options: readonly { value: string; label: string; disabled?: boolean }[]
  },
) {
  return <NativeSelect {...useField(props)} data={[...props.options]} rightSection={<SelectChevron />} />
}
