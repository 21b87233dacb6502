import {
  findTemplate,
  integrationDefault,
  type AdoptCardBody,
  type CardRecord,
  type ReferenceCheck,
  type ReferenceCheckBody,
  type RegisteredCard,
} from "../../contract/cards.ts"
import { cardReader, type Card } from "../../contract/giftcard/card.ts"
import { type Member, memberReader } from "../../contract/program/member.ts"
import { timeOf } from "../../contract/program/common.ts"
import type { CoreContext } from "../context.ts"
import { AppError, notFound, stored } from "../errors.ts"
import { isAmbiguous } from "../gateway/upstream-errors.ts"
import { fetchResponse, memberPlan, planById } from "../gateway/upstream-read.ts"
import type { ApiRequest } from "../http.ts"
import { findHolders, toIssuer } from "../jobs/kinds/giftcard-references.ts"
import { centsOf, storableText } from "../jobs/kinds/giftcard-notes.ts"
import { memberLabel } from "../jobs/service-reads.ts"
import { comparedReference } from "./card-store.ts"
import { isoTimeOrNull } from "../runtime.ts"

type Requester = Pick<ApiRequest, "user" | "signal">

/** A card as sent to browsers. Every reader of the register may see all of it. */
export function cardView(card: CardRecord, now: number): RegisteredCard {
  return { ...card, can_reveal: mayReveal(card, now) }
}

/** Whether the link can be asked for: issued here and not expired, as far as is known. */
export function mayReveal({ job, expires_at }: CardRecord, now: number): boolean {
  return job !== null && (expires_at === null || Date.parse(expires_at) > now)
}

/** A time of the service as the register keeps it; null for what is no time. */
export function sentTime(text: string | null | undefined): string | null {
  return isoTimeOrNull(timeOf(text) ?? null)
}

/** Looks a card of the register up now, and keeps what it shows. @throws AppError 404 when the service has none */
export async function lookUpCard(
  context: CoreContext,
  request: Requester,
  known: CardRecord,
): Promise<CardRecord> {
  const found = await readCard(context, request, known.id)
  // The service reads the same place as a reference, too.
  if (found.id !== known.id) throw notFound("The gift-card service no longer has a card with this id.")
  const card = await stored(context.store.cards.update(known.id, shownBy(found, context.clock.now())))
  context.events.publish({ topic: "cards", id: known.id })
  return card ?? known
}

/** Adds a card that was issued elsewhere; one that is there is looked up. @throws AppError 404, 409 (ambiguous) */
export async function adoptCard(
  context: CoreContext,
  request: ApiRequest,
  { id, externalRef, cardId }: AdoptCardBody,
): Promise<{ readonly card: CardRecord; readonly added: boolean }> {
  const { cards } = context.store
  const found = await readCard(context, request, id ?? externalRef ?? "", cardId || undefined)
  const shown = shownBy(found, context.clock.now())
  const known = await stored(cards.update(found.id, shown))
  if (known !== undefined) {
    context.events.publish({ topic: "cards", id: found.id })
    return { card: known, added: false }
  }
  const member = await holderOf(context, request, found.memberId)
  const card = shown({
    id: found.id,
    origin: "adopted",
    status: null,
    template: null,
    amount_cents: null,
    reference: null,
    own_reference: null,
    member: {
      id: null,
      email: member?.email ?? null,
      name: member ? memberLabel(member) : null,
      created: null,
    },
    is_test: null,
    issued_at: null,
    expires_at: null,
    job: null,
    by: { id: request.user.id, name: request.user.name },
    replayed: null,
    message: null,
    looked_up_at: null,
  })
  const added = await stored(cards.add(card))
  context.events.publish({ topic: "cards", id: card.id })
  if (added) {
    const on = { kind: "card", id: card.id, label: card.member.name ?? card.reference }
    await context.audit.recordDone(request, { action: "card.adopt", on })
  }
  return { card: (await stored(cards.get(card.id))) ?? card, added }
}

/** Whose card it is, so that it is found by name; a member who cannot be read now stops nothing. */
async function holderOf(
  { reads, config }: CoreContext,
  { user, signal }: Requester,
  id: string | null | undefined,
): Promise<Member | undefined> {
  if (!id || config.apis.program === null) return undefined
  const read = await reads.read(memberPlan(id), { person: user, signal }).catch(() => undefined)
  return memberReader.tolerant.safeParse(read?.response.data).data
}

