import type { RowOutcomeCode, TakenBy } from "../../../contract/job-rows.ts"
import { rowOutcomeWords } from "../../../contract/row-outcomes.ts"
import { stored } from "../../errors.ts"
import { type JobContext, plannedRows } from "../job-context.ts"
import type { Claim, JobRecord, RowChange, RowRecord } from "../job-store.ts"
import { tagReference } from "../correlation-tags.ts"
import { isGiven } from "./giftcard-body.ts"
import { giftcardWorkOf } from "./giftcard-work.ts"

/** Why a row must not be sent: what it wants to use belongs to something else. */
export interface Refusal {
  readonly row: RowRecord
  readonly code: Extract<RowOutcomeCode, "reference_taken" | "key_taken">
  readonly by: TakenBy
}

/** A row and its job. Rows whose reference is asked about belong to many jobs. */
interface Claimant {
  readonly job: Pick<JobRecord, "id" | "batchCode" | "state">
  readonly row: RowRecord
}

/**
 * Claims the reference of every planned row for its template, and the idempotency key that its maker gave it. A row whose
 * reference or key belongs to another row, or whose reference a card of the register has, fails: nothing is sent in its
 * place (docs/decisions/0009-gift-cards.md, One reference, one card). Done before anything is sent.
 */
export async function settleReferences(
  context: JobContext,
  job: JobRecord,
  signal: AbortSignal,
): Promise<void> {
  const { jobs } = context.store
  for await (const planned of plannedRows(jobs, job.id)) {
    signal.throwIfAborted()
    const rows = planned.filter((row) => giftcardWorkOf(row).reference !== sentReferenceOf(job, row))
    const refused = await claimFor(context, job, rows)
    if (refused.length > 0) await stored(jobs.changeRows(job.id, refused.map(failedBy)))
  }
}

/**
 * Makes sure, right before a row is sent, that its reference and its key are its own: a row that was left absent may have
 * given them to another one.
 */
export async function claimBeforeSending(
  context: JobContext,
  job: JobRecord,
  row: RowRecord,
): Promise<Refusal | undefined> {
  for (const claim of claimsOf({ job, row })) {
    const owner = (await stored(context.store.jobs.claims(claim.scope, [claim.key]))).get(claim.key)
    if (owner?.job !== job.id || owner.row !== row.row) return (await claimFor(context, job, [row]))[0]
  }
  return undefined
}

/**
 * The reference that goes out for a row: a person's own exactly as it was given, otherwise the row's. What was sent once
 * stays.
 */
export function sentReferenceOf(job: Pick<JobRecord, "batchCode">, row: RowRecord): string {
  return giftcardWorkOf(row).body?.externalRef ?? textOf(row, "externalRef") ?? tagReference(job, row)
}

/** What a refused row keeps and says. */
export function refusalOutcome({ code, by }: Refusal) {
  return { outcome: { code, message: rowOutcomeWords[code] }, work: { takenBy: by } }
}

/**
 * Who has a reference of a template here: a card of the register, or a row that has claimed it and not given it back.
 * @returns what there is, by reference
 */
export async function holdersOf(
  context: Pick<JobContext, "store">,
  template: string,
  references: readonly string[],
): Promise<Map<string, TakenBy>> {
  const { cards, jobs } = context.store
  const held = new Map<string, TakenBy>()
  const keys = new Map(references.map((reference) => [referenceKey(template, reference), reference]))
  const owners = await stored(jobs.claims(referenceScope, [...keys.keys()]))
  for (const [key, owner] of owners) {
    const [job, row] = await claimantOf(context, owner)
    if (job !== undefined && row !== undefined && releaseFrom({ job, row }, key) !== undefined) continue
    held.set(keys.get(key) ?? "", takenBy(owner, row))
  }
  for (const card of await stored(cards.ofReferences(template, references))) {
    for (const reference of [card.reference, card.ownReference]) {
      if (reference !== null && references.includes(reference))
        held.set(reference, { card_id: card.id, registered: true, job: card.job })
    }
  }
  return held
}

/** Claims what the rows want. Gives those that must not be sent; the others have their reference. */
async function claimFor(context: JobContext, job: JobRecord, rows: readonly RowRecord[]): Promise<Refusal[]> {
  const refused: Refusal[] = []
  const keyed = rows.filter((row) => textOf(row, "idempotencyKey") !== undefined)
  refused.push(...(await claimEach(context, job, keyed, keyClaim, "key_taken", () => ({}))))
  const taken = await inRegister(context, without(rows, refused))
  refused.push(...taken)
  const settled = (row: RowRecord) => ({ work: { ...row.work, reference: sentReferenceOf(job, row) } })
  const free = without(rows, refused)
  refused.push(...(await claimEach(context, job, free, referenceClaim, "reference_taken", settled)))
  return refused
}

function without(rows: readonly RowRecord[], refused: readonly Refusal[]): RowRecord[] {
  const gone = new Set(refused.map(({ row }) => row.row))
  return rows.filter(({ row }) => !gone.has(row))
}

/** Rows whose own reference a card of the register has, issued here or elsewhere. */
async function inRegister({ store }: JobContext, rows: readonly RowRecord[]): Promise<Refusal[]> {
  const wanted = new Map<string, RowRecord[]>()
  for (const row of rows) {
    const template = templateOf(row)
    if (textOf(row, "externalRef") !== undefined) wanted.set(template, [...(wanted.get(template) ?? []), row])
  }
  const refused: Refusal[] = []
  for (const [template, some] of wanted) {
    const references = some.flatMap((row) => textOf(row, "externalRef") ?? [])
    for (const card of await stored(store.cards.ofReferences(template, references))) {
      const by = { card_id: card.id, registered: true, job: card.job }
      for (const row of some) {
        const own = textOf(row, "externalRef")
        if (own === card.reference || own === card.ownReference)
          refused.push({ row, code: "reference_taken", by })
      }
    }
  }
  return [...new Map(refused.map((one) => [one.row.row, one])).values()]
}

