import type { ReactNode } from "react"
import type { Control, FieldPathByValue, FieldValues } from "react-hook-form"

/** What every field takes. `V` is the kind of value it edits: naming a field of another kind is a type error. */
export interface FieldProps<I extends FieldValues, O, V> {
  control: Control<I, unknown, O>
  name: FieldPathByValue<I, V>
  label: string
  help?: ReactNode
  /** May be left empty. */
  optional?: boolean
  disabled?: boolean
}
