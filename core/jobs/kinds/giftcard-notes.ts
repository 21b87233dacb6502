import * as z from "zod/mini"
import { issueCardBody, type IssueCardBody } from "../../../contract/giftcard/card.ts"
import { integrationDefault, referenceHolder } from "../../../contract/cards.ts"
import { giftcardRow, ownKeyPrefix } from "../../../contract/kinds/giftcard.ts"
import { isStorable } from "../../../contract/program/common.ts"
import { readBody } from "../../validation.ts"
import { cutText, tagReference } from "../job-record.ts"
import type { JobRecord, RowRecord } from "../job-store.ts"

const text = z.nullable(z.string())

/** The `notes` of a gift-card row. Never contains a redeem link. */
const giftcardNotes = z.object({
  reference: z.optional(z.string()),
  /** The exact request of every attempt. */
  body: z.optional(issueCardBody),
  /** When the first unknown attempt was sent, the store's clock. Without one no card can be this row's. */
  unknownSince: z.optional(z.number()),
  /** A refusal after an unknown attempt, or one that proved nothing. */
  refusal: z.optional(z.looseObject({ code: z.string() })),
  takenBy: z.optional(referenceHolder),
  memberId: z.optional(text),
  memberCreated: z.optional(z.nullable(z.boolean())),
  status: z.optional(text),
  expiresAt: z.optional(text),
  issuedAt: z.optional(text),
  isTest: z.optional(z.nullable(z.boolean())),
  replayed: z.optional(z.boolean()),
  /** The message of the confirming response, without links. */
  message: z.optional(text),
})

export type GiftcardNotes = z.output<typeof giftcardNotes>

/** @throws ZodError for notes of another kind */
export function readGiftcardNotes({ notes }: Pick<RowRecord, "notes">): GiftcardNotes {
  return giftcardNotes.parse(notes ?? {})
}

/** A field of the input; undefined when it is missing or empty. */
export function givenText({ input }: RowRecord, field: "cardId" | "externalRef" | "idempotencyKey") {
  const given = input[field]
  return typeof given === "string" && isGiven(given) ? given : undefined
}

/** An empty cell of a file counts as missing. */
export function isGiven(text: string | undefined): text is string {
  return text !== undefined && text !== ""
}

/** The fields that have a value; a request leaves the others out. */
export function onlyGiven(texts: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).flatMap(([name, text]) => (isGiven(text) ? [[name, text]] : [])),
  )
}

/** The template's id, or `integrationDefault`. */
export function rowTemplate(row: RowRecord): string {
  return readGiftcardNotes(row).body?.cardId ?? givenText(row, "cardId") ?? ""
}

/** The reference already sent, otherwise the person's own, otherwise the row's tag. */
export function rowReference(job: Pick<JobRecord, "batchCode">, row: RowRecord): string {
  return readGiftcardNotes(row).body?.externalRef ?? givenText(row, "externalRef") ?? tagReference(job, row)
}

/**
 * Builds the request of a row, which is stored before the first call. The idempotency key depends on the row only, so
 * that a restored store repeats it; edits and retries change it. It contains the job's time, because the service answers
 * a key of another job with that job's card.
 */
export function issueRequest(job: JobRecord, row: RowRecord): IssueCardBody {
  const input = readBody(row.input, giftcardRow)
  const template = rowTemplate(row)
  const { email, firstname, lastname, accountKey, mobile } = input.member
  const again = `${row.attempts === 0 ? "" : `.${row.attempts}`}${row.edits === 0 ? "" : `.e${row.edits}`}`
  const ownKey = `${ownKeyPrefix}${Math.round(job.createdAt).toString(36)}.${tagReference(job, row)}${again}`
  return {
    member: { email, firstname, lastname, ...onlyGiven({ accountKey, mobile }) },
    denomination: input.denomination,
    ...(input.expiryDays !== undefined && { expiryDays: input.expiryDays }),
    ...(template !== integrationDefault && { cardId: template }),
    externalRef: rowReference(job, row),
    idempotencyKey: givenText(row, "idempotencyKey") ?? ownKey,
    ...onlyGiven({ unsubscribeUrl: input.unsubscribeUrl }),
  }
}

/** The stored request with its field order, which the service compares. Throws if there is none. */
export function storedRequest({ notes, jobId, row }: Pick<RowRecord, "notes" | "jobId" | "row">) {
  const body = notes?.["body"]
  if (!isIssueBody(body)) throw new Error(`Row ${row} of ${jobId} has no stored request.`)
  return body
}

function isIssueBody(body: unknown): body is IssueCardBody {
  return issueCardBody.safeParse(body).success
}

/** When the first unknown attempt was sent. An inconclusive refusal also makes a row doubtful, but does not count. */
export function firstUnknownAttempt(row: RowRecord): number | undefined {
  const { unknownSince, refusal } = readGiftcardNotes(row)
  if (unknownSince !== undefined) return unknownSince
  return row.hadUnknownAttempt && refusal === undefined ? (row.sentAt ?? undefined) : undefined
}

/** A text from the service; null for anything else and for characters that PostgreSQL cannot store. */
export function storableText(text: unknown): string | null {
  return typeof text === "string" && isStorable(text) ? text : null
}

const longestMessage = 500

/** A shortened message with all URLs removed, because one could be a redeem link. */
export function storableMessage(text: unknown): string | null {
  const message = storableText(text)?.trim() ?? ""
  const plain = message.replaceAll(/[a-z][a-z0-9+.-]*:\/\/\S+/giu, "[link]")
  return plain === "" ? null : cutText(plain, longestMessage)
}

/** Whole cents; the service counts in dollars. */
export function centsOf(dollars: number): number {
  return Math.round(dollars * 100)
}
