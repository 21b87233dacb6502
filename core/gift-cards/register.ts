import { LRUCache } from "lru-cache"
import { type CardPairs, type CardRecord, integrationDefault } from "../../contract/cards.ts"
import { cardReader } from "../../contract/giftcard/card.ts"
import { giftcardRow } from "../../contract/kinds/giftcard.ts"
import { jobKindDescriptors } from "../../contract/job-kinds.ts"
import { limits } from "../../contract/limits.ts"
import type { CoreContext } from "../context.ts"
import type { JobContext } from "../jobs/job-kind.ts"
import type { JobRecord, RowRecord } from "../jobs/job-store.ts"
import { centsOf, readGiftcardNotes, storableText, rowTemplate } from "../jobs/kinds/giftcard-notes.ts"
import { readsFor } from "../jobs/service-reads.ts"
import { planById } from "../gateway/upstream-read.ts"
import { readBody } from "../validation.ts"
import { isoTimeOrNull } from "../runtime.ts"
import { hasIssued } from "./card-store.ts"
import { sentTime } from "./look-up.ts"

type Parts = Pick<CoreContext, "events" | "log" | "store">

/** Jobs of other kinds that are remembered, so that their events read nothing. */
const mostRemembered = 1000

/** Keeps the register whole: what a process that ended left out is entered at the job's end and every start. */
export function startCardRegister(context: Parts) {
  const otherKinds = new LRUCache<string, true>({ max: mostRemembered })

  async function fillAfter(id: string): Promise<void> {
    if (otherKinds.has(id)) return
    const job = await context.store.jobs.get(id)
    if (job !== undefined && jobKindDescriptors[job.kind].record === "card") {
      if (job.state === "done" || job.state === "cancelled") await fillRegister(context, id)
    } else if (job !== undefined) otherKinds.set(id, true)
  }

  const quietly = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error: unknown) => context.log.warn({ err: error }, "the register of cards could not be filled yet"),
    )

  return {
    fill: () => quietly(fillRegister(context)),
    stop: context.events.subscribe((event) => {
      if (event.topic === "job") void quietly(fillAfter(event.id))
    }),
  }
}

const rowsAtOnce = 500

async function fillRegister(context: Parts, jobId?: string): Promise<void> {
  const { cards, jobs } = context.store
  const known = new Map<string, JobRecord | undefined>()
  let added = 0
  for (;;) {
    const rows = await cards.missing(rowsAtOnce, jobId)
    let progress = 0
    for (const row of rows) {
      if (!known.has(row.jobId)) known.set(row.jobId, await jobs.get(row.jobId))
      const job = known.get(row.jobId)
      if (job !== undefined && (await addCardOf(context, job, row))) progress += 1
    }
    added += progress
    // A row that cannot be added is named again each time.
    if (rows.length < rowsAtOnce || progress === 0) break
  }
  if (added > 0) context.events.publish({ topic: "cards", id: "all" })
}

/** Enters the card of a row and what the response showed about its amount; what fails here is made up later. */
export async function cardSettled(context: JobContext, number: number): Promise<void> {
  const { job } = context
  try {
    const row = await context.store.jobs.row(job.id, number)
    if (row === undefined) return
    if (hasIssued(row) && (await addCardOf(context, job, row))) {
      await readTemplate(context, row)
      context.events.publish({ topic: "cards", id: row.upstreamId ?? "all" })
    }
    await recordDenomination(context, row)
  } catch (error) {
    context.log.warn(
      { err: error, job: job.id, row: number },
      "a card could not be entered in the register yet",
    )
  }
}

/** Which template the integration's default was; without the permission to look cards up it stays as it is. */
async function readTemplate(context: JobContext, row: RowRecord): Promise<void> {
  const { upstreamId: id } = row
  if (id === null || rowTemplate(row) !== integrationDefault) return
  try {
    const { data } = await readsFor(context).read(planById("GET /giftcard/cards/{id}", { id }))
    const template = storableText(cardReader.tolerant.parse(data).cardId)
    if (template !== null) await context.store.cards.update(id, (card) => ({ ...card, template }))
  } catch (error) {
    context.log.info(
      { err: error, card: id },
      "which template the integration's default is could not be read",
    )
  }
}

/** Adds the card of a row. One that cannot be read is reported in the log and stops nothing else. */
async function addCardOf({ store, log }: Parts, job: JobRecord, row: RowRecord): Promise<boolean> {
  let card: CardRecord | undefined
  try {
    card = cardOfRow(job, row)
  } catch (error) {
    log.error({ err: error, job: job.id, row: row.row }, "a card could not be entered in the register")
  }
  return card !== undefined && store.cards.add(card)
}

function cardOfRow({ createdBy }: JobRecord, row: RowRecord): CardRecord | undefined {
  if (row.upstreamId === null) return undefined
  const notes = readGiftcardNotes(row)
  const { member, denomination, externalRef, cardId } = readBody(row.input, giftcardRow)
  const reference = notes.body?.externalRef ?? notes.reference ?? null
  return {
    id: row.upstreamId,
    origin: "issued",
    status: notes.status ?? null,
    template: notes.body?.cardId ?? cardId ?? null,
    amount_cents: centsOf(denomination),
    reference,
    own_reference: externalRef === undefined || externalRef === reference ? null : externalRef,
    member: {
      id: notes.memberId ?? null,
      email: member.email,
      name: `${member.firstname} ${member.lastname}`,
      created: notes.memberCreated ?? null,
    },
    is_test: notes.isTest ?? null,
    // The response to an issue has no time: then it is the time of the response.
    issued_at: sentTime(notes.issuedAt) ?? isoTimeOrNull(row.confirmedAt ?? row.endedAt),
    expires_at: sentTime(notes.expiresAt),
    job: { id: row.jobId, row: row.row, line: row.line },
    by: { id: createdBy.id, name: createdBy.name },
    replayed: notes.replayed ?? null,
    message: notes.message ?? null,
    looked_up_at: null,
  }
}

const mostPairs = 1000

/** Keeps an amount that a template refused until a card with it is issued (docs/gift-cards.md). */
async function recordDenomination({ settings, time }: JobContext, row: RowRecord): Promise<void> {
  const issued = row.state === "confirmed"
  const refusal = row.state === "failed" && row.outcome !== null && isAboutAmount(row.outcome)
  if (!issued && !refusal) return
  const { cardId = "", denomination } = readBody(row.input, giftcardRow)
  // Which template refused it is not known.
  if (cardId === integrationDefault) return
  const isPair = (pair: CardPairs["refused"][number]) =>
    pair.card_id === cardId && pair.denomination === denomination
  // Many rows of a file are refused alike: one of them is enough.
  if ((await settings.get("cardPairs")).refused.some(isPair) !== issued) return
  const pair = {
    card_id: cardId,
    denomination,
    code: row.outcome?.code.slice(0, 100) ?? "",
    message: row.outcome?.message.slice(0, limits.reason) ?? "",
    at: new Date(time.now()).toISOString(),
  }
  await settings.change("cardPairs", ({ refused }) => {
    const others = refused.filter((each) => !isPair(each))
    return { refused: issued ? others : [...others, pair].slice(-mostPairs) }
  })
}

function isAboutAmount({ code, message }: { readonly code: string; readonly message: string }): boolean {
  if (code === "DENOMINATION_NOT_PRODUCED") return true
  return (code === "INVALID_ARGUMENT" || code === "VALIDATION_ERROR") && /denomination/i.test(message)
}
