import { limits } from "../../contract/limits.ts"
import { memberListReader, type Member } from "../../contract/program/member.ts"
import { orderListReader, type Order } from "../../contract/program/order.ts"
import {
  balanceReader,
  transactionListReader,
  type Balance,
  type Transaction,
} from "../../contract/program/points.ts"
import type { ResponseMeta } from "../../contract/response.ts"
import type { Api } from "../../contract/status.ts"
import { AppError, invalid } from "../errors.ts"
import { foundNoPermit, type Requester } from "../gateway/caller.ts"
import { unreadable } from "../gateway/outcome.ts"
import { parseResponse, planById, type ReadPlan } from "../gateway/upstream-read.ts"
import { encodeId } from "../match.ts"
import type { UpstreamOutcome } from "../ports.ts"
import type { JobContext } from "./job-context.ts"
import { type FoundEffect, type KindRules, type Lookup, neverSentHere } from "./job-kind.ts"
import type { JobRecord, RowRecord } from "./job-store.ts"

// What the engine reads from the services: always fresh, past every cached response, and with their time noted.

/** In which lane a read goes, and for whom. */
export interface JobRequester {
  readonly lane: "people" | "jobs"
  readonly person: Requester
}

interface ReadNow {
  readonly data: unknown
  readonly meta: ResponseMeta | undefined
}

/** Before a read is made once more, ms; twice as long each time. */
const againMs = 100

/** How long one wait for a permit may last, in ms. Background work then waits again. */
const permitWaitMs = { people: 20_000, jobs: 300_000 }

/**
 * Reads from the service now. What ended without a response or with the service's own fault is requested again.
 * @throws AppError for everything that is not a usable response; the signal's reason
 */
export async function readNow(
  context: JobContext,
  requester: JobRequester,
  plan: ReadPlan,
  signal?: AbortSignal,
): Promise<ReadNow> {
  let read = await requestOnce(context, requester, plan, signal)
  // Background work has time: what a long reading has seen so far is not thrown away for one page.
  const tries = requester.lane === "jobs" ? 5 : 2
  for (let tried = 1; tried < tries && mayPass(read.outcome); tried += 1) {
    if (tried > 1) await context.clock.sleep(againMs * 2 ** tried, signal ?? context.signal)
    read = await requestOnce(context, requester, plan, signal)
  }
  const { response, drift } = parseResponse(plan, read.outcome, read, "money")
  context.drift.add(plan.operation.api, plan.operation.id, drift)
  return response
}

async function requestOnce(
  context: JobContext,
  requester: JobRequester,
  plan: ReadPlan,
  given: AbortSignal | undefined,
) {
  const { caller, clock, time } = context
  const signal = given ?? context.signal
  for (;;) {
    try {
      const askedAt = clock.monotonic()
      const outcome = await caller.send({
        ...requester,
        operation: plan.operation.id,
        api: plan.operation.api,
        method: "GET",
        path: plan.path,
        query: plan.query,
        deadline: askedAt + permitWaitMs[requester.lane],
        signal,
      })
      time.noteServiceTime(plan.operation.api, outcome.kind === "answer" ? outcome.serviceTime : undefined)
      return { outcome, askedAt, answeredAt: clock.monotonic() }
    } catch (error) {
      if (requester.lane !== "jobs" || !foundNoPermit(error)) throw error
    }
  }
}

function mayPass(outcome: UpstreamOutcome): boolean {
  if (outcome.kind === "no_answer" || outcome.kind === "not_sent") return true
  return outcome.kind === "unreadable" || outcome.status >= 500
}

