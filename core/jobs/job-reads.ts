import type { ResponseMeta } from "../../contract/response.ts"
import { parseResponse, planById, type ReadPlan } from "../gateway/upstream-read.ts"
import { foundNoPermit, type Requester } from "../gateway/caller.ts"
import type { Api } from "../../contract/status.ts"
import type { JobContext } from "./job-context.ts"
import { type FoundEffect, type KindRules, type Lookup, neverSentHere } from "./job-kind.ts"
import type { JobRecord, RowRecord } from "./job-store.ts"
import type { UpstreamOutcome } from "../ports.ts"

/** In which lane a read of the engine goes, and for whom. */
export interface JobRequester {
  readonly lane: "people" | "jobs"
  readonly person: Requester
}

/** What a fresh read showed. */
export interface ReadNow {
  readonly data: unknown
  readonly meta: ResponseMeta | undefined
}

/** Before a read is made once more, ms; twice as long each time. */
const againMs = 100

/** How long one wait for a place may last, in ms. Background work then waits again. */
const placeWaitMs = { people: 20_000, jobs: 300_000 }

/**
 * Reads from the service now, past every copy, and tells the clocks its time. What ended without an answer or with
 * the service's own fault is asked once more.
 * @throws AppError for everything that is not a usable answer; the signal's reason
 */
export async function readNow(
  context: JobContext,
  asker: JobRequester,
  plan: ReadPlan,
  signal?: AbortSignal,
): Promise<ReadNow> {
  let asked = await ask(context, asker, plan, signal)
  // Background work has time: what a long reading has seen so far is not thrown away for one page.
  const tries = asker.lane === "jobs" ? 5 : 2
  for (let tried = 1; tried < tries && mayPass(asked.outcome); tried += 1) {
    if (tried > 1) await context.clock.sleep(againMs * 2 ** tried, signal ?? context.signal)
    asked = await ask(context, asker, plan, signal)
  }
  const { response, drift } = parseResponse(plan, asked.outcome, asked, "money")
  context.drift.add(plan.operation.api, plan.operation.id, drift)
  return response
}

async function ask(context: JobContext, asker: JobRequester, plan: ReadPlan, given: AbortSignal | undefined) {
  const { caller, clock, time } = context
  const signal = given ?? context.signal
  for (;;) {
    try {
      const askedAt = clock.monotonic()
      const outcome = await caller.send({
        ...asker,
        operation: plan.operation.id,
        api: plan.operation.api,
        method: "GET",
        path: plan.path,
        query: plan.query,
        deadline: askedAt + placeWaitMs[asker.lane],
        signal,
      })
      time.noteServiceTime(plan.operation.api, outcome.kind === "answer" ? outcome.serviceTime : undefined)
      return { outcome, askedAt, answeredAt: clock.monotonic() }
    } catch (error) {
      const waitsOn = asker.lane === "jobs" && foundNoPermit(error)
      if (!waitsOn) throw error
    }
  }
}

function mayPass(outcome: UpstreamOutcome): boolean {
  if (outcome.kind === "no_answer" || outcome.kind === "not_sent") return true
  return outcome.kind === "unreadable" || outcome.status >= 500
}

/** Rows of every page of a list, as one reading saw them. */
export interface WholeList<T> {
  readonly rows: readonly T[]
  /** The service said how many there are, and so many were seen. */
  readonly complete: boolean
  /** It never stood still long enough to be read from its beginning to its end. */
  readonly moved: boolean
}

/** A list that moves under the reader is begun again so often. */
const mostStarts = 5
/** More pages than this are no history of one member. */
const mostPages = 2000

/**
 * Reads a paged list to its end: pages are read until as many rows were seen as the list has. When the total moves
 * meanwhile, rows may have slipped from one page to another, so the reading begins again.
 * @throws AppError; the signal's reason
 */
export async function readWhole<T>(
  context: JobContext,
  asker: JobRequester,
  list: {
    readonly operation: string
    readonly params: Readonly<Record<string, string>>
    readonly query: Readonly<Record<string, unknown>>
    readonly perPage: number
    readonly rowsOf: (data: unknown) => readonly T[]
    readonly idOf: (row: T) => string
  },
  signal?: AbortSignal,
): Promise<WholeList<T>> {
  for (let start = 1; start <= mostStarts; start += 1) {
    const seen = new Map<string, T>()
    let total: number | undefined
    let moved = false
    for (let page = 1; page <= mostPages; page += 1) {
      const plan = planById(list.operation, list.params, { ...list.query, page, per_page: list.perPage })
      const { data, meta } = await readNow(context, asker, plan, signal)
      const rows = list.rowsOf(data)
      for (const row of rows) seen.set(list.idOf(row), row)
      moved ||= page > 1 && meta?.total !== total
      total = meta?.total
      if (moved) break
      const last = total === undefined ? rows.length < list.perPage : page * list.perPage >= total
      if (last || rows.length === 0) break
    }
    if (!moved)
      return { rows: [...seen.values()], complete: total !== undefined && seen.size >= total, moved }
  }
  return { rows: [], complete: false, moved: true }
}

/** Further back than the first sending, in ms: clocks are never quite the same. */
const lookupMarginMs = 900_000
/** While the service's clock is not known yet, it is taken to be wrong by no more than this, in ms. */
const unknownClockMs = 93_600_000

/**
 * Looks for a row's effect in the service's records, from its first sending on the service's own clock less a quarter of
 * an hour.
 * @throws AppError when it cannot be read now
 */
export function lookUp(
  context: JobContext,
  rules: KindRules,
  job: JobRecord,
  row: RowRecord,
): Promise<Lookup> {
  return rules.lookup(context, job, row, lookupFrom(context, rules.api, row))
}

/** Undefined while the service has not said its time: then everything is read. */
function lookupFrom({ time }: JobContext, api: Api, row: RowRecord): number | undefined {
  // A row that this store has never sent can only have been sent after its job was made.
  const made = neverSentHere(row)?.made
  const since = row.firstSentAt ?? made
  if (since === undefined) return undefined
  const at = time.toServiceTime(api, since)
  if (at !== undefined) return at - lookupMarginMs
  return made === undefined ? undefined : made - unknownClockMs
}

/** Those of the effects that are no other row's. */
export async function unclaimed(
  context: JobContext,
  rules: KindRules,
  row: RowRecord,
  found: readonly FoundEffect[],
): Promise<readonly FoundEffect[]> {
  const scope = rules.claimScope
  if (found.length === 0 || scope === undefined) return found
  const ids = found.map(({ upstreamId }) => upstreamId)
  const claims = await context.store.jobs.claims(scope, ids)
  return found.filter(({ upstreamId }) => {
    const owner = claims.get(upstreamId)
    return owner === undefined || (owner.job === row.jobId && owner.row === row.row)
  })
}
