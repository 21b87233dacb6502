import { findTemplate, refusalOfPair, type TakenBy } from "../../../contract/cards.ts"
import {
  cardReader,
  issueAnswer,
  issuedCardReader,
  type Card,
  type IssueCardBody,
} from "../../../contract/giftcard/card.ts"
import { giftcardRow } from "../../../contract/job-rows.ts"
import { timeOf } from "../../../contract/reading.ts"
import { rowOutcome, type RowOutcomeCode } from "../../../contract/row-outcomes.ts"
import { AppError, invalid, stored } from "../../errors.ts"
import { isAmbiguous } from "../../gateway/outcome.ts"
import { planById } from "../../gateway/upstream-read.ts"
import { cardSettled } from "../../gift-cards/register.ts"
import { isOwnedByAnotherRow, isSameInput, rowEffect } from "../records.ts"
import { readBody } from "../../validation.ts"
import {
  type JobContext,
  type KindRules,
  type Lookup,
  postRequest,
  type Precheck,
  type RowDefaults,
} from "../job-kind.ts"
import type { NewRow, RowRecord } from "../job-store.ts"
import { clockSlackMs, readsFor } from "../service-reads.ts"
import { claimBeforeSending, claimReferences } from "./giftcard-references.ts"
import {
  centsOf,
  readGiftcardWork,
  isGiven,
  onlyGiven,
  issueRequest,
  rowReference,
  storableMessage,
  storableText,
  storedRequest,
  rowTemplate,
  firstUnknownAttempt,
} from "./giftcard-work.ts"

/** Refusals with 409 that say nothing about this row's own card: the reference is looked up. */
const conflicts: ReadonlySet<string> = new Set([
  "DUPLICATE_EXTERNAL_REF",
  "AMBIGUOUS_EXTERNAL_REF",
  "conflict_unexplained" satisfies RowOutcomeCode,
])

const cardScope = "giftcard:card"

/**
 * Gift cards (docs/api/giftcard.md, Issue a card). The service knows a repeat of the identical request, so a row without
 * a usable response goes out again as it was stored; only what repeats cannot resolve is looked up.
 */
export const giftcard: KindRules = {
  kind: "giftcard",
  api: "giftcard",
  async defaults({ settings, config }) {
    const { templates, default: usual } = await settings.get("cardTemplates")
    const cardId = usual ?? config.defaultCard
    return { templates, ...(cardId !== undefined && { cardId }) }
  },
  newRow(raw, defaults) {
    const asked = readBody(raw, giftcardRow)
    const cardId = isGiven(asked.cardId) ? findTemplateId(asked.cardId, defaults) : defaults.cardId
    if (cardId === undefined) {
      const message = "Choose a template: there is no default one. No card was issued."
      throw invalid(422, [{ field: "cardId", message }])
    }
    const { externalRef, idempotencyKey, unsubscribeUrl, ...rest } = asked
    const cents = centsOf(asked.denomination)
    const byTemplate = rowEffect("giftcard", cents, cardId)
    return {
      input: { ...rest, cardId, ...onlyGiven({ externalRef, idempotencyKey, unsubscribeUrl }) },
      email: asked.member.email.toLowerCase(),
      label: `${asked.member.firstname} ${asked.member.lastname}`,
      effect: isGiven(externalRef) ? rowEffect("giftcard", cents, `${cardId} ${externalRef}`) : byTemplate,
      effectWithoutReference: isGiven(externalRef) ? byTemplate : null,
    }
  },
  prepare: claimReferences,
  workForRetry: keptForRetry,
  workForRestore(job, row, since) {
    const { body = issueRequest(job, row) } = readGiftcardWork(row)
    return { body, unknownSince: firstUnknownAttempt(row) ?? since }
  },
  precheck: prepareRequest,
  request: (_, row) => postRequest("giftcard", "/giftcard/cards", storedRequest(row)),
  readResponse(data, row, _, { status, body }) {
    const read = issuedCardReader.read(data)
    if (!read.ok || (status !== 200 && status !== 201)) return undefined
    const { id, amount, externalRef, expiresAt, isTest, status: cardStatus } = read.value
    const asked = storedRequest(row)
    if (centsOf(amount) !== centsOf(asked.denomination)) return undefined
    if ((externalRef ?? asked.externalRef) !== asked.externalRef) return undefined
    const { data: beside } = issueAnswer.safeParse(body)
    const work = {
      memberId: storableText(beside?.memberId),
      memberCreated: beside?.memberCreated ?? null,
      status: storableText(cardStatus),
      expiresAt: storableText(expiresAt),
      isTest: isTest ?? null,
      replayed: status === 200,
      message: storableMessage(beside?.message),
    }
    return { upstreamId: id, balanceAfter: null, work }
  },
  claimScope: cardScope,
  idempotent: true,
  isInProgress: (code) => code === "IDEMPOTENCY_IN_PROGRESS",
  isInconclusive: (code) => conflicts.has(code),
  lookup: lookUpCard,
  onResolved: cardSettled,
  absence: "settled",
  resends: 3,
  absentCode: "card_not_found",
  unsureCode: "card_unsure",
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
  topics: ["members"],
  invalidates: () => ({ gone: ["members:search"], old: ["members"] }),
}

