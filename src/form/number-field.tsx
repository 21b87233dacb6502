import { NumberInput } from "@mantine/core"
import "@mantine/core/styles/Input.layer.css"
import "@mantine/core/styles/NumberInput.layer.css"
import { useController, type FieldValues } from "react-hook-form"
import { FieldError } from "./field-error.tsx"
import { FieldLabel } from "./field-label.tsx"
import type { FieldProps } from "./field-props.ts"

interface NumberFieldProps<I extends FieldValues, O> extends FieldProps<I, O, number | string> {
  /** Unit inside the field: `points`, `days`. */
  unit?: string
  /** Whole numbers unless decimals are named. */
  decimals?: number
}

/** A number. The field holds `""` while it is empty, so its value is a number or text; the schema decides. */
export function NumberField<I extends FieldValues, O>(props: NumberFieldProps<I, O>) {
  const { control, name, label, help, optional = false, disabled = false, unit, decimals = 0 } = props
  const { field, fieldState } = useController({ control, name })
  const message = fieldState.error?.message
  return (
    <NumberInput
      {...field}
      size="md"
      label={<FieldLabel label={label} optional={optional} />}
      description={help}
      error={message === undefined ? undefined : <FieldError message={message} />}
      required={!optional}
      disabled={disabled}
      decimalScale={decimals}
      suffix={unit === undefined ? "" : ` ${unit}`}
    />
  )
}
