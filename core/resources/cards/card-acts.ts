import { adoptCardBody, referenceCheckBody, revealBody } from "../../../contract/cards.ts"
import { notFound, stored } from "../../errors.ts"
import { adoptCard, checkReferences, cardView, lookUpCard } from "../../gift-cards/look-up.ts"
import { revealCard } from "../../gift-cards/reveal-card.ts"
import { success } from "../../http.ts"
import type { OwnHandler } from "../../routes.ts"
import { noQuery, readBody } from "../../validation.ts"

/** `POST /api/cards/adopt`: adds a card that was issued elsewhere; 201 for a new entry. */
export const postAdoptCard: OwnHandler = async (context, request) => {
  noQuery(request.search)
  const body = readBody(request.body, adoptCardBody)
  const { card, added } = await adoptCard(context, request, body)
  return success(cardView(card, context.clock.now()), { status: added ? 201 : 200 })
}

/** `POST /api/cards/check-references`: what has these references already. */
export const postCheckReferences: OwnHandler = async (context, request) => {
  noQuery(request.search)
  return success(await checkReferences(context, request, readBody(request.body, referenceCheckBody)))
}

/** `POST /api/cards/{id}/look-up`: asks the service now and answers the card as it is then. */
export const postLookUpCard: OwnHandler = async (context, request, { id = "" }) => {
  noQuery(request.search)
  const known = await stored(context.store.cards.get(id))
  if (known === undefined)
    throw notFound("There’s no card with this id in the register. Nothing was looked up.")
  return success(cardView(await lookUpCard(context, request, known), context.clock.now()))
}

/** `POST /api/cards/{id}/reveal`: the link, to this one answer and nowhere else. */
export const postRevealCard: OwnHandler = async (context, request, { id = "" }) => {
  noQuery(request.search)
  const { reason } = readBody(request.body, revealBody)
  context.budget.personActive()
  return success(await revealCard(context, request, id, reason))
}