/** 422 for a name that nobody entered. An id that nobody entered may exist at the service, which decides. */
function findTemplateId(text: string, { templates = [] }: RowDefaults): string {
  const match = findTemplate({ templates }, text)
  if (match.kind === "entered") return match.template.id
  if (match.kind === "possible") return text
  throw invalid(422, [{ field: "cardId", message: `${match.message} No card was issued.` }])
}

/** Tried again as it was, a row repeats its request and key; a corrected one gets or needs another key. */
function keptForRetry(row: RowRecord, corrected: NewRow | undefined): RowRecord["work"] {
  const { body } = readGiftcardWork(row)
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

/** The exact request is made once: every repeat takes it from the row. */
async function prepareRequest(context: JobContext, row: RowRecord): Promise<Precheck> {
  const { job } = context
  const { denomination, confirm_pair } = readBody(row.input, giftcardRow)
  // After an attempt whose end nobody knows only the service can say what is so.
  if (!row.doubtful && confirm_pair !== true) {
    const pairs = await context.settings.get("cardPairs")
    if (refusalOfPair(pairs, rowTemplate(row), denomination) !== undefined)
      return { kind: "failed", outcome: rowOutcome("pair_refused") }
  }
  const refused = await claimBeforeSending(context, row)
  if (refused !== undefined) return { kind: "failed", ...refused }
  const unknownSince = firstUnknownAttempt(row)
  const work = {
    reference: rowReference(job, row),
    ...(readGiftcardWork(row).body === undefined && { body: issueRequest(job, row) }),
    ...(unknownSince !== undefined && { unknownSince }),
  }
  return { kind: "go", work }
}

/**
 * Looks the card up that has the row's reference on its template. It is the row's only if an attempt ended without a
 * response, the card was issued after that, has the amount, and is nobody else's; otherwise it is an earlier card
 * (docs/jobs.md).
 */
async function lookUpCard(context: JobContext, row: RowRecord): Promise<Lookup> {
  const request = storedRequest(row)
  const { externalRef } = request
  const nothing = { kind: "read", found: [], complete: false } as const
  const card = await readCard(context, request)
  if (card === undefined) return { ...nothing, complete: true }
  if (card === "several") return { ...nothing, person: rowOutcome("reference_ambiguous") }
  // A reference that is another card's id shows that one: then the lookup shows nothing about this row.
  if (card.externalRef !== externalRef) return nothing
  const createdAt = timeOf(card.issuedAt)
  const owner = (await stored(context.store.jobs.claims(cardScope, [card.id]))).get(card.id)
  const not = mismatch(card, request)
  const isWhole = typeof card.amount === "number" && not === undefined
  const tagged = isWhole && !isOwnedByAnotherRow(owner, row) && isAfterUnknown(context, row, createdAt)
  const found = {
    upstreamId: card.id,
    createdAt,
    text: typeof card.amount === "number" ? `${card.amount} · ${card.status ?? ""}` : card.status,
    reference: externalRef,
    tagged,
    not,
    work: {
      memberId: storableText(card.memberId),
      memberCreated: null,
      status: storableText(card.status),
      expiresAt: storableText(card.expiresAt),
      issuedAt: storableText(card.issuedAt),
      isTest: card.isTest ?? null,
    },
  }
  if (tagged) return { kind: "read", found: [found], complete: true }
  const job = owner === undefined ? null : { id: owner.job, row: owner.row }
  const takenBy: TakenBy = { card_id: card.id, registered: false, job }
  const { code, message } = rowOutcome("earlier_card")
  const person = { code, message: `${card.id}: ${message}`, work: { takenBy } }
  return { kind: "read", found: [found], complete: true, person }
}

function mismatch({ cardId, amount }: Card, asked: IssueCardBody): "kind" | "amount" | undefined {
  if (typeof cardId === "string" && asked.cardId !== undefined && cardId !== asked.cardId) return "kind"
  return typeof amount === "number" && centsOf(amount) !== centsOf(asked.denomination) ? "amount" : undefined
}

function isAfterUnknown({ time }: JobContext, row: RowRecord, issuedAt: number | undefined): boolean {
  const since = firstUnknownAttempt(row)
  const there = since === undefined ? undefined : time.toServiceTime("giftcard", since)
  return there !== undefined && issuedAt !== undefined && issuedAt >= there - clockSlackMs
}

/** `several` when the service cannot tell which. */
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
