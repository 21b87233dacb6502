import * as z from "zod/mini"
import { issueCardBody } from "../giftcard/card.ts"
import { isStorable, plainText } from "../program/text.ts"
import { limits } from "../limits.ts"

/** Dollars that are whole cents. */
const wholeCents = z.refine<number>(
  (dollars) => Number.isSafeInteger(Math.round(dollars * 100)) && isCents(dollars),
  "Use at most two decimals.",
)

function isCents(dollars: number): boolean {
  return Math.abs(dollars * 100 - Math.round(dollars * 100)) < 1e-6
}

const textOrNone = z.optional(plainText(limits.cardReference))

/** What the service compares letter by letter goes out exactly as it was given; nothing but blanks is a mistake. */
const exactOrNone = z.optional(
  z.string().check(
    z.maxLength(limits.cardReference, `At most ${limits.cardReference} characters.`),
    z.refine(
      (text) => isStorable(text) && (text === "" || text.trim() !== ""),
      "Write it without blanks only.",
    ),
  ),
)

/** Keys that the desk makes begin so, and nobody else's do. */
export const ownKeyPrefix = "laurel."

/**
 * A row of a job of gift cards: the document's body without what the desk adds itself (docs/api/giftcard.md, Issue a
 * card). Without `cardId` the default template is written in when the job is made; `externalRef` is a person's own
 * reference and `idempotencyKey` a caller's own key, both sent exactly as given and each for one row only. `confirm_pair` sends an amount that the template is known to refuse.
 */
export const giftcardRow = z.strictObject({
  member: issueCardBody.shape.member,
  denomination: issueCardBody.shape.denomination.check(wholeCents),
  expiryDays: issueCardBody.shape.expiryDays,
  cardId: textOrNone,
  externalRef: exactOrNone,
  idempotencyKey: exactOrNone.check(
    z.refine(
      (key) => key?.startsWith(ownKeyPrefix) !== true,
      `Keys that begin with ${ownKeyPrefix} are made by Laurel. Use another one.`,
    ),
  ),
  unsubscribeUrl: issueCardBody.shape.unsubscribeUrl,
  confirm_pair: z.optional(z.boolean()),
})
/** A row of a job of gift cards. */
export type GiftcardRow = z.output<typeof giftcardRow>

/** What has the reference, or the idempotency key, that a row wanted to use. */
export const takenBy = z.object({
  /** The card that has the reference. */
  card_id: z.nullable(z.string()),
  /** Whether that card is in the register. */
  registered: z.boolean(),
  /** The row it belongs to, issued or not yet. */
  job: z.nullable(z.object({ id: z.string(), row: z.int() })),
})
/** What has a reference, or an idempotency key. */
export type TakenBy = z.output<typeof takenBy>
