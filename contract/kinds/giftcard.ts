import * as z from "zod/mini"
import { issueCardBody } from "../giftcard/card.ts"
import { limits } from "../limits.ts"
import { isStorable, plainText } from "../program/common.ts"
import { exactText } from "../typed-text.ts"
import type { JobKindDescriptor } from "./descriptor.ts"

const wholeCents = z.refine<number>((dollars) => {
  const cents = Math.round(dollars * 100)
  return Number.isSafeInteger(cents) && Math.abs(dollars * 100 - cents) < 1e-6
}, "Use at most two decimals.")

const textOrNone = z.optional(plainText(limits.cardReference))

/** What the service compares letter by letter keeps its blanks and case; nothing but blanks is a mistake. */
const exactOrNone = z.optional(
  z.string().check(
    z.maxLength(limits.cardReference, `At most ${limits.cardReference} characters.`),
    z.refine(
      (text) => isStorable(text) && (text === "" || text.trim() !== ""),
      "Write it without blanks only.",
    ),
  ),
)

/** Prefix of keys that Laurel makes; refused in keys of callers. */
export const ownKeyPrefix = "laurel."

/**
 * A row of a job of gift cards (docs/api/giftcard.md, Issue a card). `externalRef` and `idempotencyKey` are a caller's
 * own, each for one row; a key is sent exactly as given; `confirm_pair` sends an amount that the template is known to refuse.
 */
export const giftcardRow = z.strictObject({
  member: issueCardBody.shape.member,
  denomination: issueCardBody.shape.denomination.check(wholeCents),
  expiryDays: issueCardBody.shape.expiryDays,
  cardId: textOrNone,
  externalRef: exactOrNone.check(z.overwrite((text) => text && exactText(text))),
  idempotencyKey: exactOrNone.check(
    z.refine(
      (key) => key?.startsWith(ownKeyPrefix) !== true,
      `Keys that begin with ${ownKeyPrefix} are made by Laurel. Use another one.`,
    ),
  ),
  unsubscribeUrl: issueCardBody.shape.unsubscribeUrl,
  confirm_pair: z.optional(z.boolean()),
})
export type GiftcardRow = z.output<typeof giftcardRow>

export const giftcard = {
  api: "giftcard",
  permission: "cards.issue",
  reads: "cards.read",
  audit: { action: "card.issue", label: "Issued a gift card" },
  operations: ["POST /giftcard/cards"],
  limit: "cents",
  requestsPerRow: 1,
  subject: "member",
  name: "Gift cards",
  noun: "gift card",
  pastTense: "issued",
  record: "card",
  recordLabel: "Card id",
  fields: {
    email: "E-mail",
    firstname: "First name",
    lastname: "Last name",
    denomination: "Amount",
    cardId: "Card template",
    expiryDays: "Days",
    externalRef: "Reference",
    accountKey: "Account key",
  },
  recipientFields: ["email", "firstname", "lastname", "accountKey"],
  resultFields: ["email", "member", "cardId", "denomination", "expiryDays", "externalRef"],
  visibleInput: { fulfilment: [], viewer: ["denomination", "expiryDays", "cardId", "externalRef"] },
  labels: {
    title: "Issue a gift card",
    activity: "Issuing gift cards",
    notAllowed: "You can view gift cards but not issue them.",
    notDone: "No card was issued.",
    confirmed: "Issued",
    lookup: "by its reference",
    source: "a lookup by its reference",
    otherJob: "This link is for a job that doesn’t issue a gift card.",
  },
  decision: {
    question: "Was the card for {who} issued?",
    again: "Issue the card again",
    resendRisk:
      "The same request is sent again: the service returns the same card and doesn’t issue a second one.",
  },
} as const satisfies JobKindDescriptor
