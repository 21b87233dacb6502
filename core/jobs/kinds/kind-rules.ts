import type { JobKind } from "../../../contract/job.ts"
import type { JobContext } from "../job-context.ts"
import {
  type FoundEffect,
  type KindRules,
  type Lookup,
  neverSentHere,
  type RowDefaults,
} from "../job-kind.ts"
import type { JobRecord, NewRow, RowRecord } from "../job-store.ts"
import { blankRow } from "../record-schemas.ts"
import { isOthers } from "../records.ts"
import { giftcard } from "./giftcard.ts"
import { memberCreate } from "./member-create.ts"
import { orderUpdate } from "./order-update.ts"
import { award, deduct } from "./points.ts"
import { redeem } from "./redeem.ts"

/** What each kind of job is. A new kind is a line here and a file beside it. */
export const kindRules: Readonly<Record<JobKind, KindRules>> = {
  award,
  deduct,
  "member-create": memberCreate,
  redeem,
  "order-update": orderUpdate,
  giftcard,
}

/** What the store keeps of a row as it was asked; throws 422. */
export function newRow(kind: JobKind, input: unknown, defaults: RowDefaults): NewRow {
  return { ...blankRow, ...kindRules[kind].newRow(input, defaults) }
}

export async function defaultsOf(context: JobContext, kind: JobKind): Promise<RowDefaults> {
  return (await kindRules[kind].defaults?.(context)) ?? {}
}

export function goesInBulk(job: Pick<JobRecord, "kind" | "mode">, row: Pick<RowRecord, "input">): boolean {
  return kindRules[job.kind].bulk?.takes(job, row) === true
}

/** Further back than the first sending, in ms: clocks are never quite the same. */
const lookupMarginMs = 900_000
/** While the service's clock is not known yet, it is taken to be wrong by no more than this, in ms. */
const unknownClockMs = 93_600_000

/**
 * Looks for a row's effect in the service's records, from its first sending on the service's own clock less a quarter of
 * an hour; throws AppError when it cannot be read now.
 */
export function lookUp(context: JobContext, job: JobRecord, row: RowRecord): Promise<Lookup> {
  return kindRules[job.kind].lookup(context, job, row, lookupFrom(context, job, row))
}

/** Undefined while the service has not said its time: then everything is read. */
function lookupFrom({ time }: JobContext, { kind }: JobRecord, row: RowRecord): number | undefined {
  // A row that this store has never sent can only have been sent after its job was made.
  const made = neverSentHere(row)?.made
  const since = row.firstSentAt ?? made
  if (since === undefined) return undefined
  const at = time.toServiceTime(kindRules[kind].api, since)
  if (at !== undefined) return at - lookupMarginMs
  return made === undefined ? undefined : made - unknownClockMs
}

/** Those of the effects that are no other row's. */
export async function unclaimed(
  { store }: JobContext,
  { kind }: JobRecord,
  row: RowRecord,
  found: readonly FoundEffect[],
): Promise<readonly FoundEffect[]> {
  const scope = kindRules[kind].claimScope
  if (found.length === 0 || scope === undefined) return found
  const ids = found.map(({ upstreamId }) => upstreamId)
  const claims = await store.jobs.claims(scope, ids)
  return found.filter(({ upstreamId }) => !isOthers(claims.get(upstreamId), row))
}
