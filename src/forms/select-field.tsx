import { NativeSelect } from "@mantine/core"
import { useController, type FieldValues } from "react-hook-form"
import { FieldError } from "./field-error.tsx"
import { FieldLabel } from "./field-label.tsx"
import type { FieldProps } from "./field-props.ts"
import { SelectChevron } from "./select-chevron.tsx"

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
