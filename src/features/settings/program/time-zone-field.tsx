import { Autocomplete } from "@mantine/core"
import "@mantine/core/styles/Combobox.layer.css"
import "@mantine/core/styles/Input.layer.css"
import "@mantine/core/styles/Popover.layer.css"
import "@mantine/core/styles/ScrollArea.layer.css"
import { useController, type FieldValues } from "react-hook-form"
import { FieldError } from "../../../form/field-error.tsx"
import { FieldLabel } from "../../../form/field-label.tsx"
import type { FieldProps } from "../../../form/field-props.ts"

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
