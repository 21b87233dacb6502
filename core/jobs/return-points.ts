import {
  type OrderReturnView,
  type ReturnEntry,
  type ReturnPointsBody,
  returnPointsBody,
} from "../../contract/kinds/order-return.ts"
import { limits } from "../../contract/limits.ts"
import { rowOutcome } from "../../contract/row-outcomes.ts"
import type { ActContext } from "../audit/audit-log.ts"
import { type CoreContext, route, type Route } from "../context.ts"
import { conflict, stored } from "../errors.ts"
import { success } from "../http.ts"
import { readBody } from "../validation.ts"
import { noAmountRules } from "./amount-limits.ts"
import { keyReusedError, saveJob } from "./create.ts"
import { type EngineContext, jobAct, requireJob } from "./engine-context.ts"
import { asPerson } from "./job-kind.ts"
import { bodyHash, cutText, entryScope, followUpJob, wasDone } from "./job-record.ts"
import { idempotencyKey } from "./job-routes.ts"
import type { Claim, NewJob, RowChange, RowRecord } from "./job-store.ts"
import { jobContext } from "./kinds/kind-rules.ts"
import { cancellationHere, readLate, readReturn, returnNotesOf, soonAt } from "./kinds/order-return.ts"
import { awardInReturn, counterpartOf } from "./kinds/points.ts"
import { saveReversal } from "./reverse.ts"
import { withoutNote } from "./row-notes.ts"
import { readAgainAt } from "./transitions.ts"

export const returnRoutes: readonly Route[] = [
  // How far the return of an order's points is, from our own store.
  route("GET /orders/{id}/return", "ledger.read", ["people"], async (context, _, { id = "" }) =>
    success(await viewReturn(context, id)),
  ),
  // Entries are the service's own return: the rest is awarded, or what came after our award is taken back from it.
  route("POST /orders/{id}/return", "points.write", [], async (context, request, { id = "" }) => {
    const body = readBody(request.body, returnPointsBody)
    context.budget.personActive()
    await settleReturn(context, request, id, body, idempotencyKey(request))
    return success(await viewReturn(context, id))
  }),
]

/** The row that returns an order's points: the one that cancelled it, or the newest. */
async function findReturn({ store }: Pick<EngineContext, "store">, orderId: string) {
  const rows = await stored(store.jobs.rowsAbout("order-return", { label: orderId }))
  return rows.find(({ upstreamId }) => upstreamId !== null) ?? rows[0]
}

async function viewReturn(context: CoreContext, orderId: string): Promise<OrderReturnView> {
  const row = await findReturn(context, orderId)
  if (row === undefined) return viewCancellation(context, orderId)
  const job = await requireJob(context, row.jobId)
  const { spent = null, entries = [], chosen = [], late = [] } = returnNotesOf(row) ?? {}
  const award = await stored(counterpartOf(context.store, row))
  const reversal = award && (await stored(counterpartOf(context.store, award)))
  const step = reversal === undefined ? stepOf(row, award) : reversalStep(reversal)
  const [only, ...more] = late
  const made = reversal ?? award
  const { outcome } = failedSteps.has(step) ? (made ?? row) : row
  return {
    job: row.jobId,
    row: row.row,
    step,
    message: outcome?.message ?? job.pause?.message ?? null,
    spent,
    ...(step === "twice"
      ? { entries: late, chosen: only && more.length === 0 ? [only.transaction_id] : [] }
      : { entries, chosen }),
    award: viewAward(made),
  }
}

const failedSteps: ReadonlySet<string> = new Set(["stopped", "not-reversed"])

function viewAward(made: RowRecord | undefined): NonNullable<OrderReturnView>["award"] {
  if (made === undefined) return null
  return { job: made.jobId, row: made.row, points: Math.abs(made.points ?? 0) }
}

/** An order that an update of ours cancelled: its points may be looked for, since its time is known. */
async function viewCancellation(context: CoreContext, orderId: string): Promise<OrderReturnView> {
  const update = await stored(cancellationHere(context, orderId))
  if (update === undefined) return null
  const { jobId: job, row } = update
  return { job, row, step: "cancelled", message: null, spent: null, entries: [], chosen: [], award: null }
}

const undecided: ReadonlySet<string> = new Set([
  "points_missing",
  "return_not_seen",
  "return_pending",
  "several_returns",
] satisfies Parameters<typeof rowOutcome>[0][])
const twice = rowOutcome("returned_twice").code

const isUnderWay = ({ state }: RowRecord) => state === "planned" || state === "sent" || state === "unknown"

function reversalStep(reversal: RowRecord) {
  if (isUnderWay(reversal)) return "reversing"
  return wasDone(reversal) ? "reversed" : "not-reversed"
}

function stepOf(row: RowRecord, award: RowRecord | undefined): NonNullable<OrderReturnView>["step"] {
  const { state, outcome, nextAt, decision } = row
  const code = outcome?.code ?? ""
  if (isUnderWay(row)) return "cancelling"
  if (code === twice && decision === null) return "twice"
  if (award !== undefined && wasDone(award)) return "awarded"
  if (award !== undefined) return isUnderWay(award) ? "awarding" : "stopped"
  if (state === "conflict" && decision?.decision === "happened") return "returned"
  if (state === "conflict") return undecided.has(code) ? "decide" : "stopped"
  if (state !== "confirmed") return "stopped"
  return nextAt === null ? "returned" : "checking"
}

