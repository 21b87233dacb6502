import * as z from "zod/mini"
import { limits } from "./limits.ts"
import { paging, recordText, requiredText, searchText, timeSpan } from "./program/common.ts"
import { asExact } from "./typed-text.ts"

const named = (what: string) => recordText(limits.cardReference).check(z.minLength(1, `Enter ${what}.`))
const cardId = named("the template’s id")
const dollars = z.number().check(z.positive("Enter an amount."), z.maximum(1_000_000, "At most 1,000,000."))

/** A card template as it was entered; `denominations` are dollars. */
export const cardTemplate = z.strictObject({
  id: cardId,
  name: requiredText("the template’s name", 120),
  denominations: z.array(dollars).check(z.maxLength(100)),
})
export type CardTemplate = z.output<typeof cardTemplate>

/** Card templates as entered: no endpoint lists them (docs/gift-cards.md). */
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
export type CardTemplates = z.output<typeof cardTemplates>

const cents = z.int().check(z.minimum(0), z.maximum(100_000_000_000))

/** Default threshold of a low fund, in cents. */
export const firstLowFund = 50_000

const percent = z.number().check(z.minimum(0), z.maximum(100))

/** Costs of a card beyond its face value, and the fund, as entered: for forecasts only. */
export const cardCosts = z.strictObject({
  fee_cents: cents,
  /** GST on the fee. */
  gst_percent: percent,
  /** GST on the face value; absent: none. */
  face_gst_percent: z.optional(percent),
  fund_cents: z.nullable(cents),
  fund_at: z.nullable(z.iso.datetime({ offset: true })),
  /** The fund is low below this, in cents; absent: `firstLowFund`. */
  low_cents: z.optional(cents),
})
export type CardCosts = z.output<typeof cardCosts>

/** What live cards draw from the fund in cents, by the costs as entered: face value, fees, and GST on both. */
export function fundCost(
  { fee_cents, gst_percent, face_gst_percent = 0 }: CardCosts,
  amountCents: number,
  cards = 1,
): number {
  const fees = cards * (fee_cents + Math.round((fee_cents * gst_percent) / 100))
  return amountCents + fees + Math.round((amountCents * face_gst_percent) / 100)
}

const refusedPair = z.strictObject({
  card_id: cardId,
  denomination: dollars,
  code: recordText(100),
  message: recordText(limits.reason),
  at: z.iso.datetime({ offset: true }),
})
export type RefusedPair = z.output<typeof refusedPair>

/** Pairs that the service refused; Laurel adds and clears them by the responses. */
export const cardPairs = z.strictObject({
  refused: z.readonly(z.array(refusedPair)).check(z.maxLength(1000)),
})
export type CardPairs = z.output<typeof cardPairs>

export function refusalOfPair(
  pairs: CardPairs,
  template: string | undefined,
  denomination: number,
): RefusedPair | undefined {
  return pairs.refused.find((pair) => pair.card_id === template && pair.denomination === denomination)
}

/** Result of matching a text: an entered template, one that only the service may have, or none. */
type TemplateMatch =
  | { readonly kind: "entered"; readonly template: CardTemplate }
  | {
      readonly kind: "possible" | "several" | "none"
      readonly message: string
      readonly nearest: CardTemplate | undefined
    }

/** Ids are words with a sign or a digit; words alone are names, and a name that was not entered cannot be sent. */
const idShape = /^(?=.*[\d_:-])\S+$/

/**
 * Chosen instead of a template: the request has no `cardId` and the service uses the integration's default card
 * (docs/api/giftcard.md, Issue a card). Stored as the card's template until a lookup shows the real one.
 */
export const integrationDefault = "integration's default"

const defaultTemplate: CardTemplate = {
  id: integrationDefault,
  name: "Integration’s default",
  denominations: [],
}

export function findTemplate({ templates }: Pick<CardTemplates, "templates">, text: string): TemplateMatch {
  if (plain(text).replaceAll("’", "'") === integrationDefault)
    return { kind: "entered", template: defaultTemplate }
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
    ? { kind: "possible", message: `Template "${text}" isn’t in the settings. ${meant}`, nearest }
    : { kind: "none", message: `Template "${text}" doesn’t exist. ${meant}`, nearest }
}

const mostListed = 5

function validNames(templates: CardTemplates["templates"]): string {
  if (templates.length > mostListed) return "Settings, Gift cards lists the valid names and ids."
  return `Valid names: ${templates.map(({ name }) => name).join(", ")}.`
}

/** The entered, never refused amount (dollars) of a template nearest to the requested one. */
export function nearestAmount(
  { id, denominations }: CardTemplate,
  pairs: CardPairs,
  requested: number,
): number | undefined {
  return denominations
    .filter((amount) => refusalOfPair(pairs, id, amount) === undefined)
    .toSorted((one, other) => Math.abs(one - requested) - Math.abs(other - requested) || one - other)[0]
}

function plain(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ").toLowerCase()
}

/** A text is a slip of a name or an id when at most this share of its letters differ. */
const nearShare = 0.34
const shortestBeginning = 3

/** How far a text is from a template's name or id: 0 where one begins with the other, else the share that differs. */
function farTo({ id, name }: CardTemplate, text: string): number {
  const requested = plain(text)
  return Math.min(...[plain(name), plain(id)].map((known) => shareApart(known, requested)))
}