type ClaimOf = (of: Claimant) => Claim | undefined

async function claimEach(
  context: JobContext,
  job: JobRecord,
  rows: readonly RowRecord[],
  claimOf: ClaimOf,
  code: Refusal["code"],
  setOf: (row: RowRecord) => RowChange["set"],
): Promise<Refusal[]> {
  const attempt = async (some: readonly RowRecord[]) => {
    if (some.length === 0) return []
    const changes = some.map((row): RowChange => {
      const claim = claimOf({ job, row })
      const set = setOf(row)
      const { row: number, attempts: attempt, edits } = row
      return { row: number, from: ["planned"], attempt, edits, set, ...(claim && { claim }) }
    })
    const results = await stored(context.store.jobs.changeRows(job.id, changes))
    return some.filter((_, at) => results[at] === "claimed")
  }
  const contested = await attempt(rows)
  const freed = await freeUnused(
    context,
    contested.flatMap((row) => claimOf({ job, row }) ?? []),
  )
  const taken = freed === 0 ? contested : await attempt(contested)
  const refused: Refusal[] = []
  for (const row of taken) {
    const { scope, key } = claimOf({ job, row }) ?? { scope: "", key: "" }
    const owner = (await stored(context.store.jobs.claims(scope, [key]))).get(key)
    const by =
      owner === undefined
        ? { card_id: null, registered: false, job: null }
        : takenBy(owner, (await claimantOf(context, owner))[1])
    refused.push({ row, code, by })
  }
  return refused
}

type Owner = { readonly job: string; readonly row: number }

/** A row that definitely issued nothing, and will not, gives back what it claimed. Gives how many did. */
async function freeUnused(context: JobContext, claims: readonly Claim[]): Promise<number> {
  const { jobs } = context.store
  let freed = 0
  for (const claim of claims) {
    const owner = (await stored(jobs.claims(claim.scope, [claim.key]))).get(claim.key)
    if (owner === undefined) continue
    const [job, row] = await claimantOf(context, owner)
    const from = job && row && releaseFrom({ job, row }, claim.key)
    if (from === undefined) continue
    const change = { row: owner.row, attempt: row?.attempts ?? 0, from, set: {}, release: claim }
    const [result] = await stored(jobs.changeRows(owner.job, [change]))
    if (result === "changed") freed += 1
  }
  return freed
}

async function claimantOf(
  { store }: Pick<JobContext, "store">,
  owner: Owner,
): Promise<[JobRecord | undefined, RowRecord | undefined]> {
  return [await stored(store.jobs.get(owner.job)), await stored(store.jobs.row(owner.job, owner.row))]
}

/**
 * From which states a row gives a claim back; undefined while it needs it. A row that is tried again later claims anew.
 */
function releaseFrom({ job, row }: Claimant, key: string): RowChange["from"] | undefined {
  // It was mended since, and goes out under something else.
  if (claimsOf({ job, row }).every((claim) => claim.key !== key)) return [row.state]
  if (row.state === "failed" || row.state === "excluded") return [row.state]
  // What a cancelled job has not sent it never will; a doubtful row is left absent then, not planned.
  if (row.state === "planned" && job.state === "cancelled") return ["planned"]
  // Proven not to be issued, and somebody left it at that.
  return row.state === "absent" && row.decision?.decision === "leave" ? ["absent"] : undefined
}

function failedBy(refusal: Refusal): RowChange {
  const { row } = refusal
  const { outcome, work } = refusalOutcome(refusal)
  return {
    row: row.row,
    from: ["planned"],
    attempt: row.attempts,
    edits: row.edits,
    set: { state: "failed", outcome, nextAt: null, decision: null, work: { ...row.work, ...work } },
  }
}

/** The card a row issued, or the one that was in its way, if any; and the row. */
function takenBy(owner: Owner, row: RowRecord | undefined): TakenBy {
  const inItsWay = row === undefined ? null : (giftcardWorkOf(row).takenBy?.card_id ?? null)
  return {
    card_id: row?.upstreamId ?? inItsWay,
    registered: (row?.upstreamId ?? null) !== null,
    job: { id: owner.job, row: owner.row },
  }
}

const referenceScope = "giftcard:reference"
const keyScope = "giftcard:key"

function claimsOf(of: Claimant): Claim[] {
  return [referenceClaim(of), keyClaim(of)].filter((claim) => claim !== undefined)
}

/** A reference is unique for its template only. */
function referenceClaim({ job, row }: Claimant): Claim {
  return { scope: referenceScope, key: referenceKey(templateOf(row), sentReferenceOf(job, row)) }
}

function keyClaim({ row }: Claimant): Claim | undefined {
  const key = textOf(row, "idempotencyKey")
  return key === undefined ? undefined : { scope: keyScope, key }
}

function referenceKey(template: string, reference: string): string {
  return JSON.stringify([template, reference])
}

function templateOf(row: RowRecord): string {
  return giftcardWorkOf(row).body?.cardId ?? textOf(row, "cardId") ?? ""
}

function textOf({ input }: RowRecord, field: "cardId" | "externalRef" | "idempotencyKey") {
  const text = input[field]
  return typeof text === "string" && isGiven(text) ? text : undefined
}
