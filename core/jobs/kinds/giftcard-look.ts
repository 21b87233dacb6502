import { cardReader, type Card } from "../../../contract/giftcard/card.ts"
import type { TakenBy } from "../../../contract/job-rows.ts"
import { rowOutcomeWords } from "../../../contract/row-outcomes.ts"
import { DeskFailure, stored } from "../../errors.ts"
import { isAmbiguous } from "../../gateway/outcome.ts"
import { planById } from "../../gateway/upstream-read.ts"
import { type JobContext, requesterOf } from "../job-context.ts"
import type { FoundEffect, Lookup } from "../job-kind.ts"
import { readNow } from "../job-reads.ts"
import type { JobRecord, RowRecord } from "../job-store.ts"
import { unknownSinceOf } from "./giftcard-ready.ts"
import { centsOf, keptText, storedBody } from "./giftcard-work.ts"

/** Under which scope the id of an issued card is claimed. */
export const cardScope = "giftcard:card"

/** The service's time is known to a second from its header. */
const marginMs = 2000

const nothing = { kind: "read", found: [], complete: true } as const

/**
 * Looks the card up that has the row's reference on its template. It is the row's only if an attempt of this row ended
 * without an answer, the card was issued after that attempt was sent, has the amount, and is nobody else's; otherwise
 * it is somebody's earlier card (docs/decisions/0002-money.md).
 */
export async function lookForCard(context: JobContext, job: JobRecord, row: RowRecord): Promise<Lookup> {
  const { externalRef, cardId, denomination } = storedBody(row)
  const card = await readCard(context, job, externalRef, cardId)
  if (card === undefined) return nothing
  if (card === "several") {
    const code = "reference_ambiguous"
    return { ...nothing, complete: false, person: { code, message: rowOutcomeWords[code] } }
  }
  // A reference that is another card's id shows that one: then looking tells nothing about this row.
  if (card.externalRef !== externalRef) return { ...nothing, complete: false }
  const issuedAt = timeOf(card.issuedAt)
  const owner = (await stored(context.store.jobs.claims(cardScope, [card.id]))).get(card.id)
  const mine = owner === undefined || (owner.job === job.id && owner.row === row.row)
  const tagged =
    mine &&
    (card.cardId ?? cardId) === cardId &&
    typeof card.amount === "number" &&
    centsOf(card.amount) === centsOf(denomination) &&
    isAfterUnknown(context, row, issuedAt)
  const found: FoundEffect = {
    upstreamId: card.id,
    createdAt: issuedAt,
    points: null,
    text: typeof card.amount === "number" ? `${card.amount} · ${card.status ?? ""}` : (card.status ?? null),
    reference: externalRef,
    tagged,
    not: otherThan(card, cardId, denomination),
    work: factsOf(card),
  }
  const takenBy: TakenBy = {
    card_id: card.id,
    registered: false,
    job: owner === undefined ? null : { id: owner.job, row: owner.row },
  }
  const message = `${card.id}: ${rowOutcomeWords.earlier_card}`
  const person = { code: "earlier_card", message, work: { takenBy } } as const
  return { kind: "read", found: [found], complete: true, ...(!tagged && { person }) }
}

function otherThan({ cardId, amount }: Card, asked: string, denomination: number): FoundEffect["not"] {
  if (typeof cardId === "string" && cardId !== asked) return "kind"
  return typeof amount === "number" && centsOf(amount) !== centsOf(denomination) ? "amount" : undefined
}

function isAfterUnknown({ time }: JobContext, row: RowRecord, issuedAt: number | undefined): boolean {
  const since = unknownSinceOf(row)
  const there = since === undefined ? undefined : time.toServiceTime("giftcard", since)
  return there !== undefined && issuedAt !== undefined && issuedAt >= there - marginMs
}

/** The card of a reference and a template; undefined when there is none, `several` when the service cannot tell which. */
async function readCard(
  context: JobContext,
  job: JobRecord,
  reference: string,
  cardId: string,
): Promise<Card | "several" | undefined> {
  const plan = planById("GET /giftcard/cards/{id}", { id: reference }, { cardId })
  try {
    const { data } = await readNow(context, requesterOf(job), plan)
    return cardReader.tolerant.parse(data)
  } catch (error) {
    if (error instanceof DeskFailure && error.code === "not_found") return undefined
    if (isAmbiguous(error)) return "several"
    throw error
  }
}

/** What a look-up says about a card, as a row keeps it. */
function factsOf(card: Card): RowRecord["work"] {
  return {
    memberId: keptText(card.memberId),
    memberCreated: null,
    status: keptText(card.status),
    expiresAt: keptText(card.expiresAt),
    issuedAt: keptText(card.issuedAt),
    isTest: card.isTest ?? null,
  }
}

/** ms since 1970; undefined for what is no time. */
export function timeOf(text: string | null | undefined): number | undefined {
  const at = Date.parse(text ?? "")
  return Number.isNaN(at) ? undefined : at
}
