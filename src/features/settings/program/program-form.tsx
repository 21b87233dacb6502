import { useFormState, useWatch } from "react-hook-form"
import { programSettings, type ProgramSettings } from "../../../../contract/settings.ts"
import { useSaveProgramSettings } from "../../../api/settings.ts"
import { InlineForm } from "../../../forms/inline-form.tsx"
import { TextField } from "../../../forms/text-field.tsx"
import { useDeskForm } from "../../../forms/use-desk-form.ts"
import { formatMoney } from "../../../lib/format.ts"
import { timeIn } from "../../../lib/days.ts"
import { useNow } from "../../../ui/hooks.ts"
import classes from "./program-page.module.css"
import { TimeZoneField } from "./time-zone-field.tsx"

/** An amount to show a currency with, in cents. */
const example = 125_000

/** Name, time zone and currency, with what each of them makes of a date and an amount. */
export function ProgramForm({ settings }: { settings: ProgramSettings }) {
  const save = useSaveProgramSettings()
  const form = useDeskForm({ schema: programSettings, values: settings })
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
      aside={<output className={classes.saved}>{save.isSuccess && !isDirty && "Saved."}</output>}
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
