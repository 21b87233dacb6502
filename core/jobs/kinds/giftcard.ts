import { findTemplate, refusalOfPair, type ReferenceHolder } from "../../../contract/cards.ts"
import {
  cardReader,
  issueAnswer,
  issuedCardReader,
  type Card,
  type IssueCardBody,
} from "../../../contract/giftcard/card.ts"
import { giftcardRow } from "../../../contract/kinds/giftcard.ts"
import { timeOf } from "../../../contract/program/common.ts"
import { rowOutcome, type RowOutcomeCode } from "../../../contract/row-outcomes.ts"
import { AppError, invalid, stored } from "../../errors.ts"
import { isAmbiguous } from "../../gateway/upstream-errors.ts"
import { planById } from "../../gateway/upstream-read.ts"
import { cardSettled } from "../../gift-cards/register.ts"
import { isOwnedByAnotherRow, isSameInput, rowEffect } from "../job-record.ts"
import { readBody } from "../../validation.ts"
import {
  type JobContext,
  type KindRules,
  type Lookup,
  rowRequest,
  type Precheck,
  type RowDefaults,
} from "../job-kind.ts"
import type { NewRow, RowRecord } from "../job-store.ts"
import { clockSlackMs, readsFor } from "../service-reads.ts"
import { claimBeforeSending, claimReferences } from "./giftcard-references.ts"
import {
  centsOf,
  type GiftcardNotes,
  readGiftcardNotes,
  isGiven,
  onlyGiven,
  issueRequest,
  rowReference,
  storableMessage,
  storableText,
  storedRequest,
  rowTemplate,
  firstUnknownAttempt,
} from "./giftcard-notes.ts"

/** 409 codes that prove nothing about this row's card: its reference is looked up. */
const conflicts: ReadonlySet<string> = new Set([
  "DUPLICATE_EXTERNAL_REF",
  "AMBIGUOUS_EXTERNAL_REF",
  "conflict_unexplained" satisfies RowOutcomeCode,
])

const cardScope = "giftcard:card"

/**
 * Gift cards (docs/api/giftcard.md, Issue a card). The service detects identical requests, so a row without a usable
 * response is resent with its stored request, and looked up only if that does not resolve it.
 */
export const giftcard: KindRules<GiftcardNotes> = {
  kind: "giftcard",
  async defaults({ settings, config }) {
    const { templates, default: usual } = await settings.get("cardTemplates")
    const cardId = usual ?? config.defaultCard
    return { templates, ...(cardId !== undefined && { cardId }) }
  },
  newRow(raw, defaults) {
    const requested = readBody(raw, giftcardRow)
    const cardId = isGiven(requested.cardId) ? findTemplateId(requested.cardId, defaults) : defaults.cardId
    if (cardId === undefined) {
      const message = "Choose a template: there is no default one. No card was issued."
      throw invalid(422, [{ field: "cardId", message }])
    }
    const { externalRef, idempotencyKey, unsubscribeUrl, ...rest } = requested
    const cents = centsOf(requested.denomination)
    const byTemplate = rowEffect("giftcard", cents, cardId)
    return {
      input: { ...rest, cardId, ...onlyGiven({ externalRef, idempotencyKey, unsubscribeUrl }) },
      email: requested.member.email.toLowerCase(),
      label: `${requested.member.firstname} ${requested.member.lastname}`,
      effect: isGiven(externalRef) ? rowEffect("giftcard", cents, `${cardId} ${externalRef}`) : byTemplate,
      effectWithoutReference: isGiven(externalRef) ? byTemplate : null,
    }
  },
  prepare: claimReferences,
  notesForRetry: requestForRetry,
  restore: {
    notes(job, row, since) {
      const { body = issueRequest(job, row) } = readGiftcardNotes(row)
      return { body, unknownSince: firstUnknownAttempt(row) ?? since }
    },
  },
  precheck: prepareRequest,
  request: (_, row) => rowRequest("POST /giftcard/cards", storedRequest(row)),
  readResponse(data, row, _, { status, body }) {
    const read = issuedCardReader.read(data)
    if (!read.ok || (status !== 200 && status !== 201)) return undefined
    const { id, amount, externalRef, expiresAt, isTest, status: cardStatus } = read.value
    const sent = storedRequest(row)
    if (centsOf(amount) !== centsOf(sent.denomination)) return undefined
    if ((externalRef ?? sent.externalRef) !== sent.externalRef) return undefined
    const { data: envelope } = issueAnswer.safeParse(body)
    const notes = {
      memberId: storableText(envelope?.memberId),
      memberCreated: envelope?.memberCreated ?? null,
      status: storableText(cardStatus),
      expiresAt: storableText(expiresAt),
      isTest: isTest ?? null,
      replayed: status === 200,
      message: storableMessage(envelope?.message),
    }
    return { upstreamId: id, balanceAfter: null, notes }
  },
  claims: { effects: cardScope },
  resendSafety: "idempotent",
  refusals: {
    isInProgress: (code) => code === "IDEMPOTENCY_IN_PROGRESS",
    isInconclusive: (code) => conflicts.has(code),
  },
  lookup: lookUpCard,
  onResolved: cardSettled,
  absence: "settled",
  maxCalls: 4,
  resends: 3,
  messages: { absent: "card_not_found", unsure: "card_unsure" },
  audit: {
    on: ({ upstreamId, label, email }) => ({ kind: "card", id: upstreamId ?? "", label: label ?? email }),
    amounts({ input }) {
      const { denomination, cardId = null } = readBody(input, giftcardRow)
      return [
        { field: "amount", from: null, to: denomination.toFixed(2) },
        { field: "template", from: null, to: cardId },
      ]
    },
  },
  cache: {
    topics: ["members"],
    invalidates: () => ({ evict: ["members:search"], stale: ["members"] }),
  },
  view(row) {
    if (row.state !== "failed" && row.state !== "conflict") return {}
    const { takenBy } = readGiftcardNotes(row)
    return takenBy === undefined ? {} : { taken_by: takenBy }
  },
}

