import { Group, SimpleGrid, Stack } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useMemo, useState } from "react"
import { type Control, type UseFormReturn, useWatch } from "react-hook-form"
import { countryCodes, hasPostcodes, suggestedCountry, noPostcode } from "../../../contract/program/common.ts"
import { previousAddressQuery } from "../../api/orders.ts"
import { TextField, useField } from "../../forms/fields.tsx"
import { TypeAhead } from "../../forms/type-ahead.tsx"
import { countryName } from "../../lib/names.ts"
import { shortDay } from "../../lib/time.ts"
import { useNow } from "../../ui/hooks.ts"
import classes from "./rewards.module.css"
import type { RedeemEntry, RedeemValues } from "./redeem-model.ts"
import { Button } from "../../ui/button.tsx"

type RedeemControl = Control<RedeemValues, unknown, RedeemEntry>
type RedeemMethods = UseFormReturn<RedeemValues, unknown, RedeemEntry>

/** Address of a physical reward (docs/api/program.md, ShippingAddress); `optional` for an undocumented type. */
export function AddressFields(props: { form: RedeemMethods; memberId: string; optional: boolean }) {
  const { form, memberId, optional } = props
  const { control } = form
  const country = useWatch({ control, name: "country" })
  return (
    <Stack component="section" gap={16} aria-label="Send to">
      <h3>Send to</h3>
      {optional && (
        <p className="caption">
          The service does not say whether this reward is sent by post. Leave the address out if it is not.
        </p>
      )}
      <PreviousAddress form={form} memberId={memberId} />
      <TextField control={control} name="name" label="Name" />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={12}>
        <TextField control={control} name="line1" label="Address" />
        <TextField control={control} name="line2" label="Address, second line" optional />
      </SimpleGrid>
      <div className={classes.place}>
        <TextField control={control} name="city" label="City" />
        <TextField control={control} name="state" label="State" optional />
        <TextField control={control} name="postal_code" label="Postcode" />
      </div>
      {!hasPostcodes(country) && (
        <p className="caption">
          {countryName(country)} has no postcodes. Write {noPostcode}: the service requires one, and slips
          leave it out.
        </p>
      )}
      <CountryField control={control} />
    </Stack>
  )
}

const addressNames = ["name", "line1", "line2", "city", "state", "postal_code", "country"] as const

/** Fills the fields with the address of the member's last redemption, which can be edited. */
function PreviousAddress({ form, memberId }: { form: RedeemMethods; memberId: string }) {
  const now = useNow("half-minute")
  const { data: known } = useQuery(previousAddressQuery(memberId))
  if (!known) return null
  const { address, captured_at } = known
  const use = () => {
    for (const name of addressNames) {
      form.setValue(name, address[name] ?? "", {
        shouldDirty: true,
        shouldValidate: form.formState.isSubmitted,
      })
    }
  }
  return (
    <Group gap="4px 12px">
      <Button onClick={use}>
        Use the last address{captured_at !== null && ` (${shortDay(captured_at, now)})`}
      </Button>
      <span className="caption">{`${address.line1}, ${address.city} ${address.postal_code}`}</span>
    </Group>
  )
}

const most = 8

function CountryField({ control }: { control: RedeemControl }) {
  const field = useField({ control, name: "country", label: "Country" })
  const countries = useMemo(() => countriesIn(navigator.languages), [])
  // Undefined: the field shows the selected country.
  const [typed, setTyped] = useState<string>()
  const chosen = countries.find(({ code }) => code === field.value)
  const found = countriesFor(countries, typed ?? "")
  const pick = ({ code }: Country) => {
    field.onChange(code)
    setTyped(undefined)
  }
  return (
    <TypeAhead
      label="Country"
      listLabel="Countries"
      text={typed ?? chosen?.name ?? field.value}
      onText={setTyped}
      open={typed !== undefined}
      options={found.slice(0, most)}
      idOf={({ code }) => code}
      draw={drawCountry}
      onPick={pick}
      message={messageFor(typed?.trim(), found)}
      field={{
        ref: field.ref,
        name: field.name,
        required: true,
        placeholder: "Type to search",
        error: field.error,
        onFocus: ({ currentTarget }) => currentTarget.select(),
        onBlur: () => {
          field.onBlur()
          // A fully typed name counts as selected.
          const [only] = found
          if (typed?.trim() && found.length === 1 && only !== undefined) pick(only)
          setTyped(undefined)
        },
      }}
    />
  )
}

function messageFor(typed: string | undefined, found: readonly Country[]): string {
  if (typed === undefined) return ""
  const meant = suggestedCountry(typed)
  if (meant !== undefined) return `The code of ${countryName(meant)} is ${meant}.`
  return found.length === 0 ? `No country matches “${typed}”.` : ""
}

/** ISO 3166-1 alpha-2 code as sent, and the name in the user's language. */
interface Country {
  readonly code: string
  readonly name: string
}

/** The countries by name in the user's languages. Codes without a name are left out. */
export function countriesIn(languages: readonly string[]): Country[] {
  const names = new Intl.DisplayNames([...languages], { type: "region", fallback: "none" })
  const order = new Intl.Collator([...languages], { sensitivity: "base" })
  return countryCodes
    .map((code) => ({ code, name: names.of(code) ?? "" }))
    .filter(({ name }) => name !== "")
    .toSorted((one, other) => order.compare(one.name, other.name))
}

/** Countries whose name or code begins with a text, then those that contain it. Ignores accents. */
export function countriesFor(countries: readonly Country[], text: string): Country[] {
  const typed = plain(text.trim())
  if (typed === "") return [...countries]
  const meant = suggestedCountry(text.trim())
  if (meant !== undefined) return countries.filter(({ code }) => code === meant)
  const begins = countries.filter(({ code, name }) => plain(code) === typed || plain(name).startsWith(typed))
  const holds = countries.filter((each) => !begins.includes(each) && plain(each.name).includes(typed))
  return [...begins, ...holds]
}

function drawCountry({ code, name }: Country) {
  return (
    <>
      <span className="truncate">{name}</span>
      <span className="l-mono text-muted">{code}</span>
    </>
  )
}

function plain(word: string): string {
  return word.normalize("NFD").replaceAll(/\p{M}/gu, "").toLocaleLowerCase()
}