/** The row that a person may decide about now, with our award if there is one. Throws 409. */
async function requireUndecided(context: EngineContext, orderId: string) {
  const row = await findReturn(context, orderId)
  const notes = row && returnNotesOf(row)
  const award = row && (await stored(counterpartOf(context.store, row)))
  const step = row && stepOf(row, award)
  if (row === undefined || notes === undefined || (step !== "decide" && step !== "twice"))
    throw conflict("There’s nothing to decide about this order’s points now. Nothing was done.")
  return { row, notes, award }
}

/**
 * Ends a return as a person says, after reading the ledger again: awards what is missing, or reverses our award as far as
 * the service returned the points after it. Throws 409 where the ledger shows something else than the person saw: then
 * nothing is done, and the ledger is watched again.
 */
async function settleReturn(
  context: EngineContext,
  requester: ActContext,
  orderId: string,
  { entries: chosen, points }: ReturnPointsBody,
  key: string | undefined,
): Promise<void> {
  const { audit, store } = context
  const { jobs } = store
  const request =
    key === undefined ? null : { key, bodyHash: await bodyHash({ order: orderId, chosen, points }) }
  const twin = request === null ? undefined : await stored(jobs.twinOf(requester.user.id, request))
  if (twin === "other_body") throw keyReusedError()
  if (twin !== undefined) return
  const { row, notes, award } = await requireUndecided(context, orderId)
  const job = await requireJob(context, row.jobId)
  const own = asPerson(jobContext(context, job), requester)
  const read = await (award ? readLate(own, row, notes) : readReturn(own, row, notes.spent))
  if (!read.complete)
    throw conflict("The ledger couldn’t be read completely, so nothing was done. Try again in a moment.")
  const decide = (set: RowChange["set"], claim: readonly Claim[] = []) => {
    const decided = { state: "confirmed", outcome: null, decision: null, edits: row.edits + 1 } as const
    const next = { ...decided, ...set }
    const change = readAgainAt(row, soonAt(context), next, { edits: row.edits, claim })
    return set.outcome == null ? change : { ...change, set: { ...change.set, nextAt: null } }
  }
  const watchAgain = async () => {
    await stored(jobs.changeRows(job.id, [decide({ notes: withoutNote(row.notes, "empty_at") })]))
    context.jobMoved(job.id)
    return conflict(
      "The ledger has changed since you opened this. Nothing was done. It’s being checked again.",
    )
  }
  const sum = pointsOf(read.entries, chosen)
  const due = award ? Math.min(sum, award.points ?? 0) : notes.spent - sum
  if (!isSame(read.entries, award ? notes.late : notes.entries) || due !== points) throw await watchAgain()
  // Before the award or its reversal is made: without it the watch finds that it is missing, and asks again.
  const noted = award
    ? due === 0 && { entries: [...notes.entries, ...read.entries] }
    : { entries: read.entries, chosen }
  const outcome = award || due > 0 ? null : rowOutcome("returned_by_service")
  const claims = chosen.map((id) => ({ scope: entryScope, key: id }))
  const act = () =>
    jobAct(requester, "job.decide", job, {
      note: `Points of ${orderId}.`,
      changes: [
        ...chosen.map((id) => ({ field: "upstream_id", from: null, to: id })),
        { field: "points", from: null, to: String(award ? -due : due) },
      ],
    })
  const change = decide({ outcome, notes: { ...row.notes, ...noted } }, claims)
  const [result] = await stored(
    audit.together(act, (entry) => jobs.changeRows(job.id, [change], undefined, undefined, entry)),
  )
  if (result === "claimed") throw await watchAgain()
  if (result !== "changed")
    throw conflict("Someone else just decided this. Nothing was done. Reload to see it.")
  context.jobMoved(job.id)
  if (due === 0) return
  if (award === undefined) return awardMissing(context, requester, row, due, request)
  const awarded = await requireJob(context, award.jobId)
  await saveReversal(context, requester, awarded, [{ ...award, points: due }], { kind: "deduct", request })
}

/** Points of the chosen entries; NaN if one of them is not there. */
function pointsOf(entries: readonly ReturnEntry[], chosen: readonly string[]): number {
  const points = new Map(entries.map((entry) => [entry.transaction_id, entry.points]))
  return [...new Set(chosen)].reduce((sum, id) => sum + (points.get(id) ?? NaN), 0)
}

function isSame(read: readonly ReturnEntry[], seen: readonly ReturnEntry[]): boolean {
  const ids = new Set(seen.map(({ transaction_id }) => transaction_id))
  return read.length === ids.size && read.every(({ transaction_id }) => ids.has(transaction_id))
}

async function awardMissing(
  context: EngineContext,
  { user }: ActContext,
  row: RowRecord,
  points: number,
  request: NewJob["request"],
): Promise<void> {
  const order = row.label ?? ""
  const fields = {
    ...followUpJob,
    kind: "award",
    mode: "single",
    title: cutText(`Points of ${order}`, limits.jobTitle),
    createdBy: { id: user.id, name: user.name, role: user.role },
    lane: "people",
    request,
  } as const
  const award = awardInReturn(row, {
    member_id: row.memberId ?? "",
    points,
    reason: cutText(`Order ${order} cancelled, points returned`, limits.reason),
    metadata: { order_id: order },
  })
  const acts = { act: undefined, linkedAct: undefined }
  const { job } = await saveJob(context, fields, [award], noAmountRules, acts)
  context.jobMoved(job.id)
}
