import type { Context } from "hono"
import { readBody } from "../answer.ts"
import { Refusal } from "../refusal.ts"
import type { CardTemplate } from "../seed/templates.ts"
import type { CardRecord, KeyRecord, MemberRecord } from "../store/records.ts"
import { validate } from "../validate.ts"
import type { Call, CallEnv } from "../world.ts"
import { issueBody, type IssueBody } from "./bodies.ts"
import { createRecipient, matchRecipient } from "./recipient.ts"
import { invalidCode } from "./refusals.ts"
import { drawnCents, refuseUnready, templateFor } from "./template.ts"
import { issuedView, lookupView } from "./views.ts"

/** POST /giftcard/cards (docs/api/giftcard.md, Issue a card). */
export async function issueCard(c: Context<CallEnv>): Promise<Response> {
  const call = c.env
  const { store, settings, options } = call.world
  const code = invalidCode(settings, "body")
  const body = validate(issueBody, await readCardBody(c, code), code)
  const key = keyFor(call, body, c.req.header("idempotency-key"))
  const text = JSON.stringify(body)

  const known = store.cards.recall(key, call.now, settings.keyRetentionMs)
  if (known !== undefined) return replay(c, known, text)
  if (store.cards.inProgress.has(key)) {
    throw new Refusal(
      409,
      "IDEMPOTENCY_IN_PROGRESS",
      "A request with this idempotency key is still processing",
    )
  }
  store.cards.inProgress.add(key)
  try {
    if (settings.giftcardProcessingMs > 0) await options.wait(settings.giftcardProcessingMs)
    return issueNew(c, body, key, text)
  } finally {
    store.cards.inProgress.delete(key)
  }
}

async function readCardBody(c: Context<CallEnv>, code: string): Promise<Record<string, unknown>> {
  try {
    return await readBody(c)
  } catch (error) {
    throw error instanceof Refusal ? new Refusal(400, code, error.message) : error
  }
}

/**
 * Resolves the idempotency key: body, header, external reference, generated (rule 1). A reference stands for a key
 * per template, because it may be reused on another one (rule 2).
 */
function keyFor(call: Call, body: IssueBody, header: string | undefined): string {
  const code = invalidCode(call.world.settings, "body")
  if (body.idempotencyKey !== undefined) return `key:${body.idempotencyKey}`
  if (header !== undefined && header !== "") {
    if (header.length > 255) throw new Refusal(400, code, "Idempotency-Key must be at most 255 characters")
    return `key:${header}`
  }
  const template = templateFor(call.world, body.cardId)
  if (body.externalRef !== undefined) return `ref:${template.id}:${body.externalRef}`
  return `new:${call.world.store.nextId("", 20)}`
}

function issueNew(c: Context<CallEnv>, body: IssueBody, key: string, text: string): Response {
  const call = c.env
  const { store } = call.world
  const template = templateFor(call.world, body.cardId)
  refuseUnready(call.world, template, body.denomination)
  refuseUsedReference(call, template, body)
  const drawn = drawnCents(template, body.denomination)
  if (drawn > store.fundCents)
    throw new Refusal(402, "INSUFFICIENT_FUND", "The program fund balance is too low")

  const matched = matchRecipient(call, body.member)
  const member = matched ?? createRecipient(call, body.member)
  const card = newCard(call, template, member, body)
  store.cards.add(card)
  if (drawn > 0) store.setFund(store.fundCents - drawn)
  const { id, memberId, cardId, amount, externalRef, isTest } = card
  store.record(
    { kind: "card", id, memberId, cardId, amount, externalRef, key, isTest, drawnCents: drawn },
    call.now,
  )
  const memberCreated = matched === undefined
  store.cards.remember({ key, issuedId: card.id, memberCreated, body: text, kept: call.now })
  sendMail(call, template.name, body, card)
  return c.json(answer(call, card, memberCreated, "Gift card issued"), 201)
}

function refuseUsedReference(call: Call, template: CardTemplate, body: IssueBody): void {
  if (body.externalRef === undefined) return
  const existing = call.world.store.cards.withRef(body.externalRef, template.id)[0]
  if (existing === undefined) return
  const message = "externalRef was already used for this card"
  throw new Refusal(409, "DUPLICATE_EXTERNAL_REF", message, lookupView(call, existing))
}

function newCard(call: Call, template: CardTemplate, member: MemberRecord, body: IssueBody): CardRecord {
  return {
    id: call.world.store.nextId("gc_", 8),
    cardId: template.id,
    memberId: member.id,
    amount: body.denomination,
    externalRef: body.externalRef ?? null,
    isTest: template.test,
    issued: call.clock,
    expires: call.clock + body.expiryDays * 86_400_000,
  }
}

function replay(c: Context<CallEnv>, known: KeyRecord, text: string): Response {
  const call = c.env
  const { store, settings } = call.world
  if (settings.keyReuse === "refuse" && known.body !== text) {
    throw new Refusal(400, invalidCode(settings, "body"), "This idempotency key was used with another body")
  }
  const card = store.cards.get(known.issuedId)
  if (card === undefined) throw new Error(`The card ${known.issuedId} of a remembered key is missing.`)
  const body = issueBody.parse(JSON.parse(known.body))
  const template = store.templates.get(card.cardId)
  if (settings.replaySendsEmail) sendMail(call, template?.name ?? card.cardId, body, card)
  return c.json(answer(call, card, known.memberCreated, "Gift card already issued"), 200)
}

function answer(call: Call, card: CardRecord, memberCreated: boolean, message: string) {
  return { data: issuedView(call, card), memberId: card.memberId, memberCreated, message }
}

function sendMail(call: Call, template: string, body: IssueBody, card: CardRecord): void {
  call.world.store.cards.mail({
    id: call.world.store.nextId("mail_", 8),
    to: body.member.email,
    subject: `Your ${template} gift card`,
    issuedId: card.id,
    unsubscribeUrl: body.unsubscribeUrl ?? null,
    sent: call.clock,
  })
}
