import { hasPoints, jobKindDescriptors, type JobKind } from "../../contract/job-kinds.ts"
import { type Job, reversalState, type ReverseJobBody } from "../../contract/job.ts"
import { limits } from "../../contract/limits.ts"
import type { ActContext } from "../audit/audit-log.ts"
import { AppError, conflict, stored } from "../errors.ts"
import { planById } from "../gateway/upstream-read.ts"
import { noAmountRules } from "./amount-limits.ts"
import { bodyHash, correctionReason, cutText, followUpJob, reasonWithoutCode, wasDone } from "./job-record.ts"
import { blankRow, type JobRecord, type NewJob, type NewRow, type RowRecord } from "./job-store.ts"
import { saveJob, keyReusedError } from "./create.ts"
import { type EngineContext, jobAct, requireJob, rowBatches, storedRows } from "./engine-context.ts"
import { asPerson, type JobContext } from "./job-kind.ts"
import { jobContext, kindRules, newRow } from "./kinds/kind-rules.ts"
import { type NetAward, netAwards } from "./net-awards.ts"
import { readsFor } from "./service-reads.ts"

/** Preview of a job's reversal. `check` reads balances and lists members who no longer have the points. */
export async function previewReversal(
  context: EngineContext,
  requester: ActContext,
  id: string,
  check: boolean,
) {
  const { job } = await requireReversible(context, id)
  const rows = await reversible(context, job)
  const isPoints = hasPoints(job.kind)
  const balances =
    check && isPoints ? await balancesOf(asPerson(jobContext(context, job), requester), rows) : undefined
  const byMember = Map.groupBy(rows, ({ memberId }) => memberId ?? "")
  const short = [...byMember].flatMap(([member_id, own]) => {
    const balance = balances?.get(member_id)
    const points = own.reduce((sum, row) => sum + (row.points ?? 0), 0)
    if (balance === undefined || balance >= points) return []
    return [{ rows: own.map(({ row }) => row), member_id, label: labelOf(own), points, balance }]
  })
  const why_not = await whyNot(context, job, rows)
  const reasons = new Set(isPoints ? rows.map((row) => reasonOf(row)) : [])
  const [ledger_reason = null] = reasons
  return {
    rows: rows.length,
    members: byMember.size,
    first_members: Array.from(byMember)
      .slice(0, firstMembers)
      .map(([member_id, own]) => ({ member_id, label: labelOf(own) })),
    ledger_reason,
    ledger_reasons: reasons.size,
    check_requests: Math.min(byMember.size, mostRequests),
    points: rows.reduce((sum, { points }) => sum + (points ?? 0), 0),
    corrected: rows.filter(({ isCorrected }) => isCorrected).length,
    undecided: job.attention,
    open: why_not === null,
    why_not,
    checked: balances !== undefined,
    short: short.toSorted((a, b) => a.balance - a.points - (b.balance - b.points)),
  }
}

const firstMembers = 5

/** A member's name or e-mail from their rows; null without either. */
function labelOf(rows: readonly RowRecord[]): string | null {
  return rows.find(({ label }) => label !== null)?.label ?? rows[0]?.email ?? null
}

/**
 * Creates and starts a job of deductions, one for the rest of each confirmed award, or of changes that restore what the
 * rows of a job changed.
 */
export async function makeReversal(
  context: EngineContext,
  requester: ActContext,
  id: string,
  { rows: chosen, leave_out: excludedNumbers = [], reason, ledger_reason: written }: ReverseJobBody,
  key: string | undefined,
): Promise<JobRecord> {
  const { job, kind } = await requireReversible(context, id)
  const { user } = requester
  const hashed = { reverse: id, rows: chosen, leave_out: excludedNumbers, reason, written }
  const request = key === undefined ? null : { key, bodyHash: await bodyHash(hashed) }
  // First, because on a repeated request all rows are already reversed.
  const twin = request === null ? undefined : await stored(context.store.jobs.twinOf(user.id, request))
  if (twin === "other_body") throw keyReusedError()
  if (twin !== undefined) return twin.job
  const out = new Set(excludedNumbers)
  const only = chosen && new Set(chosen)
  const rows = (await reversible(context, job)).filter(({ row }) => only?.has(row) ?? !out.has(row))
  const why_not = await whyNot(context, job, rows)
  if (why_not !== null) throw conflict(`${why_not} Nothing was done.`)
  const how = { kind, reason, written, request }
  return saveReversal(context, requester, job, rows, how)
}

