import * as z from "zod/mini"
import { issueCardBody } from "../giftcard/card.ts"
import { plainText } from "../program/text.ts"
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

/**
 * A row of a job of gift cards: the document's body without what the desk adds itself (docs/api/giftcard.md, Issue a
 * card). Without `cardId` the default template is written in when the job is made; `externalRef` is a person's own
 * reference. `confirm_pair` sends an amount that the template is known to refuse.
 */
export const giftcardRow = z.strictObject({
  member: issueCardBody.shape.member,
  denomination: issueCardBody.shape.denomination.check(wholeCents),
  expiryDays: issueCardBody.shape.expiryDays,
  cardId: textOrNone,
  externalRef: textOrNone,
  unsubscribeUrl: issueCardBody.shape.unsubscribeUrl,
  confirm_pair: z.optional(z.boolean()),
})
/** A row of a job of gift cards. */
export type GiftcardRow = z.output<typeof giftcardRow>
