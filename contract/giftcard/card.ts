import * as z from "zod/mini"
import { newEmail } from "../email-address.ts"
import { limits } from "../limits.ts"
import { exactField, requiredText } from "../program/common.ts"
import { type ReadRecord, recordReader } from "../reading.ts"

/** Matched by `accountKey`, then by e-mail (docs/api/giftcard.md, Issue a card). */
const cardRecipient = z.strictObject({
  email: newEmail,
  firstname: requiredText("a first name"),
  lastname: requiredText("a last name"),
  accountKey: z.optional(exactField()),
  mobile: z.optional(exactField(limits.phone)),
})

/**
 * A card to issue, in dollars. Stricter than docs/api/giftcard.md: key and reference are always sent, and the template
 * unless a person chose the integration's default.
 */
export const issueCardBody = z.strictObject({
  member: cardRecipient,
  denomination: z.number().check(z.positive("Choose an amount.")),
  expiryDays: z.optional(
    z
      .int()
      .check(
        z.minimum(limits.cardExpiryDays.min, `At least ${limits.cardExpiryDays.min} days.`),
        z.maximum(limits.cardExpiryDays.max, `At most ${limits.cardExpiryDays.max} days.`),
      ),
  ),
  cardId: z.optional(z.string().check(z.minLength(1, "Choose a template."))),
  externalRef: z.string().check(z.minLength(1), z.maxLength(limits.cardReference)),
  idempotencyKey: z.string().check(z.minLength(1), z.maxLength(limits.cardReference)),
  unsubscribeUrl: z.optional(
    z.url({ protocol: /^https?$/, error: "Enter a full address beginning with https://." }),
  ),
})
export type IssueCardBody = z.output<typeof issueCardBody>

const issuedKeys = { id: z.string().check(z.minLength(1)), amount: z.number() }
const issuedRest = {
  status: z.string(),
  expiresAt: z.iso.datetime({ offset: true }),
  /** A secret, dropped where the response arrives. */
  redeemUrl: z.optional(z.string()),
  isTest: z.boolean(),
  externalRef: z.optional(z.string()),
}
/** Reads the `data` of an issue response; `amount` is in dollars. */
export const issuedCardReader = recordReader(issuedKeys, issuedRest)

/** Fields next to `data` in an issue response. */
export const issueAnswer = z.looseObject({
  data: z.unknown(),
  memberId: z.optional(z.nullable(z.string())),
  memberCreated: z.optional(z.nullable(z.boolean())),
  message: z.optional(z.nullable(z.string())),
})

const cardKeys = { id: z.string().check(z.minLength(1)) }
const cardRest = {
  status: z.string(),
  amount: z.number(),
  cardId: z.string(),
  memberId: z.string(),
  externalRef: z.optional(z.string()),
  isTest: z.boolean(),
  expiresAt: z.iso.datetime({ offset: true }),
  issuedAt: z.iso.datetime({ offset: true }),
}
/** Reads a looked-up card. It never carries the redeem link. */
export const cardReader = recordReader(cardKeys, cardRest)
export type Card = ReadRecord<typeof cardKeys, typeof cardRest>

/** Query of a lookup: the template resolves an ambiguous reference. */
export const cardLookupQuery = z.strictObject({
  cardId: z.optional(z.string().check(z.maxLength(limits.cardReference))),
})
