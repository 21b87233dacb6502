import * as z from "zod/mini"
import { takenBy } from "../../../contract/job-rows.ts"
import { issueCardBody, type IssueCardBody } from "../../../contract/giftcard/card.ts"
import { isStorable } from "../../../contract/program/common.ts"
import { cutText } from "../correlation-tags.ts"
import type { RowRecord } from "../job-store.ts"

const text = z.nullable(z.string())

/** What a row of cards keeps between steps. Never a link. */
const giftcardWork = z.looseObject({
  /** The reference that was claimed for it. */
  reference: z.optional(z.string()),
  /** Exactly what is sent, each time. */
  body: z.optional(issueCardBody),
  /** When the attempt was sent whose end nobody knows, the store's clock; only with one can a card be this row's. */
  unknownSince: z.optional(z.number()),
  /** A refusal that came after such an attempt, or that proved nothing. */
  refusal: z.optional(z.looseObject({ code: z.string() })),
  /** What has the reference, or the key, that it wanted to use. */
  takenBy: z.optional(takenBy),
  memberId: z.optional(text),
  memberCreated: z.optional(z.nullable(z.boolean())),
  status: z.optional(text),
  /** ISO 8601, the service's. */
  expiresAt: z.optional(text),
  issuedAt: z.optional(text),
  isTest: z.optional(z.nullable(z.boolean())),
  /** Whether the confirming answer repeated an earlier one. */
  replayed: z.optional(z.boolean()),
  /** What the confirming answer said in words, without links. */
  message: z.optional(text),
})
/** What a row of cards keeps between steps. */
export type GiftcardWork = z.output<typeof giftcardWork>

/** What the row keeps. */
export function giftcardWorkOf({ work }: Pick<RowRecord, "work">): GiftcardWork {
  return giftcardWork.parse(work ?? {})
}

/**
 * The body that was stored with the row, as it was stored: its fields in the same order.
 * @throws Error when the row was never made ready
 */
export function storedBody({ work, jobId, row }: Pick<RowRecord, "work" | "jobId" | "row">): IssueCardBody {
  const body = work?.["body"]
  if (!isIssueBody(body)) throw new Error(`Row ${row} of ${jobId} has no stored request.`)
  return body
}

function isIssueBody(body: unknown): body is IssueCardBody {
  return issueCardBody.safeParse(body).success
}

/** A text of the service as the store can keep it; null for what is none. */
export function keptText(text: unknown): string | null {
  return typeof text === "string" && isStorable(text) ? text : null
}

const longestMessage = 500

/** A sentence of the service as it is kept and shown: cut, and without any address, because one could be a redeem link. */
export function keptMessage(text: unknown): string | null {
  const kept = keptText(text)?.trim() ?? ""
  const plain = kept.replaceAll(/[a-z][a-z0-9+.-]*:\/\/\S+/giu, "[link]")
  return plain === "" ? null : cutText(plain, longestMessage)
}

/** Dollars as cents. */
export function centsOf(dollars: number): number {
  return Math.round(dollars * 100)
}
