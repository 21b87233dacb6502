import { emailPattern } from "../contract/email-address.ts"
import { type Context, Hono } from "hono"
import * as z from "zod/mini"
import type { SandboxSettings } from "./config.ts"
import { giftcardError, iso, readBody, Refusal, unspecified, validate } from "./http.ts"
import { codeFrom, seedNumber } from "./seed/random.ts"
import { type CardTemplate, seedKey } from "./seed/cards.ts"
import type { CardRecord, KeyRecord, MemberRecord } from "./store/records.ts"
import type { SandboxStore } from "./store/store.ts"
import type { Call, CallEnv, World } from "./world.ts"

/** The gift-card API under `/api/v1/external` (docs/api/giftcard.md). */
export function giftcardApp(): Hono<CallEnv> {
  const app = new Hono<CallEnv>().basePath("/api/v1/external")
  app.use("/giftcard/*", async (c, next) => {
    const { settings } = c.env.world
    const needed = c.req.method === "GET" ? "read" : "write"
    if (!settings.giftcardScopes.includes(needed)) {
      throw new Refusal(403, "PERMISSION_DENIED", `This key lacks the giftCard ${needed} permission`)
    }
    return next()
  })
  app.post("/giftcard/cards", (c) => issueCard(c))
  app.get("/giftcard/cards/:id", (c) => lookupCard(c, c.req.param("id")))
  app.notFound((c) => giftcardError(c.env.world.settings, unspecified(404, "Not found")))
  app.onError((error, c) => {
    const { settings } = c.env.world
    if (error instanceof Refusal) return giftcardError(settings, error)
    return giftcardError(settings, unspecified(500, "Something went wrong"))
  })
  return app
}

/** GET /giftcard/cards/{id}: by issued card id, else by external reference (docs/api/giftcard.md, Look up a card). */
function lookupCard(c: Context<CallEnv>, id: string): Response {
  const call = c.env
  const { cards } = call.world.store
  const byId = cards.get(id)
  if (byId !== undefined) return c.json({ data: lookupView(call, byId) })
  const found = cards.withRef(id, c.req.query("cardId") || undefined)
  if (found.length > 1) {
    const message = "Several cards have this externalRef; pass cardId"
    throw new Refusal(409, "AMBIGUOUS_EXTERNAL_REF", message)
  }
  const [card] = found
  if (card === undefined) throw unspecified(404, "Card not found")
  return c.json({ data: lookupView(call, card) })
}

/** POST /giftcard/cards (docs/api/giftcard.md, Issue a card). */
async function issueCard(c: Context<CallEnv>): Promise<Response> {
  const call = c.env
  const { store, settings, options } = call.world
  const code = invalidCode(settings, "body")
  const body = validate(issueBody, await readCardBody(c, code), code)
  const key = keyFor(call, body, c.req.header("idempotency-key"))
  const text = JSON.stringify(body)

  const known = store.cards.recall(key, call.now, settings.keyRetentionMs) ?? seeded(store, key, text)
  if (known !== undefined) return replay(c, known)
  if (store.cards.inProgress.has(key)) {
    const message = "A request with this idempotency key is still processing"
    throw new Refusal(409, "IDEMPOTENCY_IN_PROGRESS", message)
  }
  store.cards.inProgress.add(key)
  try {
    if (settings.giftcardProcessingMs > 0) await options.wait(settings.giftcardProcessingMs)
    return issueNew(c, body, key, text)
  } finally {
    store.cards.inProgress.delete(key)
  }
}

/** Seeded requests are known by their keys alone: whichever body comes repeats the request. */
function seeded({ cards }: SandboxStore, key: string, body: string): KeyRecord | undefined {
  const card = cards.all.find(({ id }) => key === `key:${seedKey(id)}`)
  return card && { key, issuedId: card.id, memberCreated: false, body, kept: card.issued }
}

async function readCardBody(c: Context<CallEnv>, code: string): Promise<Record<string, unknown>> {
  try {
    return await readBody(c)
  } catch (error) {
    throw error instanceof Refusal ? new Refusal(400, code, error.message) : error
  }
}

/**
 * Resolves the idempotency key: body, header, external reference, generated (rule 1). A reference serves as a key
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
  if (drawn > (call.noFund ? 0 : store.fundCents))
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

function replay(c: Context<CallEnv>, known: KeyRecord): Response {
  const call = c.env
  const card = call.world.store.cards.get(known.issuedId)
  if (card === undefined) throw new Error(`The card ${known.issuedId} of a remembered key is missing.`)
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

const text = z.string("must be a string")
const filled = z.string("must be a string").check(z.regex(/\S/, "must not be empty"))
const short = z
  .string("must be a string")
  .check(z.minLength(1, "must not be empty"), z.maxLength(255, "must be at most 255 characters"))

/** An issue request (docs/api/giftcard.md, Issue a card); unknown fields are ignored. */
const issueBody = z.object({
  member: z.object(
    {
      email: z
        .string("must be a string")
        .check(z.email({ pattern: emailPattern, error: "must be a valid email" })),
      firstname: filled,
      lastname: filled,
      accountKey: z.optional(text),
      mobile: z.optional(text),
    },
    "must be an object",
  ),
  denomination: z.number("must be a number").check(z.positive("must be more than 0")),
  expiryDays: z._default(
    z
      .int("must be an integer")
      .check(z.minimum(30, "must be at least 30"), z.maximum(365, "must be at most 365")),
    90,
  ),
  cardId: z.optional(filled),
  externalRef: z.optional(short),
  idempotencyKey: z.optional(short),
  unsubscribeUrl: z.optional(text),
})
/** An issue request as the service understood it. */
type IssueBody = z.output<typeof issueBody>

