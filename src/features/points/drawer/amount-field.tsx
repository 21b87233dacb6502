import { TextInput } from "@mantine/core"
import { useController, type Control } from "react-hook-form"
import { FieldError } from "../../../forms/field-error.tsx"
import { formatPoints } from "../../../lib/format.ts"
import classes from "./points-fields.module.css"
import { readPoints, type PointsEntry, type PointsValues } from "./points-model.ts"

interface AmountFieldProps {
  control: Control<PointsValues, unknown, PointsEntry>
  /** Amounts a click fills in. */
  offers: readonly { readonly points: number; readonly label?: string }[]
  help?: string | undefined
  /** Takes the focus when the drawer opens. */
  first: boolean
}

/** How many points: typed, or one of a few usual amounts. */
export function AmountField({ control, offers, help, first }: AmountFieldProps) {
  const { field, fieldState } = useController({ control, name: "points" })
  const message = fieldState.error?.message
  const now = readPoints(field.value)
  return (
    <div className={classes.field}>
      <TextInput
        {...field}
        size="lg"
        label="Points"
        inputMode="numeric"
        autoComplete="off"
        classNames={{ input: classes.amount }}
        rightSection={<span className="text-muted l-meta">points</span>}
        rightSectionWidth={64}
        description={help}
        error={message === undefined ? undefined : <FieldError message={message} />}
        required
        data-autofocus={first || undefined}
      />
      {offers.length > 0 && (
        <div className={classes.offers}>
          {offers.map(({ points, label }) => (
            <button
              key={points}
              type="button"
              className={classes.offer}
              aria-pressed={points === now}
              onClick={() => field.onChange(formatPoints(points))}
            >
              {label ?? formatPoints(points)}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}
