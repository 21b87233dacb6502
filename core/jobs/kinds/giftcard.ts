import { findTemplate } from "../../../contract/cards.ts"
import { giftcardRow, type RowOutcomeCode } from "../../../contract/job-rows.ts"
import { issueAnswer, issuedCardReader } from "../../../contract/giftcard/card.ts"
import { readBody } from "../../validation.ts"
import { rowEffect } from "../../job-data/row-effect.ts"
import { cardSettled } from "../../cards/card-settled.ts"
import { invalid } from "../../errors.ts"
import { isSameInput } from "../../job-data/same-input.ts"
import type { KindRules, RowDefaults } from "../job-kind.ts"
import type { NewRow, RowRecord } from "../job-store.ts"
import { isGiven } from "./giftcard-body.ts"
import { cardScope, lookForCard } from "./giftcard-look.ts"
import { heldCard, readyCard } from "./giftcard-ready.ts"
import { settleReferences } from "./giftcard-references.ts"
import { centsOf, giftcardWorkOf, keptMessage, keptText, storedBody } from "./giftcard-work.ts"

/** Answers of 409 that say nothing about this row's own card, whatever its attempts: the reference is looked up. */
const conflicts: ReadonlySet<string> = new Set([
  "DUPLICATE_EXTERNAL_REF",
  "AMBIGUOUS_EXTERNAL_REF",
  "conflict_unexplained" satisfies RowOutcomeCode,
])

/**
 * Gift cards (docs/api/giftcard.md, Issue a card). The service knows a repeat of the identical request, so a row without
 * a usable answer goes out again as it was stored; only what repeats cannot settle is looked up.
 */
export const giftcard: KindRules = {
  kind: "giftcard",
  api: "giftcard",
  hasPoints: false,
  async defaults({ settings, config }) {
    const { templates, default: usual } = await settings.get("cardTemplates")
    const cardId = usual ?? config.defaultCard
    return { templates, ...(cardId !== undefined && { cardId }) }
  },
  newRow(raw, defaults) {
    const asked = readBody(raw, giftcardRow)
    const cardId = isGiven(asked.cardId) ? templateOf(asked.cardId, defaults) : defaults.cardId
    if (cardId === undefined) {
      const message = "Choose a template: there is no default one. No card was issued."
      throw invalid(422, [{ field: "cardId", message }])
    }
    const { externalRef, idempotencyKey, unsubscribeUrl, ...rest } = asked
    const cents = centsOf(asked.denomination)
    const byTemplate = rowEffect("giftcard", cents, cardId)
    return {
      input: {
        ...rest,
        cardId,
        ...(isGiven(externalRef) && { externalRef }),
        ...(isGiven(idempotencyKey) && { idempotencyKey }),
        ...(isGiven(unsubscribeUrl) && { unsubscribeUrl }),
      },
      memberId: null,
      email: asked.member.email.toLowerCase(),
      label: `${asked.member.firstname} ${asked.member.lastname}`,
      points: null,
      reason: null,
      reverses: null,
      effect: isGiven(externalRef) ? rowEffect("giftcard", cents, `${cardId} ${externalRef}`) : byTemplate,
      effectWithoutReference: isGiven(externalRef) ? byTemplate : null,
    }
  },
  prepare: settleReferences,
  workForRetry: keptForRetry,
  workForRestore: heldCard,
  precheck: readyCard,
  request: (_, row) => ({
    operation: "POST /giftcard/cards",
    api: "giftcard",
    method: "POST",
    path: "/giftcard/cards",
    body: storedBody(row),
  }),
  readResponse(data, row, _, { status, body }) {
    const read = issuedCardReader.read(data)
    if (!read.ok || (status !== 200 && status !== 201)) return undefined
    const { id, amount, externalRef, expiresAt, isTest, status: said } = read.value
    const asked = storedBody(row)
    if (centsOf(amount) !== centsOf(asked.denomination)) return undefined
    if ((externalRef ?? asked.externalRef) !== asked.externalRef) return undefined
    const beside = issueAnswer.safeParse(body)
    return {
      upstreamId: id,
      balanceAfter: null,
      work: {
        memberId: keptText(beside.data?.memberId),
        memberCreated: beside.data?.memberCreated ?? null,
        status: keptText(said),
        expiresAt: keptText(expiresAt),
        isTest: isTest ?? null,
        replayed: status === 200,
        message: keptMessage(beside.data?.message),
      },
    }
  },
  claimScope: cardScope,
  idempotent: true,
  isInProgress: (code) => code === "IDEMPOTENCY_IN_PROGRESS",
  isInconclusive: (code) => conflicts.has(code),
  lookup: lookForCard,
  onResolved: cardSettled,
  absence: "settled",
  resends: 3,
  absentCode: "card_not_found",
  unsureCode: "card_unsure",
  auditChanges({ input }) {
    const { denomination, cardId = null } = readBody(input, giftcardRow)
    return [
      { field: "amount", from: null, to: denomination.toFixed(2) },
      { field: "template", from: null, to: cardId },
    ]
  },
  topics: ["members"],
  invalidates: () => ({ gone: [], old: ["members"] }),
}

/**
 * The id of the template that a row names, by its id or by the name that was entered for it. An id that nobody entered
 * may exist at the service, which has the last word.
 * @throws DeskFailure 422 for a name that nobody entered
 */
function templateOf(text: string, { templates = [] }: RowDefaults): string {
  const match = findTemplate({ templates }, text)
  if (match.kind === "entered") return match.template.id
  if (match.kind === "possible") return text
  throw invalid(422, [{ field: "cardId", message: `${match.message} No card was issued.` }])
}

/**
 * A row that is tried again as it was repeats its request, key included. A mended one asks for something else: it gets
 * another key of ours, and needs another one of its maker's.
 */
function keptForRetry(row: RowRecord, mended: NewRow | undefined): RowRecord["work"] {
  const { body } = giftcardWorkOf(row)
  if (mended === undefined || isSameInput(serviceInput(mended), serviceInput(row)))
    return body === undefined ? null : { body }
  const key = mended.input["idempotencyKey"]
  if (key !== undefined && key === body?.idempotencyKey) {
    const message =
      "This key was sent with another request, and a key belongs to one request. Nothing was done. Give another key, or none."
    throw invalid(422, [{ field: "idempotencyKey", message }])
  }
  return null
}

/** What a row asks of the service: that a refused amount is to be tried again is said to the desk alone. */
function serviceInput({ input }: Pick<NewRow, "input">): NewRow["input"] {
  return { ...input, confirm_pair: undefined }
}
