import { useQuery } from "@tanstack/react-query"
import { useFormState } from "react-hook-form"
import { amountLimits, type AmountLimits } from "../../../../contract/limits.ts"
import { limitsQuery, programSettingsQuery, useSaveLimits } from "../../../api/settings.ts"
import { InlineForm } from "../../../forms/inline-form.tsx"
import { TextField } from "../../../forms/text-field.tsx"
import { useDeskForm } from "../../../forms/use-desk-form.ts"
import { centsOf, readDollars } from "../../../lib/format.ts"
import * as z from "zod/mini"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { Facts } from "../facts.tsx"
import { SectionHead } from "../section-head.tsx"
import { usePointsSettingsAccess } from "./points-settings-access.ts"
import classes from "./program-page.module.css"

const labels: Readonly<Record<keyof AmountLimits, string>> = {
  points_row: "Points per row",
  points_job: "Points per job",
  points_day: "Points per person and day",
  card_row_cents: "Gift card amount",
  card_job_cents: "Gift cards per job",
  card_day_cents: "Gift cards per person and day",
}
const names = Object.keys(labels).filter((name): name is keyof AmountLimits => name in labels)

type Typed = Record<keyof AmountLimits, string>

const points = (value: number) => value.toLocaleString("en-AU")
const dollars = (cents: number) => (cents / 100).toLocaleString("en-AU", { maximumFractionDigits: 2 })

/** What the fields hold: points as they are, cards in dollars. */
function typedOf(limits: AmountLimits): Typed {
  return {
    points_row: points(limits.points_row),
    points_job: points(limits.points_job),
    points_day: points(limits.points_day),
    card_row_cents: dollars(limits.card_row_cents),
    card_job_cents: dollars(limits.card_job_cents),
    card_day_cents: dollars(limits.card_day_cents),
  }
}

function isCents(name: string): boolean {
  return name.endsWith("_cents")
}

const field = z.string()
const typedLimits = z.object({
  points_row: field,
  points_job: field,
  points_day: field,
  card_row_cents: field,
  card_job_cents: field,
  card_day_cents: field,
})
const limitsForm: z.ZodMiniType<AmountLimits, Typed> = z.pipe(
  z.pipe(
    typedLimits,
    z.transform((typed) =>
      Object.fromEntries(
        names.map((name) => {
          const value = readDollars(typed[name])
          return [name, isCents(name) ? centsOf(value) : value]
        }),
      ),
    ),
  ),
  amountLimits,
)

/** How much one row, one job and one person a day may award, deduct or issue. */
export function LimitsSection() {
  const maySave = usePointsSettingsAccess()
  const { data: limits, error, refetch } = useQuery(limitsQuery)
  return (
    <section className={classes.program}>
      <SectionHead title="Limits" />
      {error !== null && (
        <ErrorNotice error={error} what="Couldn’t load the limits." onRetry={() => void refetch()} />
      )}
      {limits !== undefined && maySave && <LimitsForm limits={limits} />}
      {limits !== undefined && !maySave && (
        <>
          <Facts rows={names.map((name) => [labels[name], typedOf(limits)[name]])} />
          <p className={classes.note}>Changing this requires the Administrator role.</p>
        </>
      )}
    </section>
  )
}

function LimitsForm({ limits }: { limits: AmountLimits }) {
  const save = useSaveLimits()
  const currency = useQuery(programSettingsQuery).data?.currency
  const form = useDeskForm({ schema: limitsForm, values: typedOf(limits) })
  const { control, reset } = form.methods
  const { isDirty } = useFormState({ control })
  const helpOf = (name: keyof AmountLimits) => {
    if (isCents(name)) return currency === undefined ? "" : `In ${currency}.`
    return name === "points_row" ? "Awards and deductions." : ""
  }
  return (
    <InlineForm
      label="Limits"
      form={form}
      onSubmit={async (body) => reset(typedOf(await save.mutateAsync(body)))}
      submitError={save.error}
      busy={save.isPending}
      notDone="Couldn’t save the limits."
      action="Save limits"
      running="Saving"
      aside={<output className={classes.saved}>{save.isSuccess && !isDirty && "Saved."}</output>}
    >
      {names.map((name) => (
        <TextField key={name} control={control} name={name} label={labels[name]} help={helpOf(name)} />
      ))}
    </InlineForm>
  )
}
