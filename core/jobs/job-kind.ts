import type { AuditChange, AuditEntry } from "../../contract/audit.ts"
import type { CardTemplates } from "../../contract/cards.ts"
import { isStorable } from "../../contract/program/common.ts"
import type { JobRow } from "../../contract/job-rows.ts"
import type { RowOutcomeCode } from "../../contract/row-outcomes.ts"
import { exactText } from "../../contract/typed-text.ts"
import { type JobKind, jobKindDescriptors, type JobWrite } from "../../contract/job-kinds.ts"
import type { Api } from "../../contract/response.ts"
import type { AppEvent } from "../../contract/events.ts"
import type { ActContext } from "../audit/audit-log.ts"
import { invalid } from "../errors.ts"
import { fillPath, operationById } from "../match.ts"
import type { EngineContext } from "./engine-context.ts"
import type { Claim, JobRecord, NewRow, RowChange, RowRecord } from "./job-store.ts"
import { isOwnedByAnotherRow } from "./job-record.ts"
import { notesOf, type RestoredFacts } from "./row-notes.ts"

/** The engine's context for one job, with the job as last read and the rules of its kind. */
export interface JobContext extends EngineContext {
  readonly job: JobRecord
  readonly rules: KindRules
}

/** The service that the job's rows are sent to. */
export function jobApi({ job }: { readonly job: Pick<JobRecord, "kind"> }): Api {
  return jobKindDescriptors[job.kind].api
}

/** The same job, with its reads charged to the requester instead of the job's maker. */
export function asPerson(context: JobContext, { user }: ActContext): JobContext {
  return { ...context, job: { ...context.job, lane: "people", createdBy: user } }
}

/** The request for one row, or for several in bulk. */
export type RowRequest = ReturnType<typeof rowRequest>

/** A write that jobs send, by its row of the policy; `params` are the ids of its path. */
export function rowRequest(
  operation: JobWrite | "PATCH /members/{member_id}",
  body: unknown,
  params: Readonly<Record<string, string>> = {},
) {
  const { api, method, path } = operationById(operation)
  return { operation, api, method, path: fillPath(path, params), body }
}

/** What a kind stores with a row, besides the notes of the engine (row-notes.ts). */
type KindNotes = Readonly<Record<string, unknown>>

/** The effect that a response attributes to this row. */
export interface NamedEffect<Notes extends KindNotes = KindNotes> {
  readonly upstreamId: string
  readonly balanceAfter: number | null
  /** Without secrets. */
  readonly notes?: Partial<Notes>
}

/** An entry in the service's records that could be a row's effect. */
export interface FoundEffect<Notes extends KindNotes = KindNotes> {
  readonly upstreamId: string
  /** ms since 1970, the service's clock; undefined when the entry has no time. */
  readonly createdAt?: number | undefined
  readonly points?: number | null | undefined
  readonly text?: string | null | undefined
  readonly reference?: string | null | undefined
  /** Carries the row's correlation tag and amount: only this row can have created it. */
  readonly tagged: boolean
  readonly otherAmount?: boolean
  readonly not?: "kind" | "amount" | undefined
  readonly outcome?: RowRecord["outcome"]
  readonly notes?: Partial<Notes>
}

/** Code and message of a row that has ended. */
export type RowOutcome = NonNullable<RowRecord["outcome"]>

/** Result of reading the service's records for a row. */
export type Lookup<Notes extends KindNotes = KindNotes> =
  | {
      readonly kind: "read"
      readonly found: readonly FoundEffect<Notes>[]
      /** All entries were read; an incomplete lookup never proves absence. */
      readonly complete: boolean
      /** The entry can never be this row's: a person decides immediately. */
      readonly person?: RowOutcome & Pick<NamedEffect<Notes>, "notes">
      /** Someone else did it before: the row fails. */
      readonly refused?: RowOutcome
    }
  /** The target record does not exist, so nothing can have been done to it. */
  | { readonly kind: "no_record" }
  /** The record was changed elsewhere; `code` defaults to `changed_there`. */
  | { readonly kind: "changed"; readonly code?: RowOutcomeCode; readonly notes?: Partial<Notes> }

/** Result of a read right before sending. `notes` is stored with the intent or the outcome. */
export type Precheck<Notes extends KindNotes = KindNotes> =
  | { readonly kind: "go"; readonly notes?: Partial<Notes> }
  | { readonly kind: "done"; readonly done: NamedEffect<Notes> }
  | ({ readonly kind: "failed" | "conflict"; readonly outcome: RowOutcome } & Pick<
      NamedEffect<Notes>,
      "notes"
    >)

