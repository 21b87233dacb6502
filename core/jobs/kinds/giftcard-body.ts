import { type GiftcardRow, ownKeyPrefix } from "../../../contract/job-rows.ts"
import type { IssueCardBody } from "../../../contract/giftcard/card.ts"
import type { JobRecord, RowRecord } from "../job-store.ts"
import { tagReference } from "../correlation-tags.ts"

/**
 * The request of a row, made once and stored before the first call. The key follows from the row alone, so that even a
 * store put back from yesterday repeats the same one; a row that was edited, or mended after a refusal, asks for something
 * else and gets another. It carries the job's time besides its code, because a key that some other job used before would be
 * answered with that one's card. A caller's own key goes out as it was given.
 * @param reference the one that was claimed for the row
 */
export function bodyFor(
  job: Pick<JobRecord, "batchCode" | "createdAt">,
  row: Pick<RowRecord, "row" | "attempts" | "edits">,
  input: GiftcardRow & { readonly cardId: string },
  reference: string,
): IssueCardBody {
  const { email, firstname, lastname, accountKey, mobile } = input.member
  const { idempotencyKey } = input
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
    idempotencyKey: isGiven(idempotencyKey)
      ? idempotencyKey
      : `${ownKeyPrefix}${Math.round(job.createdAt).toString(36)}.${tagReference(job, row)}${again}`,
    ...(isGiven(input.unsubscribeUrl) && { unsubscribeUrl: input.unsubscribeUrl }),
  }
}

/** Whether an optional text says something. */
export function isGiven(text: string | undefined): text is string {
  return text !== undefined && text !== ""
}
