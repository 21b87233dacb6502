import type { Control } from "react-hook-form"
import { TextField } from "../../../forms/fields.tsx"
import { CountryField } from "./country-field.tsx"
import classes from "./redeem-fields.module.css"
import type { RedeemEntry, RedeemValues } from "./redeem-model.ts"

interface AddressFieldsProps {
  control: Control<RedeemValues, unknown, RedeemEntry>
  /** A type the desk does not know: an address may be given. */
  optional: boolean
}

/** Where a physical reward goes (docs/api/program.md, ShippingAddress). */
export function AddressFields({ control, optional }: AddressFieldsProps) {
  return (
    <section className={classes.address} aria-label="Send to">
      <h3>Send to</h3>
      {optional && (
        <p className="l-meta text-muted">
          The service does not say whether this reward is sent by post. Leave the address out if it is not.
        </p>
      )}
      <TextField control={control} name="name" label="Name" />
      <div className={classes.two}>
        <TextField control={control} name="line1" label="Address" />
        <TextField control={control} name="line2" label="Address, second line" optional />
      </div>
      <div className={classes.three}>
        <TextField control={control} name="city" label="City" />
        <TextField control={control} name="state" label="State" optional />
        <TextField control={control} name="postal_code" label="Postcode" />
      </div>
      <CountryField control={control} />
    </section>
  )
}