/** Proof of absence: nothing found after settling, or additionally a later own effect found. */
export type AbsenceProof = "settled" | "canary"

/** What a kind needs besides the input to make a row, read once for all rows of a request. */
export interface RowDefaults {
  /** Whether a service issued this id; such an id is not normalized. Absent: no service ids are known. */
  readonly isRecordId?: (id: string) => boolean
  readonly cardId?: string
  readonly templates?: CardTemplates["templates"]
}

/** Normalizes an id that a person typed; ids issued by a service stay as they are. Throws 422 for an empty result. */
export function typedId(id: string, field: string, { isRecordId }: RowDefaults): string {
  if (exactText(id) === id || isRecordId?.(id) === true) return id
  const exact = exactText(id).trim()
  if (exact === "") throw invalid(422, [{ field, message: "This id has no visible character." }])
  return exact
}

/** Bulk requests. Each member occurs at most once, because the response lists successes by member. */
export interface BulkRules {
  /** Concurrent requests of one job. */
  readonly maxCalls: number
  readonly accepts: (job: Pick<JobRecord, "mode">, row: Pick<RowRecord, "input">) => boolean
  readonly item: (job: JobRecord, row: RowRecord) => unknown
  readonly request: (job: JobRecord, rows: readonly RowRecord[]) => RowRequest
  /** Effect ids by member, without members listed twice. Undefined for a response of another shape. */
  readonly readResponse: (data: unknown) => ReadonlyMap<string, string> | undefined
}

/** Claims make one row wait for another, or keep two rows from the same effect. */
interface ClaimRules {
  /** Scope of effect ids: one effect can confirm one row. Absent where several rows may change the same record. */
  readonly effects?: string
  /** Held from preparation until the row ends, against concurrent duplicates. */
  readonly untilEnd?: (row: Pick<RowRecord, "email">) => Claim | undefined
  /** Held while the row is sent or unknown: the next row that needs it waits. */
  readonly whileSent?: (row: RowRecord) => Claim | undefined
}

/** What the codes of refusals mean. */
interface RefusalRules {
  /** An earlier identical request is still in progress. */
  readonly isInProgress?: (code: string) => boolean
  /** It proves nothing about this row, which is looked up even after a first attempt. */
  readonly isInconclusive?: (code: string) => boolean
}

interface RestoreRules<Notes extends KindNotes> {
  /** Preparation only reads, so it also runs while a job is held. */
  readonly preparesWhileHeld?: boolean
  /** The `notes` that a row needs to be looked up although this store never sent it. */
  readonly notes?: (job: JobRecord, row: RowRecord, since: number) => Partial<Notes>
}

/** Outcome codes of a kind, where the usual ones say too little. */
interface KindMessages {
  /** An absent row is left to a person; default `left_to_person`. */
  readonly absent?: RowOutcomeCode
  /** The target record does not exist; default `not_found_there`. */
  readonly missing?: RowOutcomeCode
  /** Lookups stay inconclusive; default `history_lagging`. */
  readonly unsure?: RowOutcomeCode
  /** A second effect appeared after a resend; default `awarded_twice`. */
  readonly twice?: RowOutcomeCode
}

/** What a confirmed row changes in the cache and on open pages. */
interface CacheRules {
  readonly topics: readonly ("members" | "orders")[]
  readonly invalidates: (row: RowRecord) => Parameters<EngineContext["reads"]["invalidate"]>[0]
  /** Caches the record in a row's response instead, and returns the event. `requestedAt`: monotonic ms. */
  readonly response?: (
    context: JobContext,
    row: RowRecord,
    data: unknown,
    requestedAt: number,
  ) => AppEvent | undefined
}

/**
 * One kind of job: how its rows are validated, sent and looked up. The optional members are what only some kinds need;
 * `Notes` is what the kind stores with a row.
 */
