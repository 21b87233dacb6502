import * as z from "zod/mini"
import type { AuditChange, AuditEntry } from "../../contract/audit.ts"
import type { CardTemplates } from "../../contract/cards.ts"
import { isStorable } from "../../contract/program/common.ts"
import type { RowOutcomeCode } from "../../contract/row-outcomes.ts"
import { exactText } from "../../contract/typed-text.ts"
import type { JobKind } from "../../contract/job.ts"
import type { Api } from "../../contract/response.ts"
import type { AppEvent } from "../../contract/status.ts"
import type { ActContext } from "../audit-log.ts"
import { invalid } from "../errors.ts"
import type { EngineContext } from "./engine-context.ts"
import type { Claim, JobRecord, NewRow, RowRecord } from "./job-store.ts"
import { isOwnedByAnotherRow } from "./records.ts"

/** The engine's context for one job: the job as it was read, and the rules of its kind. */
export interface JobContext extends EngineContext {
  readonly job: JobRecord
  readonly rules: KindRules
}

/** The context of a job whose reads are a person's own, whoever's job it is. */
export function asPerson(context: JobContext, { user }: ActContext): JobContext {
  return { ...context, job: { ...context.job, lane: "people", createdBy: user } }
}

/** The request that carries a row, or several in bulk, out. */
export interface RowRequest {
  readonly operation: string
  readonly api: Api
  readonly method: "POST" | "PATCH"
  readonly path: string
  readonly body: unknown
}

export function postRequest(api: Api, path: string, body: unknown): RowRequest {
  return { operation: `POST ${path}`, api, method: "POST", path, body }
}

/** The effect that a response names as this row's. */
export interface NamedEffect {
  readonly upstreamId: string
  readonly balanceAfter: number | null
  /** What else of the response is kept with the row, without secrets. */
  readonly work?: RowRecord["work"]
}

/** Something in the service's records that could be a row's effect. */
export interface FoundEffect {
  readonly upstreamId: string
  /** ms since 1970, the service's clock; undefined when it does not say. */
  readonly createdAt?: number | undefined
  readonly points?: number | null | undefined
  readonly text?: string | null | undefined
  readonly reference?: string | null | undefined
  /** It carries the row's correlation tag and amount: nothing but this row can have made it. */
  readonly tagged: boolean
  readonly otherAmount?: boolean
  readonly not?: "kind" | "amount" | undefined
  readonly outcome?: RowRecord["outcome"]
  readonly work?: RowRecord["work"]
}

/** What is said of a row that came to an end. */
export type Outcome = NonNullable<RowRecord["outcome"]>

/** What the service's records show about a row. */
export type Lookup =
  | {
      readonly kind: "read"
      readonly found: readonly FoundEffect[]
      /** Every row was seen; otherwise the lookup can find something, but never prove that it is not there. */
      readonly complete: boolean
      /** What it shows can never become this row's: it goes to a person at once. */
      readonly person?: Outcome & Pick<NamedEffect, "work">
      /** It was somebody else's doing before: the row fails. */
      readonly refused?: Outcome
    }
  /** The record it is about does not exist, so nothing can have been done to it. */
  | { readonly kind: "no_record" }
  /** Somebody else changed it (`changed_there`), unless `code` says otherwise. */
  | { readonly kind: "changed"; readonly code?: RowOutcomeCode; readonly work?: RowRecord["work"] }

/** What a read right before sending shows. `work` is kept with the intent, or beside the outcome. */
export type Precheck =
  | { readonly kind: "go"; readonly work?: RowRecord["work"] }
  | { readonly kind: "done"; readonly done: NamedEffect }
  | ({ readonly kind: "failed" | "conflict"; readonly outcome: Outcome } & Pick<NamedEffect, "work">)

/** What proves that nothing was done: nothing found after settling, or besides later effects of ours found. */
export type AbsenceProof = "settled" | "control"

export interface RowDefaults {
  /** Whether a service gave this id: then it stays as it is, whatever characters it has. Absent: it gave none. */
  readonly isRecordId?: (id: string) => boolean
  readonly cardId?: string
  readonly templates?: CardTemplates["templates"]
}

/** The id of a row: as a service gave it, otherwise as a person typed it. Throws 422 when nothing is left of it. */
export function typedId(id: string, field: string, { isRecordId }: RowDefaults): string {
  if (exactText(id) === id || isRecordId?.(id) === true) return id
  const exact = exactText(id).trim()
  if (exact === "") throw invalid(422, [{ field, message: "This id has no visible character." }])
  return exact
}

/** How several rows travel in one request, each member at most once, because its response names successes by member. */
interface BulkRules {
  readonly takes: (job: Pick<JobRecord, "mode">, row: Pick<RowRecord, "input">) => boolean
  readonly item: (job: JobRecord, row: RowRecord) => unknown
  readonly request: (job: JobRecord, rows: readonly RowRecord[]) => RowRequest
  /** Ids of effects by member; one that is named twice names nobody. Undefined for a response of another shape. */
  readonly readResponse: (data: unknown) => ReadonlyMap<string, string> | undefined
}

