import * as z from "zod/mini"
import {
  type Carrier,
  numberShape,
  plainNumber,
  type Recognised,
  identifiesCarrier,
  trackingLink,
} from "../../contract/orders.ts"
import { isArticle } from "../../contract/parcel-number.ts"
import type { CoreContext } from "../context.ts"
import { stored } from "../errors.ts"
import type { SettingsDocuments } from "../ports.ts"

/**
 * Carriers that a tracking number can be of, by how it is built: codes of carriers as the settings name them first.
 * `sure`: nothing else is numbered like this; otherwise a person is asked.
 */
export type CouriersOf = (plain: string) => readonly { readonly code: string; readonly sure: boolean }[]

/** Postal services that the settings list per country; all others are `post`. */
const posts: Readonly<Record<string, string>> = { AU: "auspost", NZ: "nzpost", US: "usps" }

/** Digits alone up to this length fit several carriers by chance: their check digits are one in ten. */
const weakDigits = /^\d{1,14}$/

/**
 * How DHL and carriers of Australia number parcels, as far as that is public (docs/orders.md, Carriers). An
 * eParcel article is a sender (3 or 5 characters), 7 digits, a count, a product, a service and a check digit; its
 * consignment is the first two. A StarTrack consignment is a sender (3 characters and a letter, Z as a rule) and 8 digits.
 */
const ownShapes: readonly (readonly [code: string, shape: RegExp, sure: boolean])[] = [
  ["auspost", /^[A-Z\d]{3}(?:[A-Z\d]{2})?\d{16}[A-Z\d]\d$/, true],
  ["auspost", /^[A-Z\d]{4}[A-Z]\d{7}$/, true],
  ["auspost", /^(?=\d*[A-Z])(?:[A-Z\d]{3}\d{7}|[A-Z\d]{3}[A-Y]\d{8})$/, false],
  ["startrack", /^[A-Z\d]{3}Z\d{8}(?:[A-Z][A-Z\d]{2}\d{5})?$/, true],
  ["startrack", /^[A-Z\d]{3}[A-Y]\d{8}(?:[A-Z][A-Z\d]{2}\d{5})?$/, false],
  ["aramex", /^[A-Z]{2}\d{10}$/, true],
  ["couriersplease", /^CP[A-Z]{4}\d{7}(?:\d{3})?$/, true],
  ["sendle", /^S(?=.*\d)(?=.*[A-Z])[A-Z\d]{5,7}$/, true],
  ["sendle", /^S(?:\d{5,7}|[A-Z]{5,7})$/, false],
  ["dhl", /^JD\d{18}$/, true],
  ["tnt", /^G[DE]\d{9}WW$/, true],
  ["tnt", /^(?:\d{9}|[A-Z]{3}\d{9})$/, false],
  ["toll", /^(?:\d{10}|[A-Z]{3}\d{7})$/, false],
]

/** How many characters an eParcel article has; its consignment is shorter and ends without a check digit. */
const articleFrom = 21

/** Our own shapes, and the shapes and check digits that ts-tracking-number keeps, fetched when they are first needed. */
export async function loadCouriers(): Promise<CouriersOf> {
  const { getTracking, amazon, dhl, fedex, ontrac, s10, ups, usps } = await import("ts-tracking-number")
  const couriers = { ups, fedex, usps, dhl, ontrac, amazon } as const
  return (plain) => {
    const found = new Map<string, boolean>()
    const add = (code: string, sure: boolean) => found.set(code, sure || found.get(code) === true)
    for (const [code, courier] of Object.entries(couriers)) {
      if (getTracking(plain, [courier]) !== undefined) add(code, !weakDigits.test(plain))
    }
    // A postal number ends with its country (UPU S10).
    if (getTracking(plain, [s10]) !== undefined) add(posts[plain.slice(-2)] ?? "post", true)
    for (const [code, shape, sure] of ownShapes) {
      const fits = shape.test(plain) && (code !== "auspost" || plain.length < articleFrom || isArticle(plain))
      // Digits alone are an article only by their check digit: one in ten others has that too.
      if (fits) add(code, sure && /[A-Z]/.test(plain))
    }
    return [...found]
      .map(([code, sure]) => ({ code, sure }))
      .toSorted((one, other) => +other.sure - +one.sure)
  }
}

let couriers: Promise<CouriersOf> | undefined

/** Whose numbers are, by the program's carriers and what people said. @throws AppError 503 */
export async function recogniseNumbers(
  { settings, store }: Pick<CoreContext, "settings" | "store">,
  numbers: readonly string[],
): Promise<{ readonly found: Recognised[]; readonly carriers: readonly Carrier[] }> {
  couriers ??= loadCouriers()
  const { carriers } = await settings.get("carriers")
  const known = { carriers, choices: await stored(readChoices(store.settings)), couriersOf: await couriers }
  return { found: numbers.map((number) => recognise(number, known)), carriers }
}

/** The carrier of a tracking number: the one chosen for numbers of this shape, or the only one that fits. */
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
  const fitting = known.couriersOf(plain).filter(({ code }) => offered.has(code))
  const byShape = fitting.map(({ code }) => code)
  const choice = identifiesCarrier(number) ? known.choices[numberShape(number)]?.carrier : undefined
  const remembered = choice !== undefined && offered.has(choice) ? choice : undefined
  const sure = fitting.length === 1 && fitting[0]?.sure === true ? byShape[0] : undefined
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
const maxChoices = 1000

async function readChoices(store: SettingsDocuments): Promise<CarrierChoices> {
  return carrierChoices.safeParse(await store.get(documentName)).data ?? {}
}

/** Keeps whose a number is, for others of its shape; undefined forgets it. @throws AppError 503 */
export function rememberCarrier(
  { store }: Pick<CoreContext, "store">,
  number: string,
  choice: CarrierChoices[string] | undefined,
): Promise<void> {
  const shape = numberShape(number)
  const changing = store.settings.change(documentName, async (settings) => {
    const { [shape]: _before, ...others } = await readChoices(settings)
    const next = Object.entries(choice === undefined ? others : { ...others, [shape]: choice })
      .toSorted(([, one], [, other]) => other.at - one.at)
      .slice(0, maxChoices)
    await settings.put(documentName, Object.fromEntries(next))
  })
  return stored(changing)
}
