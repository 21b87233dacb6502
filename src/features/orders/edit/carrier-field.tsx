import { Button } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useWatch, type Control } from "react-hook-form"
import { carriersQuery, useChooseCarrier } from "../../../api/carriers.ts"
import { SelectField } from "../../../forms/fields.tsx"
import classes from "../order-edit.module.css"
import { fromNumber, type EditValues } from "./edit-model.ts"
import type { NumberCheck } from "./use-number-check.ts"

interface CarrierFieldProps {
  control: Control<EditValues, unknown, EditValues>
  number: string
  check: NumberCheck
  onChoose: (name: string) => void
}

/** Who carries it: recognised from the number, asked where several number like that, or chosen. */
export function CarrierField({ control, number, check, onChoose }: CarrierFieldProps) {
  const value = useWatch({ control, name: "carrier" })
  const { data } = useQuery(carriersQuery)
  const remember = useChooseCarrier()
  const offered = (data?.carriers ?? []).filter((each) => each.offered).map(({ name }) => name)
  const names =
    value === fromNumber || value === "" || offered.includes(value) ? offered : [value, ...offered]
  const asks = value === fromNumber && check.candidates.length > 0
  return (
    <>
      <SelectField
        control={control}
        name="carrier"
        label="Carrier"
        optional
        options={[
          { value: fromNumber, label: numberWords(number, check) },
          ...names.map((name) => ({ value: name, label: name })),
          { value: "", label: "None" },
        ]}
      />
      {asks && (
        <div className={classes.ask}>
          <p className="text-secondary">Several carriers number like this. Whose is it?</p>
          <div className={classes.answers}>
            {check.candidates.map(({ code, name }) => (
              <Button
                key={code}
                size="xs"
                onClick={() => {
                  onChoose(name)
                  // For the next number like it; what is chosen here holds without it.
                  remember.mutate({ number, carrier: code })
                }}
              >
                {name}
              </Button>
            ))}
          </div>
          <p className="l-meta text-muted">It is remembered for numbers of the same beginning and length.</p>
        </div>
      )}
    </>
  )
}

function numberWords(number: string, { carrier, candidates, settled }: NumberCheck): string {
  if (number === "") return "From the number"
  if (carrier !== undefined) return `${carrier}, recognised from the number`
  if (!settled) return "From the number"
  return candidates.length > 0 ? "Carrier not recognised: choose one" : "Carrier not recognised"
}
