import { TextInput } from "@mantine/core"
import { useId } from "react"
import { useController, type Control } from "react-hook-form"
import type { GiftcardRow } from "../../../../contract/job-rows.ts"
import { FieldError } from "../../../forms/fields.tsx"
import { centsOf, formatMoney, readDollars } from "../../../lib/format.ts"
import classes from "../issue.module.css"
import type { IssueValues } from "../issue-model.ts"

interface AmountFieldProps {
  control: Control<IssueValues, unknown, GiftcardRow>
  /** Amounts entered for the template, dollars. */
  amounts: readonly number[]
  /** Of those, amounts that the service refused. */
  refused: readonly number[]
  currency: string
}

/** The face value: one of the amounts entered for the card, or another one typed. */
export function AmountField({ control, amounts, refused, currency }: AmountFieldProps) {
  const { field, fieldState } = useController({ control, name: "denomination" })
  const id = useId()
  const message = fieldState.error?.message
  const chosen = readDollars(field.value)
  const listed = amounts.includes(chosen)
  return (
    <fieldset className={classes.amounts} aria-describedby={`${id}-help`}>
      <legend className={classes.legend}>
        Amount <span className="l-meta text-muted">{currency}</span>
      </legend>
      <div className={classes.chips}>
        {amounts.map((amount) => (
          <button
            key={amount}
            type="button"
            className={classes.chip}
            aria-pressed={amount === chosen}
            data-refused={refused.includes(amount) || undefined}
            title={refused.includes(amount) ? "Refused before" : undefined}
            onClick={() => field.onChange(String(amount))}
          >
            {chipText(amount, currency)}
          </button>
        ))}
        <TextInput
          {...field}
          size="md"
          className={classes.other ?? ""}
          aria-label={amounts.length === 0 ? "Amount" : "Another amount"}
          placeholder={amounts.length === 0 ? "For example, 50.00" : "Another"}
          inputMode="decimal"
          autoComplete="off"
          maxLength={12}
          value={listed ? "" : field.value}
          error={message !== undefined}
          aria-describedby={`${id}-help`}
        />
      </div>
      <span id={`${id}-help`} className={classes.help} data-wrong={message !== undefined || undefined}>
        {message === undefined ? helpFor(amounts, chosen, listed) : <FieldError message={message} />}
      </span>
    </fieldset>
  )
}

/** "$50", and "$12.50" where there are cents: a choice, not a sum. */
function chipText(dollars: number, currency: string): string {
  return formatMoney(centsOf(dollars), currency).replace(/\.00$/, "")
}

function helpFor(amounts: readonly number[], chosen: number, listed: boolean): string {
  if (amounts.length === 0) return "No amounts are set up for this card. The service decides which are valid."
  return listed || Number.isNaN(chosen)
    ? "Amounts set up for this card. You can enter another; the service decides whether it’s valid."
    : "Not one of the amounts set up for this card. The service decides whether it’s valid."
}
