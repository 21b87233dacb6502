import { giftcardRow } from "../../contract/job-rows.ts"
import { readBody } from "../validation.ts"
import type { JobRecord, RowRecord } from "../jobs/job-store.ts"
import { timeOf } from "../jobs/kinds/giftcard-look.ts"
import { centsOf, giftcardWorkOf } from "../jobs/kinds/giftcard-work.ts"
import type { CardRecord } from "./card-store.ts"

/** The card that a row issued, as the register keeps it; undefined when it has issued none. */
export function cardOfRow(job: Pick<JobRecord, "createdBy">, row: RowRecord): CardRecord | undefined {
  if (row.upstreamId === null) return undefined
  const work = giftcardWorkOf(row)
  const { member, denomination, externalRef, cardId } = readBody(row.input, giftcardRow)
  const reference = work.body?.externalRef ?? work.reference ?? null
  const { id, name } = job.createdBy
  return {
    id: row.upstreamId,
    origin: "issued",
    status: work.status ?? null,
    template: work.body?.cardId ?? cardId ?? null,
    amountCents: centsOf(denomination),
    reference,
    ownReference: externalRef === undefined || externalRef === reference ? null : externalRef,
    memberId: work.memberId ?? null,
    email: member.email,
    name: `${member.firstname} ${member.lastname}`,
    memberCreated: work.memberCreated ?? null,
    isTest: work.isTest ?? null,
    // The answer to an issue says no time: then it is that of the answer.
    issuedAt: timeOf(work.issuedAt) ?? row.confirmedAt ?? row.endedAt,
    expiresAt: timeOf(work.expiresAt) ?? null,
    job: { id: row.jobId, row: row.row },
    by: { id, name },
    replayed: work.replayed ?? null,
    message: work.message ?? null,
    lookedUpAt: null,
  }
}
