import * as z from "zod/mini"
import type { CardRecord, ReferenceHolder } from "../../../contract/cards.ts"
import { comparedReference } from "../../gift-cards/card-store.ts"
import { rowOutcome, type RowOutcomeCode } from "../../../contract/row-outcomes.ts"
import { stored } from "../../errors.ts"
import { changeInBatches, type EngineContext, rowBatches } from "../engine-context.ts"
import { type JobContext, type RowOutcome, withNotes } from "../job-kind.ts"
import type { Claim, ClaimOwner, JobRecord, RowRecord } from "../job-store.ts"
import { isOwnedByAnotherRow } from "../job-record.ts"
import { updatePlanned, refusePlanned, releaseClaim } from "../transitions.ts"
import { givenText, readGiftcardNotes, rowReference, rowTemplate } from "./giftcard-notes.ts"

interface Refusal {
  readonly row: RowRecord
  readonly outcome: RowOutcome
  readonly notes: { readonly takenBy: ReferenceHolder }
}

/** A row that claims a reference, with its own job. */
interface Claimant {
  readonly job: Pick<JobRecord, "id" | "batchCode" | "state">
  readonly row: RowRecord
}

/**
 * Claims every planned row's reference on its template, and its own idempotency key. Rows whose reference or key belongs
 * to another row or a registered card fail (docs/gift-cards.md, One card for each reference).
 */
export async function claimReferences(context: JobContext): Promise<void> {
  const { job } = context
  const { jobs } = context.store
  for await (const planned of rowBatches(jobs, job.id)) {
    context.signal?.throwIfAborted()
    const rows = planned.filter((row) => readGiftcardNotes(row).reference !== rowReference(job, row))
    const refused = await claimAll(context, rows)
    const failed = refused.map(({ row, outcome, notes }) =>
      refusePlanned(row, outcome, { nextAt: null, decision: null, ...withNotes(row, notes) }),
    )
    await stored(changeInBatches(jobs, job.id, failed))
  }
}

/** Claims again right before sending: an absent row that was left may have lost its reference to another row. */
export async function claimBeforeSending(context: JobContext, row: RowRecord) {
  for (const claim of claimsOf({ job: context.job, row })) {
    const owner = await ownerOf(context, claim)
    if (owner !== undefined && !isOwnedByAnotherRow(owner, row)) continue
    const [refusal] = await claimAll(context, [row])
    return refusal && { outcome: refusal.outcome, notes: refusal.notes }
  }
  return undefined
}

/** The owners of references on a template, by `comparedReference`: registered cards, or rows with a claim in use. */
export async function findHolders(
  context: Pick<EngineContext, "store">,
  template: string,
  references: readonly string[],
): Promise<Map<string, ReferenceHolder>> {
  const { cards, jobs } = context.store
  const taken = new Map<string, ReferenceHolder>()
  const keys = new Map(
    references.map((reference) => [referenceKey(template, reference), comparedReference(reference)]),
  )
  const owners = await stored(jobs.claims(referenceScope, [...keys.keys()]))
  for (const [key, owner] of owners) {
    const claimant = await claimantOf(context, owner)
    if (claimant !== undefined && isUnused(claimant, key)) continue
    taken.set(keys.get(key) ?? "", referenceHolder(owner, claimant?.row))
  }
  for (const [reference, card] of await registeredOf(cards, template, references)) taken.set(reference, card)
  return taken
}

async function registeredOf(
  cards: EngineContext["store"]["cards"],
  template: string,
  references: readonly string[],
): Promise<Map<string, ReferenceHolder>> {
  const wanted = new Set(references.map(comparedReference))
  const matches = await stored(cards.ofReferences(template, references))
  const entries = matches.flatMap(({ id, job, reference, own_reference }) =>
    [reference, own_reference].flatMap((own) =>
      own !== null && wanted.has(comparedReference(own))
        ? [[comparedReference(own), { card_id: id, registered: true, job: toIssuer(job) }] as const]
        : [],
    ),
  )
  return new Map(entries)
}

/** The row that issued a card, in the form of `ReferenceHolder`. */
export const toIssuer = (job: CardRecord["job"]) => job && { id: job.id, row: job.row }

