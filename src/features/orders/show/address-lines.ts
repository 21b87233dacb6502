import type { ShippingAddress } from "../../../../contract/program/reward.ts"

/** An address as it stands on a parcel, line by line. */
export function addressLines(address: ShippingAddress): string[] {
  const { name, line1, line2, city, state, postal_code, country } = address
  return [name, line1, line2, [city, state, postal_code].filter(Boolean).join(" "), country].filter(
    (line): line is string => line !== undefined && line !== "",
  )
}
