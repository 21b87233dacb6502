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
      /** An entry that the text is a slip of, or one of several that it names; undefined when none is near. */
      readonly nearest: CardTemplate | undefined
    }

/** Ids are words with a sign or a digit; words alone are names, and a name that was not entered cannot be sent. */
const idShape = /^(?=.*[\d_:-])\S+$/

/** Finds the template that a text names. */
export function findTemplate({ templates }: Pick<CardTemplates, "templates">, text: string): TemplateMatch {
  const exact = templates.find(({ id }) => id === text)
  if (exact !== undefined) return { kind: "entered", template: exact }
  if (templates.length === 0) {
    return { kind: "possible", message: "No templates were entered.", nearest: undefined }
  }
  const named = templates.filter(({ name }) => plain(name) === plain(text))
  if (named.length > 1) {
    const message = `${named.length} templates are called "${text}": write the id.`
    return { kind: "several", message, nearest: named[0] }
  }
  const [template] = named
  if (template !== undefined) return { kind: "entered", template }
  const [nearest] = templates
    .filter((each) => farTo(each, text) <= nearShare)
    .toSorted((one, other) => farTo(one, text) - farTo(other, text))
  const meant = nearest === undefined ? validNames(templates) : `Did you mean "${nearest.name}"?`
  return idShape.test(text)
    ? { kind: "possible", message: `Template "${text}" isn't in the settings. ${meant}`, nearest }
    : { kind: "none", message: `Template "${text}" doesn't exist. ${meant}`, nearest }
}

/** More names than this are not listed in one sentence. */
const mostListed = 5

/** What can be written instead of a text that is like none of them. */
function validNames(templates: CardTemplates["templates"]): string {
  if (templates.length > mostListed) return "Settings, Gift cards lists the valid names and ids."
  return `Valid names: ${templates.map(({ name }) => name).join(", ")}.`
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

/** A text is a slip of a name or an id when at most this share of its letters differ. */
const nearShare = 0.34
/** A shorter beginning of a name or an id says too little. */
const shortestBeginning = 3

/** How far a text is from a template's name or id: 0 where one begins with the other, else the share that differs. */
function farTo({ id, name }: CardTemplate, text: string): number {
  const asked = plain(text)
  return Math.min(...[plain(name), plain(id)].map((known) => shareApart(known, asked)))
}

function shareApart(known: string, asked: string): number {
  const shorter = Math.min(known.length, asked.length)
  if (shorter >= shortestBeginning && (known.startsWith(asked) || asked.startsWith(known))) return 0
  // What ids begin with, such as "card_", makes none like another.
  const shared = /^[a-z]+[_:-]/.exec(known)?.[0] ?? ""
  const skipped = asked.startsWith(shared) ? shared.length : 0
  const [from, to] = [known.slice(skipped), asked.slice(skipped)]
  return distance(from, to) / Math.max(from.length, to.length, 1)
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