/** The member a card is for: matched by account key, else by e-mail; undefined if there is none. */
function matchRecipient(call: Call, member: IssueBody["member"]): MemberRecord | undefined {
  const { members } = call.world.store
  const byKey = member.accountKey === undefined ? undefined : members.findByAccountKey(member.accountKey)
  return byKey ?? members.findByEmail(member.email)
}

/** Creates the Pending member a card is for. */
function createRecipient(call: Call, member: IssueBody["member"]): MemberRecord {
  const { store } = call.world
  return store.createMember(
    {
      email: member.email,
      first_name: member.firstname,
      last_name: member.lastname,
      phone: member.mobile ?? null,
      status: "Pending",
      accountKey: member.accountKey ?? null,
    },
    "giftcard",
    call,
  )
}

/** The template a request means. Throws 400 NO_CARD_SPECIFIED, 404. */
function templateFor(world: World, cardId: string | undefined): CardTemplate {
  const wanted = cardId ?? world.settings.defaultCard
  if (wanted === null) {
    throw new Refusal(400, "NO_CARD_SPECIFIED", "No cardId was given and the integration has no default card")
  }
  const template = world.store.templates.get(wanted)
  if (template === undefined) throw unspecified(404, "Card template not found")
  return template
}

/** Refuses a template that is not set up, then a face value it does not have (docs/api/giftcard.md, Errors). */
function refuseUnready(world: World, template: CardTemplate, denomination: number): void {
  const { catalogue, clientName, denominations, produced } = template
  if (produced.includes(denomination) && catalogue && clientName) return
  const problems: readonly (readonly [isSo: boolean, code: string, message: string])[] = [
    [!catalogue, "SETUP_INCOMPLETE_CATALOGUE", "The card has no gift card catalogue assigned"],
    [!clientName, "SETUP_INCOMPLETE_CLIENT_NAME", "The client name is missing in branding"],
    [produced.length === 0, "SETUP_INCOMPLETE_DENOMINATIONS", "No denomination images were produced"],
    [
      denominations.includes(denomination),
      "DENOMINATION_NOT_PRODUCED",
      `The image for ${denomination} was not produced`,
    ],
  ]
  const problem = problems.find(([isSo]) => isSo)
  if (problem !== undefined) throw new Refusal(422, problem[1], problem[2])
  const code = invalidCode(world.settings, "denomination")
  throw new Refusal(400, code, `The card has no denomination ${denomination}`)
}

/** What a card takes from the fund, in cents: face value, fee and GST on the fee; nothing in test mode. */
function drawnCents(template: CardTemplate, denomination: number): number {
  if (template.test) return 0
  const fee = template.feeCents
  return Math.round(denomination * 100) + fee + Math.round((fee * template.gstPercent) / 100)
}

function statusOf(call: Call, card: CardRecord): string {
  const expired = call.world.settings.expiredCardStatus === "expired" && card.expires <= call.clock
  return expired ? "expired" : "issued"
}

/** A card as a look-up shows it: never with the redeem link. */
function lookupView(call: Call, card: CardRecord): Record<string, unknown> {
  return {
    id: card.id,
    status: statusOf(call, card),
    amount: card.amount,
    cardId: card.cardId,
    memberId: card.memberId,
    ...(card.externalRef === null ? {} : { externalRef: card.externalRef }),
    isTest: card.isTest,
    expiresAt: iso(card.expires),
    issuedAt: iso(card.issued),
  }
}

/** A card as the answer to its issue and to a replay: with the one-time link. */
function issuedView(call: Call, card: CardRecord): Record<string, unknown> {
  return {
    id: card.id,
    status: "issued",
    amount: card.amount,
    expiresAt: iso(card.expires),
    redeemUrl: redeemUrl(call, card),
    isTest: card.isTest,
    ...(card.externalRef === null ? {} : { externalRef: card.externalRef }),
  }
}

/** The redeem link is derived from the seed and the card, so it is not stored. */
function redeemUrl(call: Call, card: CardRecord): string {
  const token = codeFrom(32, call.world.store.base.number, 72, seedNumber(card.id))
  return `https://redeem.giftcards.example/c/${token}`
}

/** The code of a body that does not fit, or of a denomination that is not on the card. */
function invalidCode(settings: SandboxSettings, what: "body" | "denomination"): string {
  if (settings.giftcardInvalidCode !== "split") return settings.giftcardInvalidCode
  return what === "body" ? "VALIDATION_ERROR" : "INVALID_ARGUMENT"
}
