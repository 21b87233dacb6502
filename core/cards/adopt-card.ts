import type { AdoptCardBody } from "../../contract/cards.ts"
import { memberReader, type Member } from "../../contract/program/member.ts"
import type { Card } from "../../contract/giftcard/card.ts"
import { entryOf } from "../audit-log.ts"
import type { DeskContext } from "../context.ts"
import type { DeskRequest } from "../http.ts"
import { memberLabel } from "../jobs/kinds/find-members.ts"
import { memberPlan } from "../members/member-write.ts"
import { recorded, stored } from "../errors.ts"
import type { CardRecord } from "./card-store.ts"
import { lookOf, readCardNow } from "./read-card.ts"

/**
 * Adds a card to the register that was issued elsewhere, as a look-up shows it; one that is there is looked up only.
 * @throws DeskFailure 404, 409 as the look-up does
 */
export async function adoptCard(
  context: DeskContext,
  request: DeskRequest,
  body: AdoptCardBody,
): Promise<{ readonly card: CardRecord; readonly added: boolean }> {
  const { cards } = context.store
  const { id, externalRef, cardId } = body
  const template = cardId === undefined || cardId === "" ? undefined : cardId
  const found = await readCardNow(context, request, id ?? externalRef ?? "", template)
  const look = lookOf(found, context.clock.now())
  const known = await stored(cards.noteLook(found.id, look))
  if (known !== undefined) {
    context.events.publish({ topic: "cards", id: found.id })
    return { card: known, added: false }
  }
  const card: CardRecord = { ...(await adopted(context, request, found)), ...look }
  const added = await stored(cards.add(card))
  context.events.publish({ topic: "cards", id: card.id })
  if (added) {
    const on = { kind: "card", id: card.id, label: card.name ?? card.reference }
    const entry = entryOf(request, { action: "card.adopt", on, outcome: "done" })
    await recorded(context.audit.record(entry))
  }
  return { card: (await stored(cards.get(card.id))) ?? card, added }
}

async function adopted(context: DeskContext, request: DeskRequest, card: Card): Promise<CardRecord> {
  const member = await memberOf(context, request, card.memberId)
  const { id, name } = request.user
  return {
    id: card.id,
    origin: "adopted",
    status: null,
    template: null,
    amountCents: null,
    reference: null,
    ownReference: null,
    memberId: null,
    email: member?.email ?? null,
    name: member === undefined ? null : memberLabel(member),
    memberCreated: null,
    isTest: null,
    issuedAt: null,
    expiresAt: null,
    job: null,
    by: { id, name },
    replayed: null,
    message: null,
    lookedUpAt: null,
  }
}

/** Whose card it is, so that it is found by name: nice to have, never in the way. */
async function memberOf(
  { reads, config }: DeskContext,
  { user, signal }: DeskRequest,
  id: string | null | undefined,
): Promise<Member | undefined> {
  if (typeof id !== "string" || id === "" || config.apis.program === null) return undefined
  const person = { id: user.id, name: user.name }
  const read = await reads.read(memberPlan(id), { person, signal }).catch(() => undefined)
  const parsed = read === undefined ? undefined : memberReader.tolerant.safeParse(read.response.data)
  return parsed?.success === true ? parsed.data : undefined
}
