import type { CardRecord, RevealedCard } from "../../contract/cards.ts"
import { issueAnswer, issuedCardReader } from "../../contract/giftcard/card.ts"
import { readServiceError, serviceRefusal, troubleFailure } from "../gateway/upstream-errors.ts"
import type { Act } from "../audit/audit-log.ts"
import type { CoreContext } from "../context.ts"
import { AppError, conflict, notFound, stored } from "../errors.ts"
import { permitWaitMs } from "../gateway/upstream-read.ts"
import type { ApiRequest } from "../http.ts"
import { rowRequest } from "../jobs/job-kind.ts"
import { bodyHash } from "../jobs/job-record.ts"
import type { RowRecord } from "../jobs/job-store.ts"
import { storableMessage, storableText, storedRequest } from "../jobs/kinds/giftcard-notes.ts"
import type { UpstreamResult } from "../ports.ts"
import { hasIssued } from "./card-store.ts"
import { lookUpCard, mayReveal, sentTime } from "./look-up.ts"

/** Shows the link of a card that was issued here, once. @throws AppError 404, 409 when it cannot be asked for */
export async function revealCard(
  context: CoreContext,
  request: ApiRequest,
  id: string,
  reason: string,
): Promise<RevealedCard> {
  const known = await stored(context.store.cards.get(id))
  if (known === undefined) throw notFound("There’s no card with this id in the register. Nothing was sent.")
  const card = await withExpiry(context, request, known)
  const row = await rowOf(context, card)
  const act = { action: "card.reveal", on: onCard(card) } as const
  return context.audit.reveal(request, act, { reason, notShown: "No link was shown." }, async () => {
    const replay = await replayIssue(context, request, card, row)
    if (replay.card.id === id) {
      if (replay.link === undefined) throw conflict("The service’s response had no link. No link was shown.")
      return { redeem_url: replay.link, alarm: null }
    }
    if (!replay.isNew) {
      throw conflict(
        `The service responded with a different card, ${replay.card.id}. No link was shown. Check both cards.`,
      )
    }
    return enterUnexpected(context, request, card, row, replay)
  })
}

/** A card whose expiry is not known is looked up first: asking for an expired one could issue another. */
async function withExpiry(context: CoreContext, request: ApiRequest, card: CardRecord): Promise<CardRecord> {
  if (card.job === null || card.expires_at !== null) return card
  const found = await lookUpCard(context, request, card)
  if (found.expires_at !== null) return found
  throw conflict(
    "The service doesn’t say when this card expires, so its link can’t be revealed. The recipient has it in the service’s e-mail. Nothing was sent.",
  )
}

async function rowOf(context: CoreContext, card: CardRecord): Promise<RowRecord> {
  if (card.job === null) {
    throw conflict("This card was issued elsewhere, so its link can’t be revealed here. Nothing was sent.")
  }
  requireUnexpired(context, card)
  const row = await stored(context.store.jobs.row(card.job.id, card.job.row))
  if (row === undefined || !hasIssued(row)) {
    throw conflict("The row that issued this card isn’t confirmed. Nothing was sent.")
  }
  return row
}

function requireUnexpired({ clock }: Pick<CoreContext, "clock">, card: CardRecord): void {
  if (!mayReveal(card, clock.now()))
    throw conflict("This card has expired, so its link can’t be revealed. No link was shown.")
}