/** One kind of job: what its rows are, how one is sent, read and found again. */
export interface KindRules {
  readonly kind: JobKind
  readonly api: Api
  readonly defaults?: (context: EngineContext) => Promise<RowDefaults>
  /** Checks a row as it was asked and names what the store keeps of it; throws 422. What it leaves out is null. */
  readonly newRow: (input: unknown, defaults: RowDefaults) => Pick<NewRow, "input"> & Partial<NewRow>
  /**
   * Makes planned rows ready to be sent. Called again after a crash: what is done already is left alone. Throws
   * AppError when the service or the store fails, or the reason of the context's signal.
   */
  readonly prepare?: (context: JobContext) => Promise<void>
  /**
   * What a row keeps when it is planned again or edited. Throws 422 for an input that must not be sent after what was.
   */
  readonly workForRetry?: (row: RowRecord, corrected: NewRow | undefined) => RowRecord["work"]
  /** Reads right before sending; throws AppError when it cannot: the row stays planned. */
  readonly precheck?: (context: JobContext, row: RowRecord) => Promise<Precheck>
  readonly request: (job: JobRecord, row: RowRecord) => RowRequest
  /** Reads the `data` of a success; undefined when it does not name this row's effect. */
  readonly readResponse: (
    data: unknown,
    row: RowRecord,
    sent: RowRequest,
    response: { readonly status: number; readonly body: unknown },
  ) => NamedEffect | undefined
  readonly bulk?: BulkRules
  /** Under which scope the id of an effect is claimed; undefined where several rows may change the same record. */
  readonly claimScope: string | undefined
  /** Held from preparation until the row ends, so that no other row does the same at the same time. */
  readonly claimUntilEnd?: (row: Pick<RowRecord, "email">) => Claim | undefined
  /** Held while the row is sent or unknown: the next row that wants it waits. */
  readonly claimWhileSent?: (row: RowRecord) => Claim | undefined
  /** The service knows a repeat of the identical request: a row goes out again instead of being looked up. */
  readonly idempotent?: boolean
  /** What the service has is compared right before sending, so that to send it again changes nothing. */
  readonly comparedBeforeSending?: boolean
  /** Its preparation only reads, so it is done while a job is held too. */
  readonly preparesWhileHeld?: boolean
  /** What a row keeps so that it can be looked up although this store has never sent it. */
  readonly workForRestore?: (job: JobRecord, row: RowRecord, since: number) => RowRecord["work"]
  /** Refusals that mean an earlier identical request is still being carried out. */
  readonly isInProgress?: (code: string) => boolean
  /** Refusals that say nothing about this row's own effect: they are looked up even after a first attempt. */
  readonly isInconclusive?: (code: string) => boolean
  /** Fresh, `from` a time on the service's clock (undefined: everything); throws AppError when it cannot be read. */
  readonly lookup: (context: JobContext, row: RowRecord, from: number | undefined) => Promise<Lookup>
  /** Called when a row may have come to its end. Never rejects. */
  readonly onResolved?: (context: JobContext, row: number) => Promise<void>
  readonly absence: AbsenceProof
  /**
   * How a row's effects carry its tag: effects of one form appear in the history alike, and are each other's controls.
   */
  readonly tags?: {
    readonly forms: readonly string[]
    readonly formOf: (job: Pick<JobRecord, "mode">, row: Pick<RowRecord, "input">) => string
  }
  /** How often a proven absence is sent again by itself. */
  readonly resends: number
  /** Said of a row that was proven not done and is left to a person; otherwise `left_to_person`. */
  readonly absentCode?: RowOutcomeCode
  /** Said when the record a row is about is not there; otherwise `not_found_there`. */
  readonly missingCode?: RowOutcomeCode
  /** Said when lookups never came to an end; otherwise `history_lagging`. */
  readonly unsureCode?: RowOutcomeCode
  /** Said when a further effect of a row appears after it was sent again; otherwise `awarded_twice`. */
  readonly twiceCode?: RowOutcomeCode
  readonly reversedBy?: JobKind
  readonly audit?: {
    readonly on?: (row: RowRecord) => AuditEntry["on"]
    /** How much of what, for a decision about the row too. */
    readonly amounts?: (row: RowRecord) => readonly AuditChange[]
    readonly changes?: (row: RowRecord) => readonly AuditChange[]
  }
  /** Its response may carry a digital code that the service shows only then. */
  readonly showsCode?: boolean
  /**
   * Caches the record that a row's response is, sent at `askedAt` (monotonic ms), and says what others hear of it;
   * without one, `invalidates` says which responses are old.
   */
  readonly cacheResponse?: (
    context: JobContext,
    row: RowRecord,
    data: unknown,
    askedAt: number,
  ) => AppEvent | undefined
  readonly topics: readonly ("members" | "orders")[]
  readonly invalidates: (row: RowRecord) => Parameters<EngineContext["reads"]["invalidate"]>[0]
}

/** How a call ended whose own response confirmed the row. Only such a row can be a control. */
export const endedWithResponse = "answered"

