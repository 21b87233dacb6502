import { trackingLink, type Carrier, type Recognised } from "../../contract/carriers.ts"
import { plainNumber } from "../orders/plain-number.ts"
import { shapeOf, type CarrierChoices } from "./choices.ts"
import type { CouriersOf } from "./couriers-of.ts"

/** Digits alone up to this length fit several carriers by chance: their check digits are one in ten. */
const weakDigits = /^\d{1,14}$/

/**
 * Whose a tracking number is, as far as can be told: what somebody said about numbers of this shape, or the one carrier
 * that numbers like that. A person says the rest.
 */
export function recognise(
  number: string,
  known: {
    readonly carriers: readonly Carrier[]
    readonly choices: CarrierChoices
    readonly couriersOf: CouriersOf
  },
): Recognised {
  const offered = new Map(known.carriers.filter((one) => one.offered).map((one) => [one.code, one]))
  const plain = plainNumber(number)
  const byShape = known.couriersOf(plain).filter((code) => offered.has(code))
  const said = known.choices[shapeOf(plain)]?.carrier
  const remembered = said !== undefined && offered.has(said) ? said : undefined
  const sure = byShape.length === 1 && !weakDigits.test(plain) ? byShape[0] : undefined
  const chosen = remembered ?? sure ?? null
  const why =
    remembered !== undefined
      ? "remembered"
      : sure !== undefined
        ? "shape"
        : byShape.length > 0
          ? "asked"
          : "unknown"
  const link = chosen === null ? null : (offered.get(chosen)?.link ?? null)
  const carriers = chosen === null ? byShape : [...new Set([chosen, ...byShape])]
  return { number, carriers, chosen, why, link: trackingLink(link, number) }
}