function shareApart(known: string, requested: string): number {
  const shorter = Math.min(known.length, requested.length)
  if (shorter >= shortestBeginning && (known.startsWith(requested) || requested.startsWith(known))) return 0
  // Prefixes of ids, such as "card_", are not compared.
  const shared = /^[a-z]+[_:-]/.exec(known)?.[0] ?? ""
  const skipped = requested.startsWith(shared) ? shared.length : 0
  const [from, to] = [known.slice(skipped), requested.slice(skipped)]
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

/** `issued` by a row of a job, `adopted` from elsewhere, `unexpected`: issued when a link was to be revealed. */
export const cardOrigins = ["issued", "adopted", "unexpected"] as const
export type CardOrigin = (typeof cardOrigins)[number]

const textOrNone = z.nullable(z.string())
/** ISO 8601. */
const timeOrNone = z.nullable(z.string())

/** A card in the register. It has no field for a redeem link. */
export const cardRecord = z.object({
  id: z.string(),
  origin: z.enum(cardOrigins),
  /** As the service sent it last. */
  status: textOrNone,
  template: textOrNone,
  amount_cents: z.nullable(z.int()),
  reference: textOrNone,
  /** A person's own reference where another one was sent. */
  own_reference: textOrNone,
  member: z.object({ id: textOrNone, email: textOrNone, name: textOrNone, created: z.nullable(z.boolean()) }),
  is_test: z.nullable(z.boolean()),
  issued_at: timeOrNone,
  expires_at: timeOrNone,
  /** The row that issued it, with its number in its file; null for a card that was issued elsewhere. */
  job: z.nullable(z.object({ id: z.string(), row: z.int(), line: z._default(z.nullable(z.int()), null) })),
  by: z.object({ id: z.string(), name: z.string() }),
  replayed: z.nullable(z.boolean()),
  message: textOrNone,
  looked_up_at: timeOrNone,
})
export type CardRecord = Readonly<z.output<typeof cardRecord>>

/** A card of the register (docs/api/laurel.md, Gift cards), and whether its link can be revealed. */
export const registeredCard = z.extend(cardRecord, { can_reveal: z.boolean() })
export type RegisteredCard = z.output<typeof registeredCard>

export const cardListQuery = z.strictObject({
  search: z.optional(searchText()),
  template: z.optional(recordText(limits.cardReference)),
  status: z.optional(recordText()),
  expiring_days: z.optional(z.int().check(z.minimum(0), z.maximum(400))),
  test: z.optional(z.enum(["yes", "no"])),
  origin: z.optional(z.enum(cardOrigins)),
  job: z.optional(recordText(40)),
  person: z.optional(recordText()),
  member: z.optional(recordText()),
  ...timeSpan,
  sort: z.optional(z.enum(["newest", "expiring"])),
  ...paging,
})
export type CardListQuery = z.output<typeof cardListQuery>

/** Response of `GET /api/cards/facets`: values for filters. */
export const cardFacets = z.object({
  templates: z.array(z.string()),
  statuses: z.array(z.string()),
  people: z.array(z.object({ id: z.string(), name: z.string() })),
})
export type CardFacets = z.output<typeof cardFacets>

/** Response of `GET /api/cards/fund`: the fund as entered, and what live cards issued here drew since, by costs as entered. */
export const cardFund = z.object({
  entered_cents: z.nullable(z.int()),
  entered_at: timeOrNone,
  cards: z.int(),
  drawn_cents: z.int(),
  left_cents: z.nullable(z.int()),
})
export type CardFund = z.output<typeof cardFund>
/** Body of `POST /api/cards/adopt`: a card that was issued elsewhere, by its id or by its reference. */
export const adoptCardBody = z
  .strictObject({
    id: z.optional(named("the card’s id")),
    externalRef: z.optional(named("the reference")),
    cardId: z.optional(recordText(limits.cardReference)),
  })
  .check(
    z.refine(
      ({ id, externalRef }) => (id === undefined) !== (externalRef === undefined),
      "Give either the card’s id or its externalRef.",
    ),
  )
export type AdoptCardBody = z.output<typeof adoptCardBody>

/** Body of `POST /api/cards/check-references`: references, each on a template or on the default one. */
export const referenceCheckBody = z.strictObject({
  references: z
    .array(
      z.strictObject({
        template: z.optional(recordText(limits.cardReference)),
        reference: z.string().check(asExact, z.minLength(1), z.maxLength(limits.cardReference)),
      }),
    )
    .check(z.minLength(1), z.maxLength(limits.referencesAtOnce)),
  /** For a single unused reference the service is called too: one request of the shared budget. */
  ask_service: z.optional(z.boolean()),
})
export type ReferenceCheckBody = z.output<typeof referenceCheckBody>

/** The card or job row that uses a reference or idempotency key already. */
export const referenceHolder = z.object({
  card_id: z.nullable(z.string()),
  registered: z.boolean(),
  job: z.nullable(z.object({ id: z.string(), row: z.int() })),
})
export type ReferenceHolder = z.output<typeof referenceHolder>

/** Whether a reference is free on a template. `unknown`: unused here, and the service did not respond in time. */
export const referenceCheck = z.object({
  state: z.enum(["free", "taken", "unknown"]),
  by: z.nullable(referenceHolder),
})
export type ReferenceCheck = z.output<typeof referenceCheck>

export const revealBody = z.strictObject({ reason: requiredText("the reason", limits.reason) })

/** `POST /api/cards/{id}/reveal`, for one screen only. `alarm`: a new card was issued instead; there is no link. */
export const revealedCard = z.object({
  redeem_url: z.nullable(z.string()),
  alarm: z.nullable(z.object({ card_id: z.string(), message: z.string() })),
})
export type RevealedCard = z.output<typeof revealedCard>