export const unnamedSuccess = "a success that doesn’t name this row"

const longestId = 200

/** Whether an id that a service gave can be kept and read again. */
export function isUsableId(id: string): boolean {
  return id !== "" && id.length <= longestId && isStorable(id)
}

/** A row's work with more beside it; nothing to set where there is no more. */
export function withWork(
  { work }: Pick<RowRecord, "work">,
  more: RowRecord["work"] | undefined,
): Partial<Pick<RowRecord, "work">> {
  return more === undefined || more === null ? {} : { work: { ...work, ...more } }
}

const restoredWork = z.object({
  /** When the restore was found: whatever was sent for the row was sent before. */
  at: z.number(),
  /** When the restored store was last known to be complete: whatever it does not know of came later. */
  since: z.number(),
  made: z.number(),
  /** The row's attempts then: a later attempt is settled like any other. */
  attempts: z.number(),
  /** Only a sample: something that could be somebody else's doing says nothing. */
  sample: z.boolean(),
})
export type RestoredFacts = Readonly<z.output<typeof restoredWork>>

/** Of a row that is looked up because the store was restored, until its next sending; the store's clock. */
export function restoredFacts(row: Pick<RowRecord, "work" | "attempts">): RestoredFacts | undefined {
  const kept = row.work?.["restored"]
  const facts = kept === undefined ? undefined : restoredWork.safeParse(kept).data
  return facts?.attempts === row.attempts ? facts : undefined
}

/** The same of a row that this store has never sent. */
export function neverSentHere(row: Pick<RowRecord, "work" | "attempts">): RestoredFacts | undefined {
  return row.attempts === 0 ? restoredFacts(row) : undefined
}

/**
 * Whether the end of the instance that sent a row has to be proven before the row may go again. Where a repeat is
 * recognised by the service or by us, the end of its lease is enough.
 */
export function needsProofOfEnd({ idempotent, comparedBeforeSending }: KindRules): boolean {
  return idempotent !== true && comparedBeforeSending !== true
}

export function isSentInBulk({ job, rules }: Pick<JobContext, "job" | "rules">, row: RowRecord): boolean {
  return rules.bulk?.takes(job, row) === true
}

/** Further back than the first sending, in ms: clocks are never quite the same. */
const lookupMarginMs = 900_000
/** How far the service's clock is wrong at most while it is not known, in ms. */
const unknownClockMs = 93_600_000

/** From a quarter of an hour before the first sending; throws AppError when it cannot be read now. */
export function lookUp(context: JobContext, row: RowRecord): Promise<Lookup> {
  return context.rules.lookup(context, row, lookupFrom(context, row))
}

/** The earliest that an effect of a row can be, by the service's clock, however wrong that is while it is not known. */
export function earliestEffect(context: JobContext, row: RowRecord): number {
  return lookupFrom(context, row) ?? (row.firstSentAt ?? 0) - unknownClockMs
}

/** Undefined while the service has not said its time: then everything is read. */
function lookupFrom({ rules, time }: JobContext, row: RowRecord): number | undefined {
  // A row that this store has never sent can only have been sent after its job was made.
  const made = neverSentHere(row)?.made
  const since = row.firstSentAt ?? made
  if (since === undefined) return undefined
  const at = time.toServiceTime(rules.api, since)
  if (at !== undefined) return at - lookupMarginMs
  return made === undefined ? undefined : made - unknownClockMs
}

/** Those of the effects that are no other row's. */
export async function notClaimedByOthers(
  { rules, store }: JobContext,
  row: RowRecord,
  found: readonly FoundEffect[],
) {
  const scope = rules.claimScope
  if (found.length === 0 || scope === undefined) return found
  const ids = found.map(({ upstreamId }) => upstreamId)
  const claims = await store.jobs.claims(scope, ids)
  return found.filter(({ upstreamId }) => !isOwnedByAnotherRow(claims.get(upstreamId), row))
}

/** Takes the response of the one row that has one, else invalidates what rows changed, and notifies whoever is looking. */
export function notifyConfirmed(
  context: JobContext,
  rows: readonly RowRecord[],
  response?: { readonly data: unknown; readonly askedAt: number },
): void {
  const { events, job, reads, rules } = context
  // A person waits for the row of a form.
  if (job.lane === "people") events.publish({ topic: "job", id: job.id })
  else context.jobChanged(job.id)
  const [row] = rows
  const taken = response && row && rules.cacheResponse?.(context, row, response.data, response.askedAt)
  if (taken !== undefined) return context.announce(taken)
  for (const row of rows) reads.invalidate(rules.invalidates(row))
  // One hint for many: a list of thousands must not become thousands of events.
  const [only] = rows
  if (rows.length === 1 && only?.memberId) events.publish({ topic: "member", id: only.memberId })
  if (rows.length === 0) return
  for (const topic of rules.topics) {
    if (job.lane === "people") events.publish({ topic, id: "all" })
    // Whoever looks at a list reads it again with each hint: a long job must not spend the budget on that.
    else context.notifyLater(topic)
  }
}
