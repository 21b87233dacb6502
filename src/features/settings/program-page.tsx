import { Autocomplete } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useId } from "react"
import { type FieldValues, useController, useFormState, useWatch } from "react-hook-form"
import * as z from "zod/mini"
import { amountLimits, type AmountLimits } from "../../../contract/amount-limits.ts"
import { roleNames, roleNeeded } from "../../../contract/roles.ts"
import { programSettings, type ProgramSettings } from "../../../contract/settings.ts"
import { useCan, useSession } from "../../api/session.ts"
import {
  limitsQuery,
  pointsSettingsQuery,
  programSettingsQuery,
  useSaveLimits,
  useSavePointsSettings,
  useSaveProgramSettings,
} from "../../api/settings.ts"
import { Facts, SectionHead } from "./settings-parts.tsx"
import { FieldLabel, type FieldProps, TextField } from "../../forms/fields.tsx"
import { FieldError } from "../../ui/field-parts.tsx"
import { InlineForm, useAppForm } from "../../forms/form.tsx"
import { timeIn } from "../../lib/days.ts"
import { centsOf, formatMoney, readDollars } from "../../lib/format.ts"
import { Check } from "../../lists/list-table.tsx"
import { ErrorNotice } from "../../ui/error-notice.tsx"
import { useNow } from "../../ui/hooks.ts"
import { SkeletonRows } from "../../ui/query-state.tsx"
import classes from "./settings.module.css"

/** The program as the desk speaks of it: name, time zone, currency. */
export function ProgramPage() {
  const maySave = useCan("settings.program")
  const { data: settings, error, refetch } = useQuery(programSettingsQuery)
  return (
    <>
      <section className={classes.program}>
        <SectionHead title="Program" />
        {error !== null && (
          <ErrorNotice
            error={error}
            what="Couldn’t load the program's settings."
            onRetry={() => void refetch()}
          />
        )}
        {settings === undefined && error === null && <SkeletonRows rows={3} columns={[120, 240]} />}
        {settings !== undefined && maySave && <ProgramForm settings={settings} />}
        {settings !== undefined && !maySave && (
          <>
            <Facts
              rows={[
                ["Name", settings.name],
                ["Time zone", settings.time_zone],
                ["Currency", settings.currency],
              ]}
            />
            <p className={classes.programNote}>
              Changing this requires the {roleNames[roleNeeded("settings.program")]} role.
            </p>
          </>
        )}
      </section>
      <LimitsSection />
      <BatchCodeChoice />
    </>
  )
}

/** An amount to show a currency with, in cents. */
const example = 125_000

/** Name, time zone and currency, with what each of them makes of a date and an amount. */
function ProgramForm({ settings }: { settings: ProgramSettings }) {
  const save = useSaveProgramSettings()
  const form = useAppForm({ schema: programSettings, values: settings })
  const { control, reset } = form.methods
  const { isDirty } = useFormState({ control })
  const [zone, currency] = useWatch({ control, name: ["time_zone", "currency"] })
  const now = useNow("half-minute")
  const time = timeIn(zone, now)
  const amount = /^[A-Z]{3}$/.test(currency) ? formatMoney(example, currency) : undefined

  return (
    <InlineForm
      label="Program"
      form={form}
      onSubmit={async (body) => reset(await save.mutateAsync(body))}
      submitError={save.error}
      busy={save.isPending}
      notDone="Couldn’t save the settings."
      action="Save"
      running="Saving"
      aside={<output className={classes.programSaved}>{save.isSuccess && !isDirty && "Saved."}</output>}
    >
      <TextField control={control} name="name" label="Name" help="Shown throughout Laurel." />
      <TimeZoneField
        control={control}
        name="time_zone"
        label="Time zone"
        help={
          time === undefined
            ? "Such as Australia/Brisbane."
            : `Used for daily totals and reports. It is ${time} now.`
        }
      />
      <TextField
        control={control}
        name="currency"
        label="Currency"
        help={
          amount === undefined
            ? "Three letters, such as AUD."
            : `The services say “dollars”; Laurel shows ${amount}.`
        }
      />
    </InlineForm>
  )
}

const zones = Intl.supportedValuesOf("timeZone")

/** How many zones are offered at once; typing a part of the name narrows them. */
const offered = 40

/** A time zone by name, with suggestions as one types. */
function TimeZoneField<I extends FieldValues, O>(props: FieldProps<I, O, string>) {
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

/** Whether reasons of bulk awards end in the batch code, and what is lost without it. */
function BatchCodeChoice() {
  const maySave = usePointsSettingsAccess()
  const { data: settings, error, refetch } = useQuery(pointsSettingsQuery)
  const save = useSavePointsSettings()
  const explained = useId()
  const failed = save.error ?? error
  const on = settings?.batch_code
  return (
    <section className={classes.choice}>
      <SectionHead title="Bulk awards" />
      {failed !== null && (
        <ErrorNotice
          error={failed}
          what={save.error === null ? "Couldn’t load the setting." : "Couldn’t save the setting."}
          {...(save.error === null && { onRetry: () => void refetch() })}
        />
      )}
      {on !== undefined && (
        <div className={classes.row}>
          <Check
            label="Add a batch code to bulk award reasons"
            checked={on}
            disabled={!maySave || save.isPending}
            describedBy={explained}
            onChange={(event) => save.mutate({ batch_code: event.currentTarget.checked })}
          />
          <div>
            <div aria-hidden="true">Add a batch code to bulk award reasons</div>
            <p id={explained} className={classes.batchCodeHelp}>
              A reason then reads “Q3 bonus · batch 7K2QX”. The code lets Laurel find an award in the ledger
              when its response was lost. Without it, each such award waits for a person to decide.
              {!maySave && " Changing this requires the Administrator role."}
            </p>
          </div>
        </div>
      )}
      <output className={classes.batchCodeSaved}>{save.isSuccess && "Saved. Applies to new jobs."}</output>
    </section>
  )
}

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
function LimitsSection() {
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
          <p className={classes.programNote}>Changing this requires the Administrator role.</p>
        </>
      )}
    </section>
  )
}

function LimitsForm({ limits }: { limits: AmountLimits }) {
  const save = useSaveLimits()
  const currency = useQuery(programSettingsQuery).data?.currency
  const form = useAppForm({ schema: limitsForm, values: typedOf(limits) })
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
      aside={<output className={classes.programSaved}>{save.isSuccess && !isDirty && "Saved."}</output>}
    >
      {names.map((name) => (
        <TextField key={name} control={control} name={name} label={labels[name]} help={helpOf(name)} />
      ))}
    </InlineForm>
  )
}

/** Whether this person may say how points are awarded: administrators, as the server decides. */
function usePointsSettingsAccess(): boolean {
  return useSession().user.role === "admin"
}