export interface KindRules<Notes extends KindNotes = KindNotes> {
  readonly kind: JobKind
  /** Validates the input of a row and returns the fields to store, others null; throws 422. */
  readonly newRow: (input: unknown, defaults: RowDefaults) => Pick<NewRow, "input"> & Partial<NewRow>
  /** Whether a job of these rows may be made; throws AppError with a sentence. */
  readonly checkNew?: (context: EngineContext, rows: readonly NewRow[]) => Promise<void>
  readonly request: (job: JobRecord, row: RowRecord) => RowRequest
  /** Reads the effect from the `data` of a success; undefined when it is not this row's. */
  readonly readResponse: (
    data: unknown,
    row: RowRecord,
    sent: RowRequest,
    response: { readonly status: number; readonly body: unknown },
  ) => NamedEffect<Notes> | undefined
  /** An uncached read, `from` a time on the service's clock (undefined: all). Throws AppError on failure. */
  readonly lookup: (context: JobContext, row: RowRecord, from: number | undefined) => Promise<Lookup<Notes>>
  readonly absence: AbsenceProof
  /**
   * Concurrent calls of one job: enough to use the full rate while responses take seconds, or few if each row is read
   * before it is sent.
   */
  readonly maxCalls: number
  /** Most automatic resends after a proven absence. */
  readonly resends: number
  readonly cache: CacheRules

  readonly defaults?: (context: EngineContext) => Promise<RowDefaults>
  /**
   * Prepares planned rows for sending. Idempotent, because it runs again after a crash. Throws AppError when the service
   * or the store fails, or the reason of the context's signal.
   */
  readonly prepare?: (context: JobContext) => Promise<void>
  /** Reads right before sending; throws AppError on failure: the row stays planned. */
  readonly precheck?: (context: JobContext, row: RowRecord) => Promise<Precheck<Notes>>
  /** What follows from reading a confirmed row again; without it only resent rows are, for a second entry. */
  readonly recheck?: (context: JobContext, row: RowRecord) => Promise<readonly RowChange[]>
  readonly bulk?: BulkRules
  /** How effects carry the row's tag. A canary proves absence only for rows with the same form. */
  readonly tags?: {
    readonly forms: readonly string[]
    readonly formOf: (job: Pick<JobRecord, "mode">, row: Pick<RowRecord, "input">) => string
  }
  readonly claims?: ClaimRules
  /**
   * Why a resend is harmless: the service recognises the identical request (rows are resent instead of looked up), or the
   * record is compared right before sending.
   */
  readonly resendSafety?: "idempotent" | "compared"
  readonly refusals?: RefusalRules
  readonly restore?: RestoreRules<Notes>
  readonly messages?: KindMessages
  /** The `notes` of a row that is planned again or edited. Throws 422 for an input that conflicts with what was sent. */
  readonly notesForRetry?: (row: RowRecord, corrected: NewRow | undefined) => Partial<Notes> | null
  /** Called when a row may have ended. Never rejects. */
  readonly onResolved?: (context: JobContext, row: number) => Promise<void>
  readonly audit?: {
    readonly on?: (row: RowRecord) => AuditEntry["on"]
    /** The amounts of a row, also for the entry of a decision. */
    readonly amounts?: (row: RowRecord) => readonly AuditChange[]
    readonly changes?: (row: RowRecord) => readonly AuditChange[]
  }
  /** The input of the row that restores the values from before this one; undefined if it changed nothing. */
  readonly undo?: (row: RowRecord) => RowRecord["input"] | undefined
  /** What a row shows besides what every row does. */
  readonly view?: (row: RowRecord) => Pick<JobRow, "conflict" | "taken_by">
  /** The response may carry a digital code that the service shows only once. */
  readonly showsCode?: boolean
}

/** The outcome of a second effect that appeared after a resend. */
export const twiceCodeOf = ({ messages }: KindRules): RowOutcomeCode => messages?.twice ?? "awarded_twice"

/** `endedHow` of a row confirmed by its own response. Only such a row can be a canary. */
export const endedWithResponse = "answered"

/** `endedHow` after a 2xx that does not prove this row: it is looked up. */
export const unnamedSuccess = "a success that doesn’t name this row"

const longestId = 200

/** Whether an id from a service can be stored and used in a path. */
export function isUsableId(id: string): boolean {
  return id !== "" && id.length <= longestId && isStorable(id)
}

/** The row's `notes` merged with `more`; empty when there is nothing to merge. */
export function withNotes(
  { notes }: Pick<RowRecord, "notes">,
  more: RowRecord["notes"] | undefined,
): Partial<Pick<RowRecord, "notes">> {
  return more === undefined || more === null ? {} : { notes: { ...notes, ...more } }
}