/** How a reversal is made; `written`: what members read. */
interface ReversalTerms {
  readonly kind: JobKind
  readonly reason?: string | undefined
  readonly written?: string | undefined
  readonly request: NewJob["request"]
}

/** Stores and starts the reversal of rows, of no more than their `points`. Throws 409 if one is reversed already. */
export async function saveReversal(
  context: EngineContext,
  requester: ActContext,
  job: JobRecord,
  rows: readonly RowRecord[],
  { kind, reason, written, request }: ReversalTerms,
): Promise<JobRecord> {
  const { user } = requester
  const fields = {
    ...followUpJob,
    kind,
    title: cutText(`${hasPoints(job.kind) ? "Reversal" : "Undo"} of ${job.title ?? job.id}`, limits.jobTitle),
    createdBy: { id: user.id, name: user.name, role: user.role },
    lane: rows.length === 1 ? ("people" as const) : ("jobs" as const),
    reverses: job.id,
    request,
  }
  const reversing = rows.map((row) => ({
    ...(undoOf(job, row) ?? deductionOf(row, written)),
    label: row.label ?? row.email,
    reverses: { job: job.id, row: row.row },
  }))
  const act = (by: JobRecord) =>
    jobAct(requester, "job.reverse", job, {
      note: `By ${by.id}, ${by.total} rows. ${reason ?? ""}`.trim(),
      rows: by.total,
    })
  const acts = { act, linkedAct: undefined }
  const { job: made } = await saveJob(context, fields, reversing, noAmountRules, acts)
  context.jobChanged(job.id)
  context.jobMoved(made.id)
  return made
}

/** Rows and points that other jobs have taken back, and their open rows; undefined without a reversal. */
export async function reversedSoFar(
  { store }: Pick<EngineContext, "store">,
  { reversedBy }: Pick<JobRecord, "reversedBy">,
): Promise<Job["reversed"]> {
  if (reversedBy.length === 0) return undefined
  const reversals = await Promise.all(reversedBy.map((id) => stored(store.jobs.get(id))))
  const reversed = { rows: 0, points: 0, open: 0 }
  for (const reversal of reversals) {
    if (reversal === undefined) continue
    const { counts, points, state } = reversal
    const isStopped = state === "cancelling" || state === "cancelled"
    reversed.rows += counts.confirmed
    reversed.points += Math.abs(points?.confirmed ?? 0)
    reversed.open += counts.sent + counts.unknown + (isStopped ? 0 : counts.planned)
  }
  return reversed
}

/** @throws AppError 409 for a job with a reversal, which would miss rows sent now. */
export async function requireNotReversed(
  context: Pick<EngineContext, "store">,
  job: JobRecord,
  rest: string,
): Promise<void> {
  const { counts } = job
  const state = reversalState({ counts, reversed: await reversedSoFar(context, job) })
  if (state === undefined) return
  const by = job.reversedBy.join(", ")
  throw conflict(
    `This job ${state.isUnderWay ? "is being" : "was"} reversed by ${by}, so its other rows aren’t sent. ${rest} ${hasPoints(job.kind) ? "Award" : "Send"} them in a new job.`,
  )
}

async function requireReversible(context: EngineContext, id: string) {
  const job = await requireJob(context, id)
  const { canUndo, reversedBy } = jobKindDescriptors[job.kind]
  const kind = canUndo ? job.kind : reversedBy
  if (kind === undefined)
    throw conflict("Only awards and changes of members can be reversed. Nothing was done.")
  return { job, kind }
}

/** Why a job cannot be reversed now; null: it can. Rows confirmed later can be reversed by a second reversal. */
async function whyNot(
  { store }: EngineContext,
  job: JobRecord,
  rows: readonly Reversible[],
): Promise<string | null> {
  const { planned, sent, unknown } = job.counts
  if (job.state !== "cancelled" && planned + sent + unknown > 0)
    return "The job isn’t finished: some rows are waiting, sending or being checked. Wait, or cancel the rest first."
  if (sent + unknown > 0) return "Some rows are still being checked. Wait until they’re resolved."
  const corrector = rows.find((row) => row.corrector !== null)?.corrector
  if (corrector)
    return `${corrector} is correcting some of these awards and isn’t finished. Wait until it is, or cancel it.`
  if (rows.length > 0) return null
  const others = await Promise.all(job.reversedBy.map((id) => stored(store.jobs.get(id))))
  const next = others.map((other) => other && nextIn(other)).find((text) => text !== undefined)
  if (next !== undefined)
    return `Every row that is done is already reversed, left out or part of a reversal. ${next}`
  return hasPoints(job.kind)
    ? "There’s nothing left to reverse: every row that is done is already reversed, left out or deducted by a correction."
    : "There’s nothing left to undo: no row changed anything that isn’t already undone."
}

