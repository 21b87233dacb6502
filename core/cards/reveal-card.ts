import type { RevealedCard } from "../../contract/cards.ts"
import { type Act, entryOf } from "../audit-log.ts"
import type { DeskContext } from "../context.ts"
import { DeskFailure, notFound, stored } from "../errors.ts"
import type { DeskRequest } from "../http.ts"
import type { RowRecord } from "../jobs/job-store.ts"
import { timeOf } from "../jobs/kinds/giftcard-look.ts"
import type { CardRecord } from "./card-store.ts"
import { mayReveal } from "./card-view.ts"
import { hasIssued } from "./issuing-row.ts"
import { lookUpCard } from "./read-card.ts"
import { replayCard, type Replay } from "./replay-card.ts"

/**
 * Shows the link of a card that was issued here, once, to who asks. The log has it before the service is asked for it,
 * so no link is ever given without an entry; what went wrong afterwards is a second entry.
 * @throws DeskFailure 404 for a card that is not in the register, 409 for one whose link cannot be asked for
 */
export async function revealCard(
  context: DeskContext,
  request: DeskRequest,
  id: string,
  reason: string,
): Promise<RevealedCard> {
  const { store } = context
  const known = await stored(store.cards.get(id))
  if (known === undefined) throw notFound("There’s no card with this id in the register. Nothing was sent.")
  const card = await withExpiry(context, request, known)
  const row = await rowOf(context, card)
  const said = (act: Pick<Act, "outcome" | "note">): Act => ({
    action: "card.reveal",
    on: onCard(card),
    ...act,
  })
  await stored(context.audit.record(entryOf(request, said({ outcome: "done", note: reason }))))
  try {
    const replay = await replayCard(context, request, row)
    if (replay.cardId === id) {
      if (replay.link === undefined) throw conflict("The service’s response had no link. No link was shown.")
      return { redeem_url: replay.link, alarm: null }
    }
    if (!replay.isNew) {
      throw conflict(
        `The service responded with a different card, ${replay.cardId}. No link was shown. Check both cards.`,
      )
    }
    return await alarm(context, request, { card, row, replay })
  } catch (error) {
    const note = error instanceof DeskFailure ? error.message : "No link was shown."
    await lateEntry(context, request, said({ outcome: "failed", note }))
    throw error
  }
}

/** A card whose answer did not say when it expires is looked up first: asking for an expired one could issue another. */
async function withExpiry(context: DeskContext, request: DeskRequest, card: CardRecord): Promise<CardRecord> {
  if (card.job === null || card.expiresAt !== null) return card
  const found = await lookUpCard(context, request, card)
  if (found.expiresAt !== null) return found
  throw conflict(
    "The service doesn’t say when this card expires, so its link can’t be revealed. The recipient has it in the service’s e-mail. Nothing was sent.",
  )
}

async function rowOf(context: DeskContext, card: CardRecord): Promise<RowRecord> {
  if (card.job === null) {
    throw conflict("This card was issued elsewhere, so its link can’t be revealed here. Nothing was sent.")
  }
  if (!mayReveal(card, context.clock.now())) {
    throw conflict("This card has expired, so its link can’t be revealed. Nothing was sent.")
  }
  const row = await stored(context.store.jobs.row(card.job.id, card.job.row))
  if (row === undefined || !hasIssued(row)) {
    throw conflict("The row that issued this card isn’t confirmed. Nothing was sent.")
  }
  return row
}

/** The service knew the key no longer and issued another card: it is entered, and nobody gets a link unseen. */
async function alarm(
  context: DeskContext,
  request: DeskRequest,
  { card, row, replay }: { readonly card: CardRecord; readonly row: RowRecord; readonly replay: Replay },
): Promise<RevealedCard> {
  const { cardId, isTest, status, memberId, memberCreated } = replay
  const { id: userId, name } = request.user
  const fresh: CardRecord = {
    ...card,
    id: cardId,
    origin: "unexpected",
    status,
    memberId: memberId ?? card.memberId,
    memberCreated,
    isTest,
    issuedAt: context.clock.now(),
    expiresAt: timeOf(replay.expiresAt) ?? null,
    job: { id: row.jobId, row: row.row },
    by: { id: userId, name },
    replayed: false,
    message: replay.message,
    lookedUpAt: null,
  }
  const message = `The service no longer had this card’s request and issued a new card, ${cardId}. Both are in the register now. No link was shown. Tell your program administrator.`
  await context.store.cards.add(fresh).catch((error: unknown) => {
    context.log.error({ err: error, card: cardId }, "a new card could not be entered in the register")
  })
  context.events.publish({ topic: "cards", id: cardId })
  await lateEntry(context, request, {
    action: "card.issue",
    on: onCard(fresh),
    outcome: "unknown",
    note: message,
    changes: [{ field: "revealed", from: null, to: card.id }],
  })
  return { redeem_url: null, alarm: { card_id: cardId, message } }
}

/** An entry about what has happened already: nothing that is answered hangs on it. */
async function lateEntry({ audit, log }: DeskContext, request: DeskRequest, act: Act): Promise<void> {
  await audit.record(entryOf(request, act)).catch((error: unknown) => {
    log.error({ err: error, requestId: request.requestId }, "audit entry lost")
  })
}

function onCard({ id, name, email }: CardRecord): Act["on"] {
  return { kind: "card", id, label: name ?? email }
}

function conflict(message: string): DeskFailure {
  return new DeskFailure({ status: 409, code: "conflict", message })
}
