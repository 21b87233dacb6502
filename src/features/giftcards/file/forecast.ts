import { type CardCosts, drawnBy } from "../../../../contract/cards.ts"
import { centsOf } from "../../../lib/format.ts"

/** What a forecast has to know of a row. */
export interface ForecastRow {
  /** Number in the file. */
  readonly number: number
  /** Dollars. */
  readonly denomination: number
  /** Id of the card template; undefined where there is none at all. */
  readonly cardId: string | undefined
}

/** What the rows come to, by costs and fund as entered in the settings; cents. */
export interface Forecast {
  readonly faceCents: number
  readonly feeCents: number
  readonly gstCents: number
  readonly drawnCents: number
  /** Of the last row that the fund covers; null: it covers all of them, or no fund was entered. `0`: not even the first. */
  readonly dryAfter: number | null
  /** Templates of the rows and how many each has; undefined is a row without one. */
  readonly templates: ReadonlyMap<string | undefined, number>
}

/**
 * Sums rows up in their order, as they are sent.
 * @param leftCents what is in the fund as entered; null where nothing was entered
 */
export function forecastOf(
  rows: readonly ForecastRow[],
  costs: CardCosts,
  leftCents: number | null,
): Forecast {
  const templates = new Map<string | undefined, number>()
  let faceCents = 0
  let drawnCents = 0
  let last = 0
  let dryAfter: number | null = null
  for (const { number, denomination, cardId } of rows) {
    const face = centsOf(denomination)
    faceCents += face
    drawnCents += drawnBy(costs, face)
    if (leftCents !== null && dryAfter === null && drawnCents > leftCents) dryAfter = last
    last = number
    templates.set(cardId, (templates.get(cardId) ?? 0) + 1)
  }
  const feeCents = costs.fee_cents * rows.length
  return {
    faceCents,
    feeCents,
    gstCents: drawnCents - faceCents - feeCents,
    drawnCents,
    dryAfter,
    templates,
  }
}