/** How to finish the open rows of a reversal; undefined: there are none. */
function nextIn({ id, kind, state, counts, attention }: JobRecord): string | undefined {
  const { planned, sent, unknown, failed } = counts
  if (attention > 0) return `Some rows of ${id} need a decision: decide them there.`
  if (state !== "cancelled" && planned + sent + unknown > 0)
    return `${id} isn’t finished: wait, or resume it.`
  return state === "done" && failed > 0
    ? `Some ${hasPoints(kind) ? "deductions" : "rows"} of ${id} were not done: send them again there.`
    : undefined
}

/** A row to take back; `points` is the rest of the award. */
interface Reversible extends RowRecord, Pick<NetAward, "corrector"> {
  readonly isCorrected: boolean
}

async function reversible({ store }: EngineContext, job: JobRecord): Promise<Reversible[]> {
  const reversed = await stored(store.jobs.reversedRows(job.id))
  const done: RowRecord[] = []
  for await (const rows of rowBatches(storedRows(store.jobs), job.id, ["confirmed", "conflict", "absent"]))
    done.push(...rows.filter((row) => wasDone(row) && !reversed.has(row.row)))
  if (!hasPoints(job.kind))
    return done
      .filter((row) => undoOf(job, row) !== undefined)
      .map((row) => ({ ...row, corrector: null, isCorrected: false }))
  const nets = await netAwards({ store }, done)
  return done.flatMap((row) => {
    const { points = row.points ?? 0, corrector = null } = nets.get(row.row) ?? {}
    return points > 0 ? { ...row, points, corrector, isCorrected: points !== row.points } : []
  })
}

/** The reason shown to the member. Code must use `reverses` to identify reversals, not this text. */
function reasonOf({ reason }: RowRecord, written = ""): string {
  const text = written.trim() || correctionReason(reasonWithoutCode(reason ?? ""))
  return cutText(text, limits.reason)
}

function deductionOf(row: RowRecord, written: string | undefined): NewRow {
  const points = row.points ?? 0
  const reason = reasonOf(row, written)
  return {
    ...blankRow,
    input: { member_id: row.memberId ?? "", points, reason },
    memberId: row.memberId,
    points: -points,
    reason,
  }
}

/** The row that restores the values from before; undefined if there is none, or one of them can no longer be written. */
function undoOf({ kind }: JobRecord, row: RowRecord): NewRow | undefined {
  const input = kindRules[kind].undo?.(row)
  try {
    return input && newRow(kind, input, { isRecordId: () => true })
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

/** Maximum requests of a balance check; larger jobs rely on the service's refusals. */
const mostRequests = 40

/** Balances by single reads or by reading all members, whichever is cheaper; undefined on failure or above the maximum. */
async function balancesOf(context: JobContext, rows: readonly RowRecord[]) {
  const { createdBy: person } = context.job
  const members = new Set(rows.flatMap(({ memberId }) => memberId ?? []))
  const service = readsFor(context)
  const balances = new Map<string, number>()
  const readOne = async (id: string) => {
    try {
      balances.set(id, (await service.balance(id)).balance)
    } catch (error) {
      // The service will refuse the deduction of a missing member.
      if (!(error instanceof AppError) || error.code !== "not_found") throw error
    }
  }
  try {
    if (members.size <= mostRequests / 2) {
      await Promise.all(Array.from(members, readOne))
      return balances
    }
    const firstPage = planById("GET /members", {}, { page: 1, per_page: limits.perPage.max })
    const total = (await context.reads.read(firstPage, { person })).response.meta?.total
    if (total === undefined || total / limits.perPage.max > mostRequests) return undefined
    const { rows: all, complete } = await service.members({})
    for (const { id, points_balance: balance } of all)
      if (members.has(id) && typeof balance === "number") balances.set(id, balance)
    return complete ? balances : undefined
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}
