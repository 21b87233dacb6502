import * as z from "zod/mini"
import { limits } from "../limits.ts"
import { takenBy } from "./job-rows-giftcard.ts"
import { plainText, requiredText } from "../program/text.ts"

/**
 * How a card came into the register: `issued` by a row of a job, `adopted` after it was issued elsewhere, `unexpected`:
 * the service issued it when a link was to be revealed.
 */
export const cardOrigins = ["issued", "adopted", "unexpected"] as const
/** How a card came into the register. */
export type CardOrigin = (typeof cardOrigins)[number]

const textOrNone = z.nullable(z.string())
/** ISO 8601. */
const timeOrNone = z.nullable(z.string())

/** A card of the register (docs/api/laurel.md, Gift cards). It never carries a redeem link. */
export const registeredCard = z.object({
  /** Id of the issued card. */
  id: z.string(),
  origin: z.enum(cardOrigins),
  /** As the service said last. */
  status: textOrNone,
  /** Id of the card template. */
  template: textOrNone,
  amount_cents: z.nullable(z.int()),
  /** The reference that was sent. */
  reference: textOrNone,
  /** The person's own reference where another one was sent. */
  own_reference: textOrNone,
  member: z.object({
    id: textOrNone,
    email: textOrNone,
    name: textOrNone,
    /** Whether a Pending member was made for this card. */
    created: z.nullable(z.boolean()),
  }),
  is_test: z.nullable(z.boolean()),
  issued_at: timeOrNone,
  expires_at: timeOrNone,
  /** The row that issued it. */
  job: z.nullable(z.object({ id: z.string(), row: z.int() })),
  /** Who issued or adopted it. */
  by: z.object({ id: z.string(), name: z.string() }),
  /** Whether the confirming answer was a replay of an earlier one. */
  replayed: z.nullable(z.boolean()),
  /** What the service said when it issued the card, without links. */
  message: textOrNone,
  looked_up_at: timeOrNone,
  /** Whether the link can be asked for: issued here, and not expired. */
  can_reveal: z.boolean(),
})
/** A card of the register. */
export type RegisteredCard = z.output<typeof registeredCard>

/** Query of `GET /api/cards`. */
export const cardListQuery = z.strictObject({
  /** Part of e-mail, name, card id, reference or member id. */
  search: z.optional(plainText()),
  template: z.optional(plainText(limits.cardReference)),
  status: z.optional(plainText()),
  /** Expires within so many days from now. */
  expiring_days: z.optional(z.int().check(z.minimum(0), z.maximum(400))),
  test: z.optional(z.enum(["yes", "no"])),
  origin: z.optional(z.enum(cardOrigins)),
  job: z.optional(plainText(40)),
  /** Id of who issued or adopted it. */
  person: z.optional(plainText()),
  /** Id of the member. */
  member: z.optional(plainText()),
  /** Issued from and to. */
  from: z.optional(z.iso.datetime({ offset: true })),
  to: z.optional(z.iso.datetime({ offset: true })),
  sort: z.optional(z.enum(["newest", "expiring"])),
  page: z.optional(z.int().check(z.minimum(1))),
  per_page: z.optional(z.int().check(z.minimum(1), z.maximum(limits.perPage.max))),
})
/** Filters of the register. */
export type CardListQuery = z.output<typeof cardListQuery>

/** Answer of `GET /api/cards/facets`: what the register holds, for filters. */
export const cardFacets = z.object({
  templates: z.array(z.string()),
  statuses: z.array(z.string()),
  people: z.array(z.object({ id: z.string(), name: z.string() })),
})
/** What the register holds. */
export type CardFacets = z.output<typeof cardFacets>

/** Answer of `GET /api/cards/fund`: the fund as entered, and what live cards issued here drew since, by costs as entered. */
export const cardFund = z.object({
  entered_cents: z.nullable(z.int()),
  entered_at: timeOrNone,
  cards: z.int(),
  drawn_cents: z.int(),
  left_cents: z.nullable(z.int()),
})
/** The fund as entered. */
export type CardFund = z.output<typeof cardFund>

const named = (what: string) => requiredText(what, limits.cardReference)

/** Body of `POST /api/cards/adopt`: a card that was issued elsewhere, by its id or by its reference. */
export const adoptCardBody = z
  .strictObject({
    id: z.optional(named("the card's id")),
    externalRef: z.optional(named("the reference")),
    /** Template that resolves an ambiguous reference. */
    cardId: z.optional(plainText(limits.cardReference)),
  })
  .check(
    z.refine(
      ({ id, externalRef }) => (id === undefined) !== (externalRef === undefined),
      "Give either the card’s id or its externalRef.",
    ),
  )
/** Which card to adopt. */
export type AdoptCardBody = z.output<typeof adoptCardBody>

/** Body of `POST /api/cards/check-references`: references, each on a template or on the default one. */
export const referenceCheckBody = z.strictObject({
  references: z
    .array(
      z.strictObject({
        template: z.optional(plainText(limits.cardReference)),
        reference: z.string().check(z.minLength(1), z.maxLength(limits.cardReference)),
      }),
    )
    .check(z.minLength(1), z.maxLength(limits.referencesAtOnce)),
  /** Whether the service is asked, too: of a single reference that nothing here has. One request of the shared budget. */
  ask_service: z.optional(z.boolean()),
})
/** References to check. */
export type ReferenceCheckBody = z.output<typeof referenceCheckBody>

/**
 * Whether a reference can be used for a card of a template. `unknown`: nothing here has it, and the service, which was to
 * be asked, did not say in time.
 */
export const referenceCheck = z.object({
  state: z.enum(["free", "taken", "unknown"]),
  by: z.nullable(takenBy),
})
/** Whether a reference can be used. */
export type ReferenceCheck = z.output<typeof referenceCheck>

/** Body of a reveal: why. */
export const revealBody = z.strictObject({ reason: requiredText("the reason", limits.reason) })

/**
 * Answer of `POST /api/cards/{id}/reveal`, for one screen only. `alarm`: the service issued a new card instead of
 * repeating the first answer; then there is no link.
 */
export const revealedCard = z.object({
  redeem_url: z.nullable(z.string()),
  alarm: z.nullable(z.object({ card_id: z.string(), message: z.string() })),
})
/** What a reveal answers. */
export type RevealedCard = z.output<typeof revealedCard>