/** Throws 422 for an unknown template name. An unknown id may exist at the service, which decides. */
function findTemplateId(text: string, { templates = [] }: RowDefaults): string {
  const match = findTemplate({ templates }, text)
  if (match.kind === "entered") return match.template.id
  if (match.kind === "possible") return text
  throw invalid(422, [{ field: "cardId", message: `${match.message} No card was issued.` }])
}

/** An unchanged row repeats its request and key; a corrected one needs another key. */
function requestForRetry(row: RowRecord, corrected: NewRow | undefined): Partial<GiftcardNotes> | null {
  const { body } = readGiftcardNotes(row)
  if (corrected === undefined || isSameInput(serviceInput(corrected), serviceInput(row)))
    return body === undefined ? null : { body }
  const key = corrected.input["idempotencyKey"]
  if (key !== undefined && key === body?.idempotencyKey) {
    const message =
      "This key was sent with another request, and a key belongs to one request. Nothing was done. Give another key, or none."
    throw invalid(422, [{ field: "idempotencyKey", message }])
  }
  return null
}

function serviceInput({ input }: Pick<NewRow, "input">): NewRow["input"] {
  return { ...input, confirm_pair: undefined }
}

/** Builds the request once; repeats use the stored one. */
async function prepareRequest(context: JobContext, row: RowRecord): Promise<Precheck<GiftcardNotes>> {
  const { job } = context
  const { denomination, confirm_pair } = readBody(row.input, giftcardRow)
  // After an unknown attempt only the service knows whether the card exists.
  if (!row.hadUnknownAttempt && confirm_pair !== true) {
    const pairs = await context.settings.get("cardPairs")
    if (refusalOfPair(pairs, rowTemplate(row), denomination) !== undefined)
      return { kind: "failed", outcome: rowOutcome("pair_refused") }
  }
  const refused = await claimBeforeSending(context, row)
  if (refused !== undefined) return { kind: "failed", ...refused }
  const unknownSince = firstUnknownAttempt(row)
  const notes = {
    reference: rowReference(job, row),
    ...(readGiftcardNotes(row).body === undefined && { body: issueRequest(job, row) }),
    ...(unknownSince !== undefined && { unknownSince }),
  }
  return { kind: "go", notes }
}

/**
 * Looks up the card with the row's reference and template. It is the row's card only if an attempt ended unknown, the
 * card was issued after that, has the row's amount and no other owner; otherwise it is an earlier card (docs/jobs.md).
 */
async function lookUpCard(context: JobContext, row: RowRecord): Promise<Lookup<GiftcardNotes>> {
  const request = storedRequest(row)
  const { externalRef } = request
  const nothing = { kind: "read", found: [], complete: false } as const
  const card = await readCard(context, request)
  if (card === undefined) return { ...nothing, complete: true }
  if (card === "several") return { ...nothing, person: rowOutcome("reference_ambiguous") }
  // The reference may equal another card's id, which says nothing about this row.
  if (card.externalRef !== externalRef) return nothing
  const createdAt = timeOf(card.issuedAt)
  const owner = (await stored(context.store.jobs.claims(cardScope, [card.id]))).get(card.id)
  const not = mismatch(card, request)
  const isMatch = typeof card.amount === "number" && not === undefined
  const tagged = isMatch && !isOwnedByAnotherRow(owner, row) && isAfterUnknown(context, row, createdAt)
  const effect = {
    upstreamId: card.id,
    createdAt,
    text: typeof card.amount === "number" ? `${card.amount} · ${card.status ?? ""}` : card.status,
    reference: externalRef,
    tagged,
    not,
    notes: {
      memberId: storableText(card.memberId),
      memberCreated: null,
      status: storableText(card.status),
      expiresAt: storableText(card.expiresAt),
      issuedAt: storableText(card.issuedAt),
      isTest: card.isTest ?? null,
    },
  }
  if (tagged) return { kind: "read", found: [effect], complete: true }
  const job = owner === undefined ? null : { id: owner.job, row: owner.row }
  const takenBy: ReferenceHolder = { card_id: card.id, registered: false, job }
  const { code, message } = rowOutcome("earlier_card")
  const person = { code, message: `${card.id}: ${message}`, notes: { takenBy } }
  return { kind: "read", found: [effect], complete: true, person }
}

function mismatch({ cardId, amount }: Card, sent: IssueCardBody): "kind" | "amount" | undefined {
  if (typeof cardId === "string" && sent.cardId !== undefined && cardId !== sent.cardId) return "kind"
  return typeof amount === "number" && centsOf(amount) !== centsOf(sent.denomination) ? "amount" : undefined
}

function isAfterUnknown({ time }: JobContext, row: RowRecord, issuedAt: number | undefined): boolean {
  const since = firstUnknownAttempt(row)
  const serviceSince = since === undefined ? undefined : time.toServiceTime("giftcard", since)
  return serviceSince !== undefined && issuedAt !== undefined && issuedAt >= serviceSince - clockSlackMs
}

/** `several` when the reference is ambiguous. */
async function readCard(context: JobContext, { externalRef, cardId }: IssueCardBody) {
  const template = cardId === undefined ? {} : { cardId }
  const plan = planById("GET /giftcard/cards/{id}", { id: externalRef }, template)
  try {
    const { data } = await readsFor(context).read(plan)
    return cardReader.tolerant.parse(data)
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") return undefined
    if (isAmbiguous(error)) return "several" as const
    throw error
  }
}
