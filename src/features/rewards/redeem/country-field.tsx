import { useMemo, useState } from "react"
import { useController, type Control } from "react-hook-form"
import { FieldError } from "../../../forms/fields.tsx"
import { TypeAhead } from "../../../forms/type-ahead.tsx"
import { countriesFor, countriesIn, type Country } from "./countries.ts"
import type { RedeemEntry, RedeemValues } from "./redeem-model.ts"

/** Countries shown at once; typing narrows them. */
const most = 8

/** The country of the address, found by typing part of its name or its code. */
export function CountryField({ control }: { control: Control<RedeemValues, unknown, RedeemEntry> }) {
  const { field, fieldState } = useController({ control, name: "country" })
  const countries = useMemo(() => countriesIn(navigator.languages), [])
  // While it is undefined the field shows what is chosen.
  const [typed, setTyped] = useState<string>()
  const chosen = countries.find(({ code }) => code === field.value)
  const found = countriesFor(countries, typed ?? "")
  const problem = fieldState.error?.message
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
      message={typed !== undefined && found.length === 0 ? `No country matches “${typed.trim()}”.` : ""}
      field={{
        ref: field.ref,
        name: field.name,
        required: true,
        placeholder: "Type to search",
        error: problem === undefined ? undefined : <FieldError message={problem} />,
        onFocus: ({ currentTarget }) => currentTarget.select(),
        onBlur: () => {
          field.onBlur()
          // Typed in full and not chosen: it is meant all the same.
          const [only] = found
          if (typed !== undefined && typed.trim() !== "" && found.length === 1 && only !== undefined)
            pick(only)
          setTyped(undefined)
        },
      }}
    />
  )
}

function drawCountry({ code, name }: Country) {
  return (
    <>
      <span className="truncate">{name}</span>
      <span className="l-mono text-muted">{code}</span>
    </>
  )
}
