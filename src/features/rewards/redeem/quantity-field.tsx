import { TextInput } from "@mantine/core"
import { IconMinus, IconPlus } from "@tabler/icons-react"
import { useController, type Control } from "react-hook-form"
import { limits } from "../../../../contract/limits.ts"
import { FieldError } from "../../../forms/fields.tsx"
import { IconButton } from "../../../ui/icon-button.tsx"
import classes from "./redeem-fields.module.css"
import { readQuantity, type RedeemEntry, type RedeemValues } from "./redeem-model.ts"

const { min, max } = limits.quantity

/** How many pieces: typed, or one more and one fewer. */
export function QuantityField({ control }: { control: Control<RedeemValues, unknown, RedeemEntry> }) {
  const { field, fieldState } = useController({ control, name: "quantity" })
  const message = fieldState.error?.message
  const now = readQuantity(field.value)
  const step = (by: number) => () =>
    field.onChange(String(Math.min(max, Math.max(min, (Number.isNaN(now) ? min : now) + by))))
  return (
    <TextInput
      {...field}
      size="md"
      label="Quantity"
      inputMode="numeric"
      autoComplete="off"
      maxLength={7}
      required
      data-autofocus
      classNames={{ input: classes.quantity ?? "" }}
      leftSection={
        <IconButton
          label="One fewer"
          icon={<IconMinus size={14} stroke={2} />}
          disabled={now <= min}
          onClick={step(-1)}
        />
      }
      leftSectionPointerEvents="all"
      rightSection={
        <IconButton
          label="One more"
          icon={<IconPlus size={14} stroke={2} />}
          disabled={now >= max}
          onClick={step(1)}
        />
      }
      error={message === undefined ? undefined : <FieldError message={message} />}
    />
  )
}