/** Returns the rows that must not be sent; the others have claimed their reference. */
async function claimAll(context: JobContext, all: readonly RowRecord[]): Promise<Refusal[]> {
  const { job } = context
  const { cards, jobs } = context.store
  const refused = new Map<number, Refusal>()
  const refuse = (row: RowRecord, code: RowOutcomeCode, by: ReferenceHolder) =>
    refused.set(row.row, { row, outcome: rowOutcome(code), notes: { takenBy: by } })
  const left = () => all.filter(({ row }) => !refused.has(row))
  const keyed = all.filter((row) => givenText(row, "idempotencyKey") !== undefined)
  await claimEach(keyed, keyClaim, "key_taken", () => ({}))
  await refuseRegistered(left())
  const settled = (row: RowRecord) => ({ notes: { ...row.notes, reference: rowReference(job, row) } })
  await claimEach(left(), referenceClaim, "reference_taken", settled)
  return [...refused.values()]

  async function refuseRegistered(rows: readonly RowRecord[]): Promise<void> {
    const named = rows.filter((row) => givenText(row, "externalRef") !== undefined)
    for (const [template, some] of Map.groupBy(named, rowTemplate)) {
      const references = some.flatMap((row) => givenText(row, "externalRef") ?? [])
      const registered = await registeredOf(cards, template, references)
      for (const row of some) {
        const card = registered.get(comparedReference(givenText(row, "externalRef") ?? ""))
        if (card !== undefined) refuse(row, "reference_taken", card)
      }
    }
  }

  async function claimEach(
    rows: readonly RowRecord[],
    claimOf: (of: Claimant) => Claim | undefined,
    code: RowOutcomeCode,
    setOf: (row: RowRecord) => Partial<Pick<RowRecord, "notes">>,
  ) {
    const attempt = async (some: readonly RowRecord[]) => {
      if (some.length === 0) return []
      const changes = some.map((row) => updatePlanned(row, setOf(row), claimOf({ job, row })))
      const results = await stored(jobs.changeRows(job.id, changes))
      return some.filter((_, at) => results[at] === "claimed")
    }
    const contested = await attempt(rows)
    const claims = contested.flatMap((row) => claimOf({ job, row }) ?? [])
    const released = await releaseUnused(context, claims)
    for (const row of released === 0 ? contested : await attempt(contested)) {
      const claim = claimOf({ job, row })
      const owner = claim && (await ownerOf(context, claim))
      const unknownOwner = { card_id: null, registered: false, job: null }
      refuse(
        row,
        code,
        owner ? referenceHolder(owner, (await claimantOf(context, owner))?.row) : unknownOwner,
      )
    }
  }
}

async function ownerOf({ store }: EngineContext, { scope, key }: Claim): Promise<ClaimOwner | undefined> {
  return (await stored(store.jobs.claims(scope, [key]))).get(key)
}

async function claimantOf({ store: { jobs } }: Pick<EngineContext, "store">, owner: ClaimOwner) {
  const job = await stored(jobs.get(owner.job))
  const row = await stored(jobs.row(owner.job, owner.row))
  return job && row && { job, row }
}

/** Releases claims of rows that did not and will not issue a card. Returns how many. */
async function releaseUnused(context: EngineContext, claims: readonly Claim[]): Promise<number> {
  let released = 0
  for (const claim of claims) {
    const owner = await ownerOf(context, claim)
    const claimant = owner && (await claimantOf(context, owner))
    if (claimant === undefined || !isUnused(claimant, claim.key)) continue
    const { job, row } = claimant
    const [result] = await stored(context.store.jobs.changeRows(job.id, [releaseClaim(row, claim)]))
    if (result === "changed") released += 1
  }
  return released
}

/** Whether a claim can be released. A later retry of the row claims it again. */
function isUnused({ job, row }: Claimant, key: string): boolean {
  // Corrected since, with another reference or key.
  if (claimsOf({ job, row }).every((claim) => claim.key !== key)) return true
  if (row.state === "failed" || row.state === "excluded") return true
  // Planned rows of a cancelled job are never sent, and none of them is doubtful.
  if (row.state === "planned" && job.state === "cancelled") return true
  return row.state === "absent" && row.decision?.decision === "leave"
}

function referenceHolder(owner: ClaimOwner, row: RowRecord | undefined): ReferenceHolder {
  const issued = row?.upstreamId ?? null
  const inItsWay = row && readGiftcardNotes(row).takenBy?.card_id
  const job = { id: owner.job, row: owner.row }
  return { card_id: issued ?? inItsWay ?? null, registered: issued !== null, job }
}

/** Scope of the claims on a template's references. */
export const referenceScope = "giftcard:reference"
const keyScope = "giftcard:key"

function claimsOf(of: Claimant): Claim[] {
  return [referenceClaim(of), keyClaim(of)].filter((claim) => claim !== undefined)
}

/** A reference is unique for its template only. */
function referenceClaim({ job, row }: Claimant): Claim {
  return { scope: referenceScope, key: referenceKey(rowTemplate(row), rowReference(job, row)) }
}

function keyClaim({ row }: Claimant): Claim | undefined {
  const key = givenText(row, "idempotencyKey")
  return key === undefined ? undefined : { scope: keyScope, key }
}

function referenceKey(template: string, reference: string): string {
  return JSON.stringify([template, comparedReference(reference)])
}

/** The key of a claim that was made before references were folded, as it is made now. */
export function foldedReferenceKey(key: string): string {
  const [template, reference] = z.tuple([z.string(), z.string()]).parse(JSON.parse(key))
  return referenceKey(template, reference)
}