/** The service had forgotten the key and issued another card: it is registered, and its link is not shown. */
async function enterUnexpected(
  context: CoreContext,
  request: ApiRequest,
  card: CardRecord,
  row: RowRecord,
  replay: Replay,
): Promise<RevealedCard> {
  const { id: cardId, member, ...sent } = replay.card
  const fresh: CardRecord = {
    ...card,
    ...sent,
    id: cardId,
    origin: "unexpected",
    member: { ...card.member, id: member.id ?? card.member.id, created: member.created },
    issued_at: new Date(context.clock.now()).toISOString(),
    job: { id: row.jobId, row: row.row, line: row.line },
    by: { id: request.user.id, name: request.user.name },
    replayed: false,
    looked_up_at: null,
  }
  const message = `The service no longer had this card’s request and issued a new card, ${cardId}. Both are in the register now. No link was shown. Tell your program administrator.`
  await context.store.cards.add(fresh).catch((error: unknown) => {
    context.log.error({ err: error, card: cardId }, "a new card could not be entered in the register")
  })
  context.events.publish({ topic: "cards", id: cardId })
  await context.audit.recordLate(request, {
    action: "card.issue",
    on: onCard(fresh),
    outcome: "unknown",
    note: message,
    changes: [{ field: "revealed", from: null, to: card.id }],
  })
  return { redeem_url: null, alarm: { card_id: cardId, message } }
}

function onCard({ id, member }: CardRecord): Act["on"] {
  return { kind: "card", id, label: member.name ?? member.email }
}

/** What the service sent for a repeat of an issue: the card, and its link, which is in nothing but this. */
type Replay = Awaited<ReturnType<typeof replayIssue>>

const firstWaitMs = 500
const longestWaitMs = 4000

/**
 * Repeats a row's request exactly as it was sent: the service answers a known key with the card it issued then, link
 * included (docs/api/giftcard.md, Issue a card). @throws AppError
 */
async function replayIssue(
  { caller, clock }: Pick<CoreContext, "caller" | "clock">,
  { user, signal }: Pick<ApiRequest, "user" | "signal">,
  card: CardRecord,
  row: RowRecord,
) {
  const body = storedRequest(row)
  if ((await bodyHash(body)) !== row.bodyHash)
    throw conflict("The stored request doesn’t match what was sent, so it wasn’t repeated. Nothing was sent.")
  let link: string | undefined
  const deadline = clock.monotonic() + permitWaitMs
  const send = () =>
    caller.send({
      ...rowRequest("POST /giftcard/cards", body),
      query: new URLSearchParams(),
      lane: "people",
      person: user,
      deadline,
      signal,
      // It may have expired while a permit, or an earlier repeat, was waited for.
      mayWrite: () => mayReveal(card, clock.now()),
      onSecret: (found) => {
        link = found
      },
    })
  let result = await send()
  // The service may still be working on an earlier repeat: its response is the same card.
  for (
    let wait = firstWaitMs;
    isInProgress(result) && clock.monotonic() + wait < deadline;
    wait = Math.min(2 * wait, longestWaitMs)
  ) {
    await clock.sleep(wait, signal)
    result = await send()
  }
  if (result.kind === "not_sent") requireUnexpired({ clock }, card)
  if (result.kind !== "answer") throw troubleFailure("giftcard", result)
  const { status } = result
  if (status !== 200 && status !== 201) throw serviceRefusal("giftcard", status, result.body)
  const envelope = issueAnswer.safeParse(result.body)
  const read = issuedCardReader.read(envelope.data?.data)
  if (!read.ok) throw unreadableReplay(status)
  const { id, isTest, expiresAt, status: cardStatus } = read.value
  const shown = {
    id,
    status: storableText(cardStatus),
    member: { id: storableText(envelope.data?.memberId), created: envelope.data?.memberCreated ?? null },
    is_test: isTest ?? null,
    expires_at: sentTime(expiresAt),
    message: storableMessage(envelope.data?.message),
  }
  return { isNew: status === 201, link, card: shown }
}

function isInProgress(result: UpstreamResult): boolean {
  return (
    result.kind === "answer" &&
    result.status === 409 &&
    readServiceError(result.body).code === "IDEMPOTENCY_IN_PROGRESS"
  )
}

function unreadableReplay(status: 200 | 201): AppError {
  const isNew = status === 201
  return new AppError({
    status: 502,
    code: isNew ? "outcome_unknown" : "unreadable_answer",
    message: isNew
      ? "The gift-card service reports that it issued a new card, but its response can’t be read. Look up the reference first."
      : "The gift-card service sent an unreadable response. No link was shown. Try again in a moment.",
    details: { api: "giftcard", upstream_status: status },
  })
}
