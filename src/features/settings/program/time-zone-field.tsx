import { Autocomplete } from "@mantine/core"
import { useController, type FieldValues } from "react-hook-form"
import { FieldError } from "../../../forms/field-error.tsx"
import { FieldLabel } from "../../../forms/field-label.tsx"
import type { FieldProps } from "../../../forms/field-props.ts"

const zones = Intl.supportedValuesOf("timeZone")

/** How many zones are offered at once; typing a part of the name narrows them. */
const offered = 40

/** A time zone by name, with suggestions as one types. */
export function TimeZoneField<I extends FieldValues, O>(props: FieldProps<I, O, string>) {
  const { control, name, label, help, optional = false, disabled = false } = props
  const { field, fieldState } = useController({ control, name })
  const message = fieldState.error?.message
  return (
    <Autocomplete
      {...field}
      size="md"
      data={zones}
      limit={offered}
      label={<FieldLabel label={label} optional={optional} />}
      description={help}
      error={message === undefined ? undefined : <FieldError message={message} />}
      required={!optional}
      disabled={disabled}
      spellCheck={false}
    />
  )
}
