import "@mantine/core/styles/ScrollArea.layer.css"
import "@mantine/core/styles/Combobox.layer.css"
import { Autocomplete, Checkbox, Stack } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useWatch } from "react-hook-form"
import * as z from "zod/mini"
import { amountLimitLabels, type AmountLimits, newAmountLimits } from "../../../contract/amount-limits.ts"
import { isCountryCode } from "../../../contract/program/common.ts"
import { programCountry, programSettings, type ProgramSettings } from "../../../contract/settings.ts"
import { useCan, useSession } from "../../api/session.ts"
import {
  limitsQuery,
  pointsSettingsQuery,
  programSettingsQuery,
  useSaveLimits,
  useSavePointsSettings,
  useSaveProgramSettings,
} from "../../api/settings.ts"
import { ReadOnlyFacts, SavedNote, SettingsForm } from "./settings-layout.tsx"
import { TextField, useField } from "../../forms/fields.tsx"
import { useAppForm } from "../../forms/form.tsx"
import { timeIn } from "../../lib/time.ts"
import { centsOf, formatMoney, readDollars } from "../../lib/format.ts"
import { ErrorNotice } from "../../ui/notice.tsx"
import { useServerNow } from "../../ui/hooks.ts"
import { Section } from "../../ui/page-header.tsx"
import { QueryState } from "../../ui/query-state.tsx"

/** Program settings: name, time zone, currency, country, limits on amounts, and batch codes. */
export function ProgramPage() {
  const maySave = useCan("settings.program")
  const settings = useQuery(programSettingsQuery)
  return (
    <Stack gap="xl" maw={480}>
      <Section title="Program">
        <QueryState query={settings} noun="program’s settings" rows={3} columns={[120, 240]}>
          {(read) =>
            maySave ? (
              <ProgramForm settings={read} />
            ) : (
              <ReadOnlyFacts
                items={[
                  ["Name", read.name],
                  ["Time zone", read.time_zone],
                  ["Currency", read.currency],
                  ["Country", countryName(read.country) ?? read.country],
                ]}
              />
            )
          }
        </QueryState>
      </Section>
      <LimitsSection />
      <BulkAwardsSection />
    </Stack>
  )
}

const zones = Intl.supportedValuesOf("timeZone")

const programForm = z.extend(programSettings, { country: programCountry })

function ProgramForm({ settings }: { settings: ProgramSettings }) {
  const save = useSaveProgramSettings()
  const form = useAppForm({ schema: () => programForm, values: settings })
  const { control } = form.methods
  const [zone, currency, country] = useWatch({ control, name: ["time_zone", "currency", "country"] })
  const time = timeIn(zone, useServerNow("half-minute"))
  const zoneHelp =
    time === undefined
      ? "Such as Australia/Brisbane."
      : `Used for daily totals and reports. It is ${time} now.`
  const zoneField = useField({ control, name: "time_zone", label: "Time zone", help: zoneHelp })
  return (
    <SettingsForm
      label="Program"
      form={form}
      save={save}
      fieldsOf={(saved) => saved}
      notDone="Couldn’t save the settings."
    >
      <TextField control={control} name="name" label="Name" help="Shown throughout Laurel." />
      <Autocomplete {...zoneField} data={zones} limit={40} spellCheck={false} />
      <TextField
        control={control}
        name="currency"
        label="Currency"
        help={
          /^[A-Z]{3}$/.test(currency)
            ? `The services say “dollars”; Laurel shows ${formatMoney(125_000, currency)}.`
            : "Three letters, such as AUD."
        }
      />
      <TextField
        control={control}
        name="country"
        label="Country"
        help={
          countryName(country) === undefined
            ? "Two letters, such as AU."
            : `Addresses of redemptions begin with ${countryName(country)}.`
        }
      />
    </SettingsForm>
  )
}

/** The name of an ISO 3166-1 code in the user's language. */
function countryName(code: string): string | undefined {
  if (!isCountryCode(code)) return undefined
  return new Intl.DisplayNames([...navigator.languages], { type: "region" }).of(code)
}

/** Whether reasons of bulk awards end in the batch code, and what is lost without it. */
function BulkAwardsSection() {
  const maySave = useIsAdmin()
  const query = useQuery(pointsSettingsQuery)
  const save = useSavePointsSettings()
  return (
    <Section title="Bulk awards">
      <ErrorNotice error={save.error} what="Couldn’t save the setting." />
      <QueryState query={query} noun="setting" rows={2} columns={[240]}>
        {(settings) => (
          <Checkbox
            label="Add a batch code to bulk award reasons"
            description={`A reason then reads “Q3 bonus · batch 7K2QX”. The code lets Laurel find an award in the ledger when its response was lost. Without it, each such award waits for a person to decide.${maySave ? "" : " Changing this requires the Administrator role."}`}
            checked={settings.batch_code}
            disabled={!maySave || save.isPending}
            onChange={(event) => save.mutate({ batch_code: event.currentTarget.checked })}
          />
        )}
      </QueryState>
      <SavedNote>{save.isSuccess && "Saved. Applies to new jobs."}</SavedNote>
    </Section>
  )
}

const limitNames = Object.keys(amountLimitLabels).filter(
  (name): name is keyof AmountLimits => name in amountLimitLabels,
)

type LimitFields = Record<keyof AmountLimits, string>

const isCents = (name: string) => name.endsWith("_cents")

function limitFields(limits: AmountLimits): LimitFields {
  const fields = { ...amountLimitLabels }
  for (const name of limitNames) {
    const amount = isCents(name) ? limits[name] / 100 : limits[name]
    fields[name] = amount.toLocaleString("en-AU", { maximumFractionDigits: 2 })
  }
  return fields
}

const limitsForm: z.ZodMiniType<AmountLimits, LimitFields> = z.pipe(
  z.pipe(
    z.record(z.enum(limitNames), z.string()),
    z.transform((typed) => {
      const amounts = limitNames.map((name) => [name, readDollars(typed[name])] as const)
      return Object.fromEntries(amounts.map(([name, at]) => [name, isCents(name) ? centsOf(at) : at]))
    }),
  ),
  newAmountLimits,
)

function LimitsSection() {
  const maySave = useIsAdmin()
  const limits = useQuery(limitsQuery)
  return (
    <Section title="Limits">
      <QueryState query={limits} noun="limits" columns={[120, 240]}>
        {(read) =>
          maySave ? (
            <LimitsForm limits={read} />
          ) : (
            <ReadOnlyFacts
              items={limitNames.map((name) => [amountLimitLabels[name], limitFields(read)[name]])}
              needs="admin"
            />
          )
        }
      </QueryState>
    </Section>
  )
}

function LimitsForm({ limits }: { limits: AmountLimits }) {
  const currency = useQuery(programSettingsQuery).data?.currency
  const form = useAppForm({ schema: () => limitsForm, values: limitFields(limits) })
  const helpOf = (name: keyof AmountLimits) => {
    if (name === "points_row") return "Awards and deductions."
    return isCents(name) && currency !== undefined ? `In ${currency}.` : ""
  }
  return (
    <SettingsForm
      label="Limits"
      form={form}
      save={useSaveLimits()}
      fieldsOf={limitFields}
      notDone="Couldn’t save the limits."
      action="Save limits"
    >
      {limitNames.map((name) => {
        const field = { name, label: amountLimitLabels[name], help: helpOf(name) }
        return <TextField key={name} control={form.methods.control} {...field} />
      })}
    </SettingsForm>
  )
}

/** Whether the user may set limits and batch codes: administrators, as the server decides. */
function useIsAdmin(): boolean {
  return useSession().user.role === "admin"
}
