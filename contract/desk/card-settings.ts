import * as z from "zod/mini"
import { limits } from "../limits.ts"
import { plainText, requiredText } from "../program/text.ts"

const cardId = requiredText("the template's id", limits.cardReference)
const dollars = z.number().check(z.positive("Enter an amount."), z.maximum(1_000_000, "At most 1,000,000."))

/** A card template as it was entered; `denominations` are dollars. */
export const cardTemplate = z.strictObject({
  id: cardId,
  name: requiredText("the template's name", 120),
  denominations: z.array(dollars).check(z.maxLength(100)),
})
/** A card template as it was entered. */
export type CardTemplate = z.output<typeof cardTemplate>

/**
 * Card templates as they were entered: no endpoint lists them (docs/decisions/0009-gift-cards.md). `default` is the
 * template a row takes that names none.
 */
export const cardTemplates = z.strictObject({
  templates: z.readonly(z.array(cardTemplate)).check(
    z.maxLength(200),
    z.refine(
      (templates) => new Set(templates.map(({ id }) => id)).size === templates.length,
      "Each template once.",
    ),
  ),
  default: z.nullable(cardId),
})
/** Card templates as they were entered. */
export type CardTemplates = z.output<typeof cardTemplates>

const cents = z.int().check(z.minimum(0), z.maximum(100_000_000_000))

/** What a card costs beyond its face value, and the fund, as entered: for forecasts only. GST is on the fee. */
export const cardCosts = z.strictObject({
  fee_cents: cents,
  gst_percent: z.number().check(z.minimum(0), z.maximum(100)),
  fund_cents: z.nullable(cents),
  /** When the fund was entered. */
  fund_at: z.nullable(z.iso.datetime({ offset: true })),
})
/** What a card costs, as entered. */
export type CardCosts = z.output<typeof cardCosts>

/** What a live card draws from the fund in cents, by the costs as entered: face value, fee, and GST on the fee. */
export function drawnBy(costs: Pick<CardCosts, "fee_cents" | "gst_percent">, amountCents: number): number {
  return amountCents + costs.fee_cents + Math.round((costs.fee_cents * costs.gst_percent) / 100)
}

/** A template and an amount (dollars) that the service refused. */
export const refusedPair = z.strictObject({
  card_id: cardId,
  denomination: dollars,
  code: plainText(100),
  message: plainText(limits.reason),
  /** ISO 8601. */
  at: z.iso.datetime({ offset: true }),
})
/** A template and an amount that the service refused. */
export type RefusedPair = z.output<typeof refusedPair>

/** Pairs that the service refused; the desk adds and clears them by what it is answered. */
export const cardPairs = z.strictObject({
  refused: z.readonly(z.array(refusedPair)).check(z.maxLength(1000)),
})
/** Pairs that the service refused. */
export type CardPairs = z.output<typeof cardPairs>

/** The entry of a pair that is known to be refused; undefined when it is not. */
export function refusalOfPair(
  pairs: CardPairs,
  template: string | undefined,
  denomination: number,
): RefusedPair | undefined {
  return pairs.refused.find((pair) => pair.card_id === template && pair.denomination === denomination)
}
