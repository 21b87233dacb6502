import type { Selectable } from "kysely"
import { cardRecord, type CardRecord, cardSearchText } from "../../core/gift-cards/card-store.ts"
import { jobIdOf, jobNumberOf } from "../../core/job-data/job-number.ts"
import type { CardTable } from "./card-schema.ts"
import { wholeMs } from "./recordset.ts"

/** A card as the table keeps it. */
export function cardColumns(card: CardRecord): Selectable<CardTable> {
  return {
    id: card.id,
    origin: card.origin,
    status: card.status,
    template: card.template,
    amount_cents: card.amountCents,
    reference: card.reference,
    own_reference: card.ownReference,
    member_id: card.memberId,
    email: card.email,
    name: card.name,
    member_created: flagOf(card.memberCreated),
    is_test: flagOf(card.isTest),
    issued_at: timeOf(card.issuedAt),
    expires_at: timeOf(card.expiresAt),
    job: card.job === null ? null : (jobNumberOf(card.job.id) ?? 0),
    row: card.job?.row ?? null,
    by_id: card.by.id,
    by_name: card.by.name,
    replayed: flagOf(card.replayed),
    message: card.message,
    looked_up_at: timeOf(card.lookedUpAt),
    search: cardSearchText(card),
  }
}

/** A card as it is kept. */
export function cardOf(columns: Selectable<CardTable>): CardRecord {
  const { job, row } = columns
  return cardRecord.parse({
    id: columns.id,
    origin: columns.origin,
    status: columns.status,
    template: columns.template,
    amountCents: columns.amount_cents,
    reference: columns.reference,
    ownReference: columns.own_reference,
    memberId: columns.member_id,
    email: columns.email,
    name: columns.name,
    memberCreated: yesOf(columns.member_created),
    isTest: yesOf(columns.is_test),
    issuedAt: columns.issued_at,
    expiresAt: columns.expires_at,
    job: job === null || row === null ? null : { id: jobIdOf(job), row },
    by: { id: columns.by_id, name: columns.by_name },
    replayed: yesOf(columns.replayed),
    message: columns.message,
    lookedUpAt: columns.looked_up_at,
  })
}

function flagOf(value: boolean | null): number | null {
  return value === null ? null : Number(value)
}

function yesOf(value: number | null): boolean | null {
  return value === null ? null : value === 1
}

function timeOf(at: number | null): number | null {
  return at === null ? null : wholeMs(at)
}
