import type { Carrier, Recognised } from "../../../../contract/carriers.ts"
import { plainNumber } from "../../../lib/format.ts"
import type { TrackingRow } from "./tracking-row.ts"

/** Numbers that look alike and whose carrier only a person can tell. */
export interface CarrierQuestion {
  /** Beginning and length, as they are remembered (docs/api/laurel.md, Carriers). */
  readonly shape: string
  /** One of the numbers. */
  readonly example: string
  readonly count: number
  /** Codes of the carriers it may be of, the likeliest first; all offered ones where nobody can tell. */
  readonly carriers: readonly string[]
}

/** Letters and digits at the beginning that numbers of one sender with one carrier share. */
const beginning = 4

/** The carrier's name for a row: what the file says, by its name or code, else what its number says. */
export function carrierOfRow(
  { carrier }: Pick<TrackingRow, "carrier">,
  recognised: Recognised | undefined,
  carriers: readonly Carrier[],
): string | undefined {
  if (carrier === undefined) return carriers.find(({ code }) => code === recognised?.chosen)?.name
  const written = plainNumber(carrier)
  const found = carriers.find(({ code, name }) => [code, name].some((each) => plainNumber(each) === written))
  return found?.name ?? carrier
}

/** What has to be asked about the numbers of rows without a carrier, once for each shape, the most numbers first. */
export function carrierQuestions(recognised: readonly Recognised[], carriers: readonly Carrier[]) {
  const offered = carriers.filter((each) => each.offered).map(({ code }) => code)
  const open = recognised.filter(({ chosen }) => chosen === null)
  return [...Map.groupBy(open, ({ number }) => shapeOf(number))]
    .flatMap(([shape, alike]): CarrierQuestion[] => {
      const [first] = alike
      if (first === undefined) return []
      const choices = first.carriers.length > 0 ? first.carriers : offered
      return [{ shape, example: first.number, count: alike.length, carriers: choices }]
    })
    .toSorted((one, other) => other.count - one.count)
}

function shapeOf(number: string): string {
  const plain = plainNumber(number)
  return `${plain.slice(0, beginning)}/${plain.length}`
}
