import type { RegisteredCard } from "../../contract/cards.ts"
import type { CardRecord } from "./card-store.ts"

/** A card as it is answered. There is nothing of it that a reader of the register may not see. */
export function cardView(card: CardRecord, now: number): RegisteredCard {
  return {
    id: card.id,
    origin: card.origin,
    status: card.status,
    template: card.template,
    amount_cents: card.amountCents,
    reference: card.reference,
    own_reference: card.ownReference,
    member: { id: card.memberId, email: card.email, name: card.name, created: card.memberCreated },
    is_test: card.isTest,
    issued_at: isoOf(card.issuedAt),
    expires_at: isoOf(card.expiresAt),
    job: card.job,
    by: card.by,
    replayed: card.replayed,
    message: card.message,
    looked_up_at: isoOf(card.lookedUpAt),
    can_reveal: mayReveal(card, now),
  }
}

/** Whether the link can be asked for: issued here and not expired, as far as is known. */
export function mayReveal({ job, expiresAt }: CardRecord, now: number): boolean {
  return job !== null && (expiresAt === null || expiresAt > now)
}

function isoOf(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}
