import { cardReader, type Card } from "../../contract/giftcard/card.ts"
import type { DeskContext } from "../context.ts"
import { notFound, stored } from "../errors.ts"
import { fetchResponse, planById } from "../gateway/upstream-read.ts"
import type { DeskRequest } from "../http.ts"
import { timeOf } from "../jobs/kinds/giftcard-look.ts"
import { centsOf, keptText } from "../jobs/kinds/giftcard-work.ts"
import type { CardLook, CardRecord } from "./card-store.ts"

/**
 * Looks a card up at the service now, for a person who waits.
 * @param id the card's, or a reference
 * @param cardId the template that resolves an ambiguous reference
 * @throws DeskFailure 404 for an unknown card, 409 with the service's code for an ambiguous reference
 */
export async function readCardNow(
  context: DeskContext,
  { user, signal }: Pick<DeskRequest, "user" | "signal">,
  id: string,
  cardId?: string,
): Promise<Card> {
  context.budget.personActive()
  const plan = planById("GET /giftcard/cards/{id}", { id }, cardId === undefined ? {} : { cardId })
  const person = { id: user.id, name: user.name }
  const response = await fetchResponse(context, plan, { lane: "people", person, signal })
  return cardReader.tolerant.parse(response.data)
}

/**
 * Looks a card of the register up now, and keeps what it shows.
 * @throws DeskFailure 404 when the service has no such card, 503 when the store does not answer
 */
export async function lookUpCard(
  context: DeskContext,
  request: Pick<DeskRequest, "user" | "signal">,
  known: CardRecord,
): Promise<CardRecord> {
  const found = await readCardNow(context, request, known.id)
  // The service reads the same place as a reference, too.
  if (found.id !== known.id) throw notFound("The gift-card service no longer has a card with this id.")
  const card = await stored(context.store.cards.noteLook(known.id, lookOf(found, context.clock.now())))
  context.events.publish({ topic: "cards", id: known.id })
  return card ?? known
}

/** What a look-up showed, as the register keeps it. What it does not say stays as it was. */
export function lookOf(card: Card, now: number): CardLook {
  const { amount, isTest, issuedAt, expiresAt } = card
  const [status, cardId, memberId, externalRef] = [
    card.status,
    card.cardId,
    card.memberId,
    card.externalRef,
  ].map(keptText)
  const [issued, expires] = [timeOf(issuedAt), timeOf(expiresAt)]
  return {
    lookedUpAt: now,
    ...(typeof status === "string" && { status }),
    ...(typeof amount === "number" && { amountCents: centsOf(amount) }),
    ...(typeof cardId === "string" && { template: cardId }),
    ...(typeof memberId === "string" && { memberId }),
    ...(typeof externalRef === "string" && { reference: externalRef }),
    ...(typeof isTest === "boolean" && { isTest }),
    ...(issued !== undefined && { issuedAt: issued }),
    ...(expires !== undefined && { expiresAt: expires }),
  }
}