/** How long a reference check waits for the service, ms: a form must not hang on a budget that others use. */
const patienceMs = 4000

const free: ReferenceCheck = { state: "free", by: null }
const unknown: ReferenceCheck = { state: "unknown", by: null }

/** Whether a card has these references, by the register, claims and, for a single one, the service. Claims nothing. */
export async function checkReferences(
  context: CoreContext,
  request: Requester,
  { references, ask_service }: ReferenceCheckBody,
): Promise<ReferenceCheck[]> {
  const templates = await context.settings.get("cardTemplates")
  const usual = templates.default ?? context.config.defaultCard ?? ""
  const requested = references.map(({ template, reference }) => {
    const match = template ? findTemplate(templates, template) : undefined
    return { template: match?.kind === "entered" ? match.template.id : template || usual, reference }
  })
  const claims = new Map<string, Awaited<ReturnType<typeof findHolders>>>()
  for (const [template, some] of Map.groupBy(requested, (one) => one.template)) {
    const distinct = new Set(some.map(({ reference }) => reference))
    claims.set(template, await findHolders(context, template, [...distinct]))
  }
  const checks = requested.map(({ template, reference }): ReferenceCheck => {
    const by = claims.get(template)?.get(comparedReference(reference))
    return by === undefined ? free : { state: "taken", by }
  })
  const [only] = requested
  if (ask_service !== true || only === undefined || requested.length > 1 || checks[0] !== free) return checks
  return [await checkAtService(context, request, only.template, only.reference)]
}

async function checkAtService(
  context: CoreContext,
  { user, signal }: Requester,
  template: string,
  reference: string,
): Promise<ReferenceCheck> {
  const late = new AbortController()
  const over = new AbortController()
  const patience = context.clock.sleep(patienceMs, over.signal).then(
    () => late.abort(),
    () => undefined,
  )
  try {
    const waits = AbortSignal.any([late.signal, signal])
    const isNamed = template !== "" && template !== integrationDefault
    const card = await readCard(context, { user, signal: waits }, reference, isNamed ? template : undefined)
    // The service reads the same place as a card's id, too: then it shows nothing about the reference.
    const itsOwn = card.externalRef
    if (typeof itsOwn !== "string" || comparedReference(itsOwn) !== comparedReference(reference))
      return unknown
    const known = await stored(context.store.cards.get(card.id))
    const job = toIssuer(known?.job ?? null)
    const by = { card_id: card.id, registered: known !== undefined, job }
    return { state: "taken", by }
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") return free
    if (isAmbiguous(error)) return { state: "taken", by: { card_id: null, registered: false, job: null } }
    if (error instanceof AppError || late.signal.aborted) return unknown
    throw error
  } finally {
    over.abort()
    await patience
  }
}

/** Reads a card from the service by its id or its reference, which the template `cardId` makes unambiguous. */
async function readCard(
  context: CoreContext,
  { user, signal }: Requester,
  id: string,
  cardId?: string,
): Promise<Card> {
  context.budget.personActive()
  const plan = planById("GET /giftcard/cards/{id}", { id }, cardId === undefined ? {} : { cardId })
  const copy = await fetchResponse(context, plan, { lane: "people", person: user, signal })
  return cardReader.tolerant.parse(copy.data)
}

/** What a lookup showed, on the register's card. A field that is missing stays as it was. */
function shownBy(found: Card, now: number): (card: CardRecord) => CardRecord {
  const { amount, isTest } = found
  return (card) => ({
    ...card,
    status: storableText(found.status) ?? card.status,
    amount_cents: typeof amount === "number" ? centsOf(amount) : card.amount_cents,
    template: storableText(found.cardId) ?? card.template,
    member: { ...card.member, id: storableText(found.memberId) ?? card.member.id },
    reference: storableText(found.externalRef) ?? card.reference,
    is_test: isTest ?? card.is_test,
    issued_at: sentTime(found.issuedAt) ?? card.issued_at,
    expires_at: sentTime(found.expiresAt) ?? card.expires_at,
    looked_up_at: new Date(now).toISOString(),
  })
}
