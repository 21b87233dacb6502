import { giftcardRow } from "../../../contract/job-rows.ts"
import { refusalOfPair } from "../../../contract/cards.ts"
import { rowOutcomeWords } from "../../../contract/row-outcomes.ts"
import { readBody } from "../../validation.ts"
import type { JobContext } from "../job-context.ts"
import type { Precheck } from "../job-kind.ts"
import type { JobRecord, RowRecord } from "../job-store.ts"
import { bodyFor } from "./giftcard-body.ts"
import { claimBeforeSending, refusalOutcome, sentReferenceOf } from "./giftcard-references.ts"
import { giftcardWorkOf } from "./giftcard-work.ts"

/**
 * Right before a card is sent: an amount that its template is known to refuse is not asked for again, the reference has
 * to be the row's own, and the exact request is made once; it is stored with the intent, before the first call, and every repeat takes it from there.
 */
export async function readyCard(context: JobContext, job: JobRecord, row: RowRecord): Promise<Precheck> {
  const input = readBody(row.input, giftcardRow)
  const work = giftcardWorkOf(row)
  // After an attempt whose end nobody knows only the service can say what is so.
  if (!row.doubtful && input.confirm_pair !== true) {
    const pairs = await context.settings.get("cardPairs")
    if (refusalOfPair(pairs, templateOf(job, row), input.denomination) !== undefined) {
      return { kind: "failed", outcome: { code: "pair_refused", message: rowOutcomeWords.pair_refused } }
    }
  }
  const refused = await claimBeforeSending(context, job, row)
  if (refused !== undefined) return { kind: "failed", ...refusalOutcome(refused) }
  const since = unknownSinceOf(row)
  return {
    kind: "go",
    work: {
      reference: sentReferenceOf(job, row),
      ...(work.body === undefined && { body: newBody(job, row) }),
      ...(since !== undefined && { unknownSince: since }),
    },
  }
}

/** A row that a restored store has not sent: the request that it would have been, and from when its card may be. */
export function heldCard(job: JobRecord, row: RowRecord, since: number): RowRecord["work"] {
  const { body = newBody(job, row) } = giftcardWorkOf(row)
  return { body, unknownSince: unknownSinceOf(row) ?? since }
}

function newBody(job: JobRecord, row: RowRecord) {
  const input = readBody(row.input, giftcardRow)
  return bodyFor(job, row, { ...input, cardId: templateOf(job, row) }, sentReferenceOf(job, row))
}

function templateOf(job: JobRecord, row: RowRecord): string {
  const { cardId } = readBody(row.input, giftcardRow)
  if (cardId === undefined) throw new Error(`Row ${row.row} of ${job.id} names no template.`)
  return cardId
}

/**
 * When the first attempt was sent whose end nobody knows; undefined while there is none. A row is doubtful, too, after a
 * refusal that proves nothing: that alone is no such attempt.
 */
export function unknownSinceOf(row: RowRecord): number | undefined {
  const { unknownSince, refusal } = giftcardWorkOf(row)
  if (unknownSince !== undefined) return unknownSince
  return row.doubtful && refusal === undefined ? (row.sentAt ?? undefined) : undefined
}
