import type { GiftcardRow } from "../../../../contract/desk/job-rows-giftcard.ts"
import type { IssueCardBody } from "../../../../contract/giftcard/card.ts"
import type { JobRecord, RowRecord } from "../job-store.ts"
import { referenceOf } from "../marks.ts"

/**
 * The request of a row, made once and stored before the first call. The key follows from the row alone, so that even a
 * store put back from yesterday repeats the same one; a row that is tried again after a refusal, or was edited, gets
 * another. It carries
 * the job's time besides its code, because a key that some other job used before would be answered with that one's card.
 * @param reference the one that was settled for the row
 */
export function bodyFor(
  job: Pick<JobRecord, "batchCode" | "createdAt">,
  row: Pick<RowRecord, "row" | "attempts" | "edits">,
  input: GiftcardRow & { readonly cardId: string },
  reference: string,
): IssueCardBody {
  const { email, firstname, lastname, accountKey, mobile } = input.member
  const again = `${row.attempts === 0 ? "" : `.${row.attempts}`}${row.edits === 0 ? "" : `.e${row.edits}`}`
  return {
    member: {
      email,
      firstname,
      lastname,
      ...(isGiven(accountKey) && { accountKey }),
      ...(isGiven(mobile) && { mobile }),
    },
    denomination: input.denomination,
    ...(input.expiryDays !== undefined && { expiryDays: input.expiryDays }),
    cardId: input.cardId,
    externalRef: reference,
    idempotencyKey: `laurel.${Math.round(job.createdAt).toString(36)}.${referenceOf(job, row)}${again}`,
    ...(isGiven(input.unsubscribeUrl) && { unsubscribeUrl: input.unsubscribeUrl }),
  }
}

/** Whether an optional text says something. */
export function isGiven(text: string | undefined): text is string {
  return text !== undefined && text !== ""
}