interface WholeList<T> {
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
async function readWhole<T>(
  context: JobContext,
  requester: JobRequester,
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
      const { data, meta } = await readNow(context, requester, plan, signal)
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

/** The services send times to the second, so two clocks are compared with this much tolerance, in ms. */
export const clockSlackMs = 2000

/**
 * Reads a member's ledger from a time on (ms since 1970, the service's clock; undefined: everything). Types are not
 * filtered: a deduction may appear as `deduct` or `adjust`.
 */
export function readLedger(
  context: JobContext,
  requester: JobRequester,
  member_id: string,
  from: number | undefined,
) {
  return readWhole<Transaction>(context, requester, {
    operation: "GET /members/{member_id}/transactions",
    params: { member_id },
    query: from === undefined ? {} : { from: new Date(from).toISOString() },
    perPage: limits.perPage.max,
    rowsOf: (data) => transactionListReader.tolerant.parse(data),
    idOf: (row) => row.transaction_id,
  })
}

/** A member's balance now. */
export async function readBalance(
  context: JobContext,
  requester: JobRequester,
  member_id: string,
  signal?: AbortSignal,
): Promise<Balance> {
  const plan = planById("GET /members/{member_id}/balance", { member_id })
  return balanceReader.tolerant.parse((await readNow(context, requester, plan, signal)).data)
}

/** More pages than this are not the orders of one member. */
const mostOrderPages = 200

/** Every order of a member: pages are read until a short one, because the service gives no total. */
export async function readMemberOrders(
  context: JobContext,
  requester: JobRequester,
  member_id: string,
): Promise<Order[]> {
  const found = new Map<string, Order>()
  for (let page = 1; page <= mostOrderPages; page += 1) {
    const plan = planById("GET /orders", {}, { member_id, page, per_page: limits.perPage.max })
    const rows = orderListReader.tolerant.parse((await readNow(context, requester, plan)).data)
    for (const row of rows) found.set(row.order_id, row)
    if (rows.length < limits.perPage.max) break
  }
  return [...found.values()]
}

/** Reads the member list to its end. */
export function readMembers(
  context: JobContext,
  requester: JobRequester,
  query: Readonly<Record<string, string>>,
  signal?: AbortSignal,
) {
  return readWhole<Member>(
    context,
    requester,
    {
      operation: "GET /members",
      params: {},
      query,
      perPage: limits.perPage.max,
      rowsOf: (data) => memberListReader.tolerant.parse(data),
      idOf: (row) => row.id,
    },
    signal,
  )
}

/** Up to this many e-mails are searched one by one without first reading how many members there are. */
const fewEmails = 3
/** Searches that run at the same time. */
const searchesAtOnce = 6

/** Members by e-mail in lower case: those who have exactly it. */
export type MembersByEmail = ReadonlyMap<string, readonly Member[]>

/**
 * Finds the members with exactly these e-mails, upper and lower case alike: by one search each, or by reading every
 * member, whichever takes fewer requests.
 * @param emails in lower case, each once
 * @param onFound called after each search; after reading every member once for all
 * @throws AppError; the signal's reason
 */
export async function findMembers(
  context: JobContext,
  requester: JobRequester,
  emails: readonly string[],
  onFound: (some: MembersByEmail) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  if (emails.length > fewEmails) {
    const plan = planById("GET /members", {}, { page: 1, per_page: limits.perPage.max })
    const { meta } = await readNow(context, requester, plan, signal)
    const pages = Math.ceil((meta?.total ?? Number.POSITIVE_INFINITY) / limits.perPage.max)
    if (pages < emails.length) {
      const { rows, complete } = await readMembers(context, requester, {}, signal)
      if (complete) {
        await onFound(byEmail(rows, emails))
        return
      }
    }
  }
  const left = [...emails]
  const search = async () => {
    for (let email = left.shift(); email !== undefined; email = left.shift()) {
      signal.throwIfAborted()
      const { rows, moved } = await readMembers(context, requester, { search: email }, signal)
      // A member who was not seen may exist all the same.
      if (moved) throw unreadable("program", 200, "its search for an e-mail has no end")
      await onFound(byEmail(rows, [email]))
    }
  }
  await Promise.all(Array.from({ length: Math.min(searchesAtOnce, emails.length) }, search))
}

function byEmail(members: readonly Member[], emails: readonly string[]): MembersByEmail {
  const found = new Map<string, Member[]>(emails.map((email) => [email, []]))
  for (const member of members) found.get(emailOf(member) ?? "")?.push(member)
  return found
}

/** A member's e-mail as it is compared. */
export function emailOf({ email }: Member): string | undefined {
  return email?.trim().toLowerCase()
}

/** A member as people call them. */
export function memberLabel({ first_name, last_name, email }: Member): string | null {
  return [first_name, last_name].filter(Boolean).join(" ") || (email ?? null)
}

/** Refusals of a key or a rate, and time-outs: they pass, or stop the whole job. */
const passing: ReadonlySet<number> = new Set([401, 403, 408, 429])

/**
 * The outcome of a row whose record the service does not give: reading again would end the same. Undefined for
 * failures that pass.
 * @param missing the outcome of a record that does not exist
 */
export function refusedRead(
  error: unknown,
  missing: { readonly code: string; readonly message: string },
): { readonly code: string; readonly message: string } | undefined {
  if (!(error instanceof AppError)) return undefined
  if (error.code === "not_found") return missing
  const { upstream_status: status = 500, upstream_code: code } = error.details ?? {}
  if (error.code !== "refused_by_service" || status >= 500 || passing.has(status)) return undefined
  return { code: code ?? "refused_by_service", message: error.message }
}

/**
 * Checks that a path of the service can name this record.
 * @throws AppError 422 on the field
 */
export function requirePathId(field: string, id: string): void {
  if (encodeId(id) === undefined) throw invalid(422, [{ field, message: "No record can have this id." }])
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
