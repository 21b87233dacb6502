import { useQuery } from "@tanstack/react-query"
import { useFormState } from "react-hook-form"
import type { CardCosts } from "../../../../contract/cards.ts"
import { cardFundQuery, useSaveCardCosts } from "../../../api/gift-cards.ts"
import { useSession } from "../../../api/session.ts"
import { InlineForm } from "../../../forms/inline-form.tsx"
import { TextField } from "../../../forms/text-field.tsx"
import { useDeskForm } from "../../../forms/use-desk-form.ts"
import { formatCount, formatMoney } from "../../../lib/format.ts"
import { RelativeTime } from "../../../ui/values.tsx"
import classes from "./cards-page.module.css"
import { costsFields, costsSchema, type CostsValues } from "./costs-model.ts"

/** What a card costs beyond its face value, and what is in the fund: entered by hand, for forecasts. */
export function CostsForm({ costs }: { costs: CardCosts }) {
  const { currency } = useSession().program
  const save = useSaveCardCosts()
  const form = useDeskForm<CostsValues, CardCosts>({
    schema: costsSchema(costs, Date.now),
    values: costsFields(costs),
  })
  const { control, reset } = form.methods
  const { isDirty } = useFormState({ control })
  return (
    <div className={classes.costs}>
      <InlineForm
        label="Costs and fund"
        form={form}
        onSubmit={async (entered) => reset(costsFields(await save.mutateAsync(entered)))}
        submitError={save.error}
        busy={save.isPending}
        notDone="Costs and fund were not saved."
        action="Save"
        running="Saving"
        aside={<output className={classes.saved}>{save.isSuccess && !isDirty && "Saved."}</output>}
      >
        <div className={classes.two}>
          <TextField control={control} name="fee" label={`Fee per card, ${currency}`} />
          <TextField control={control} name="gst" label="GST on the fee, percent" />
        </div>
        <TextField
          control={control}
          name="fund"
          label={`In the fund now, ${currency}`}
          optional
          help={<FundHelp currency={currency} />}
        />
      </InlineForm>
    </div>
  )
}

/** When it was entered, and what is left of it by the cards issued here since. */
function FundHelp({ currency }: { currency: string }) {
  const { data: fund } = useQuery(cardFundQuery)
  const none = "As shown in the dashboard. Cards issued here afterwards are subtracted."
  if (fund === undefined || fund.entered_at === null || fund.left_cents === null) return none
  return (
    <>
      Entered <RelativeTime at={fund.entered_at} />. {formatCount(fund.cards)}{" "}
      {fund.cards === 1 ? "card" : "cards"} since drew {formatMoney(fund.drawn_cents, currency)}:{" "}
      {formatMoney(fund.left_cents, currency)} left.
    </>
  )
}