/** Facts of a lookup after a restore, valid until the row is sent again; the store's clock. */
export function restoredFacts(row: Pick<RowRecord, "notes" | "attempts">): RestoredFacts | undefined {
  const { restored } = notesOf(row)
  return restored?.attempts === row.attempts ? restored : undefined
}

/** The restore facts of a row that this store has never sent. */
export function neverSentHere(row: Pick<RowRecord, "notes" | "attempts">): RestoredFacts | undefined {
  return row.attempts === 0 ? restoredFacts(row) : undefined
}

/**
 * Whether a row may be resent only once its sending instance is proven dead. If repeats are detected or the record is
 * compared before each change, an expired lease is enough.
 */
export function needsProofOfEnd({ resendSafety }: KindRules): boolean {
  return resendSafety === undefined
}

/** By mode and input alone; a row that must be sent alone (`sendAlone`) can be accepted too. */
export function isSentInBulk({ job, rules }: Pick<JobContext, "job" | "rules">, row: RowRecord): boolean {
  return rules.bulk?.accepts(job, row) === true
}

/** Whether the row must be tagged before it is sent or looked up; a row without an ordinal has no tag yet. */
export function lacksTag({ rules }: Pick<JobContext, "rules">, { ordinal }: RowRecord): boolean {
  return rules.absence === "canary" && ordinal === null
}

/** How long before the first send a lookup starts, in ms, for clock differences. */
const lookupMarginMs = 900_000
/** Largest assumed error of the service's clock while its offset is unknown, in ms. */
const unknownClockMs = 93_600_000

/** Reads from 15 minutes before the first send. Throws AppError on failure. */
export function lookUp(context: JobContext, row: RowRecord): Promise<Lookup> {
  return context.rules.lookup(context, row, lookupFrom(context, row))
}

/** The earliest possible time of a row's effect on the service's clock, with its largest error while unknown. */
export function earliestEffect(context: JobContext, row: RowRecord): number {
  return lookupFrom(context, row) ?? (row.firstSentAt ?? 0) - unknownClockMs
}

/** Undefined while the service's clock is unknown: then everything is read. */
function lookupFrom({ job, time }: JobContext, row: RowRecord): number | undefined {
  // A row that this store never sent was sent after its job was created.
  const made = neverSentHere(row)?.made
  const since = row.firstSentAt ?? made
  if (since === undefined) return undefined
  const at = time.toServiceTime(jobApi({ job }), since)
  if (at !== undefined) return at - lookupMarginMs
  return made === undefined ? undefined : made - unknownClockMs
}

/** The effects that no other row has claimed. */
export async function filterUnclaimed(
  { rules, store }: JobContext,
  row: RowRecord,
  found: readonly FoundEffect[],
) {
  const scope = rules.claims?.effects
  if (found.length === 0 || scope === undefined) return found
  const ids = found.map(({ upstreamId }) => upstreamId)
  const claims = await store.jobs.claims(scope, ids)
  return found.filter(({ upstreamId }) => !isOwnedByAnotherRow(claims.get(upstreamId), row))
}

/** The row's own effects among the found ones, also with another amount, that no other row has claimed. */
export async function ownUnclaimed(context: JobContext, row: RowRecord, found: readonly FoundEffect[]) {
  const own = found.filter(({ tagged, otherAmount }) => tagged || otherAmount === true)
  return filterUnclaimed(context, row, own)
}

/** Caches the response of a single row, or else invalidates what the rows changed, and publishes the events. */
export function notifyConfirmed(
  context: JobContext,
  rows: readonly RowRecord[],
  response?: { readonly data: unknown; readonly requestedAt: number },
): void {
  const { events, job, reads, rules } = context
  // A person waits for the row of a form.
  if (job.lane === "people") events.publish({ topic: "job", id: job.id })
  else context.jobChanged(job.id)
  const [row] = rows
  const event = response && row && rules.cache.response?.(context, row, response.data, response.requestedAt)
  if (event !== undefined) return context.announce(event)
  for (const row of rows) reads.invalidate(rules.cache.invalidates(row))
  context.sync?.ledgers.written(rows.flatMap(({ memberId }) => memberId ?? []))
  // One event per topic, not one per row.
  const [only] = rows
  if (rows.length === 1 && only?.memberId) events.publish({ topic: "member", id: only.memberId })
  if (rows.length === 0) return
  for (const topic of rules.cache.topics) {
    if (job.lane === "people") events.publish({ topic, id: "all" })
    // Each event makes open lists refetch, which costs budget.
    else context.notifyLater(topic)
  }
}
