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
      "Each template can appear only once.",
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

/**
 * What a text that should name a template names: one that was entered (by id, or by name, whatever its letters' case),
 * perhaps one that the service has and nobody entered here, or none. Without any entry nothing can be told.
 */
export type TemplateMatch =
  | { readonly kind: "entered"; readonly template: CardTemplate }
  | {
      readonly kind: "possible" | "several" | "none"
      readonly message: string
      /** The entry that is most like the text; undefined when nothing was entered. */
      readonly nearest: CardTemplate | undefined
    }

/** Ids are words with a sign or a digit; words alone are names, and a name that was not entered cannot be sent. */
const idShape = /^(?=.*[\d_:-])\S+$/

/** Finds the template that a text names. */
export function findTemplate({ templates }: Pick<CardTemplates, "templates">, text: string): TemplateMatch {
  const exact = templates.find(({ id }) => id === text)
  if (exact !== undefined) return { kind: "entered", template: exact }
  const [nearest] = templates.toSorted((one, other) => farTo(one, text) - farTo(other, text))
  if (nearest === undefined) return { kind: "possible", message: "No templates were entered.", nearest }
  const named = templates.filter(({ name }) => plain(name) === plain(text))
  if (named.length > 1) {
    const message = `${named.length} templates are called "${text}": write the id.`
    return { kind: "several", message, nearest }
  }
  const [template] = named
  if (template !== undefined) return { kind: "entered", template }
  const meant = `Did you mean "${nearest.name}"?`
  return idShape.test(text)
    ? { kind: "possible", message: `Template "${text}" isn't in the settings. ${meant}`, nearest }
    : { kind: "none", message: `Template "${text}" doesn't exist. ${meant}`, nearest }
}

/**
 * The amount (dollars) nearest to the one asked for that was entered for a template and never refused; undefined when
 * there is none.
 */
export function nearestAmount(
  { id, denominations }: CardTemplate,
  pairs: CardPairs,
  asked: number,
): number | undefined {
  return denominations
    .filter((amount) => refusalOfPair(pairs, id, amount) === undefined)
    .toSorted((one, other) => Math.abs(one - asked) - Math.abs(other - asked) || one - other)[0]
}

function plain(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ").toLowerCase()
}

/** How far a text is from a template's name or id: 0 where one begins with the other, else the share that differs. */
function farTo({ id, name }: CardTemplate, text: string): number {
  const asked = plain(text)
  return Math.min(
    ...[plain(name), plain(id)].map((known) =>
      known.startsWith(asked) || asked.startsWith(known)
        ? 0
        : distance(known, asked) / Math.max(known.length, asked.length),
    ),
  )
}

/** Letters to add, drop or replace to get from one text to the other (Levenshtein). */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (let down = 1; down <= from.length; down += 1) {
    const next = [down]
    for (let at = 1; at <= to.length; at += 1) {
      const replaced = (row[at - 1] ?? 0) + (to[at - 1] === from[down - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
