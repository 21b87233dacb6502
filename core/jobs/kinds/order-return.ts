import * as z from "zod/mini"
import { orderReturnRow, returnEntry, type ReturnEntry } from "../../../contract/kinds/order-return.ts"
import { timeOf } from "../../../contract/program/common.ts"
import { orderReader } from "../../../contract/program/order.ts"
import type { Transaction } from "../../../contract/program/points.ts"
import { rowOutcome, type RowOutcomeCode } from "../../../contract/row-outcomes.ts"
import { AppError } from "../../errors.ts"
import { planById } from "../../gateway/upstream-read.ts"
import { readBody } from "../../validation.ts"
import { decidingAge, patienceFor } from "../absence.ts"
import { historyState } from "../canaries.ts"
import { rowBatches } from "../engine-context.ts"
import { earliestEffect, type JobContext, type KindRules, type Precheck, withNotes } from "../job-kind.ts"
import { entryScope, isOwnedByAnotherRow, reasonWithoutCode, wasDone } from "../job-record.ts"
import type { RowChange, RowRecord } from "../job-store.ts"
import { engineNotes, notesOf } from "../row-notes.ts"
import { clockSlackMs, readsFor, refusal, refusedRead } from "../service-reads.ts"
import { askAboutConfirmed, readAgainAt, refusePlanned, updatePlanned } from "../transitions.ts"
import { orderUpdate } from "./order-update.ts"
import { award, counterpartOf } from "./points.ts"

/** One row for each order. */
const orderScope = "program:order-return"

/**
 * Cancels an order as an order update does, then watches the member's ledger for the return of its points: the document
 * does not say whether the service returns them (docs/api/program.md, Order updates). What is missing is awarded by a
 * person (return-points.ts; docs/orders.md, Returned points).
 */
export const orderReturn: KindRules = {
  ...orderUpdate,
  kind: "order-return",
  newRow: (raw, defaults) =>
    orderUpdate.newRow({ ...readBody(raw, orderReturnRow), status: "cancelled" }, defaults),
  prepare: readOrders,
  precheck: checkBeforeCancelling,
  claims: { ...orderUpdate.claims, effects: orderScope },
  recheck: (context, row) => watchReturn(context, row).catch((error: unknown) => memberMissing(row, error)),
}

const entryList = z._default(z.array(returnEntry), [])
const returnNotes = z.object({
  spent: z.number(),
  /** When an earlier update of ours cancelled it, ms: only then its time is known. */
  cancelled_at: z.optional(z.number()),
  /** Candidates at the last read before an award. */
  entries: entryList,
  /** Those that are the return, or are if a person agrees. */
  chosen: z._default(z.array(z.string()), []),
  /** Candidates that came after the award. */
  late: entryList,
})
type ReturnNotes = z.output<typeof returnNotes>

/** The points of the order and what its return was known to be; undefined before the order was read. */
export function returnNotesOf({ notes }: Pick<RowRecord, "notes">): ReturnNotes | undefined {
  return returnNotes.safeParse(notes ?? {}).data
}

/** Reads each order's member and points, which the cancelled order may no longer show. */
async function readOrders(context: JobContext): Promise<void> {
  const { job, store } = context
  for await (const rows of rowBatches(store.jobs, job.id))
    for (const row of rows)
      if (returnNotesOf(row) === undefined)
        await store.jobs.changeRows(job.id, [await withOrder(context, row)])
}

async function withOrder(context: JobContext, row: RowRecord): Promise<RowChange> {
  try {
    // A single odd response proves nothing.
    const found = (await readOrder(context, row)) ?? (await readOrder(context, row))
    if (found === undefined) return refusePlanned(row, rowOutcome("order_without_points"))
    const { firstSentAt } = (await cancellationHere(context, row.label ?? "")) ?? {}
    const notes = { ...found.notes, ...(firstSentAt && { cancelled_at: firstSentAt }) }
    return updatePlanned(row, { ...found, notes })
  } catch (error) {
    return refusePlanned(row, refusedRead(error, "order_not_found"))
  }
}

/** The update of ours that cancelled an order, if none of a status came after it. */
export async function cancellationHere({ store }: Pick<JobContext, "store">, orderId: string) {
  const updates = await store.jobs.rowsAbout("order-update", { label: orderId })
  const last = updates.find(({ firstSentAt, input }) => firstSentAt !== null && input["status"] !== undefined)
  return last?.state === "confirmed" && last.input["status"] === "cancelled" ? last : undefined
}

/** Undefined if the order does not show its member and points. Throws AppError on failure. */
async function readOrder(context: JobContext, row: RowRecord) {
  const plan = planById("GET /orders/{order_id}", { order_id: row.label ?? "" })
  const { data } = await readsFor(context).read(plan)
  const { member_id: memberId, points_spent: spent } = orderReader.tolerant.parse(data)
  return memberId && spent && spent > 0 ? { memberId, notes: { spent } } : undefined
}

async function checkBeforeCancelling(context: JobContext, row: RowRecord): Promise<Precheck> {
  const order = row.label ?? ""
  const owner = (await context.store.jobs.claims(orderScope, [order])).get(order)
  if (isOwnedByAnotherRow(owner, row)) return refusal(row, rowOutcome("returned_before"))
  const checked = await orderUpdate.precheck?.(context, row)
  if (checked?.kind === "conflict") return refusal(row, rowOutcome("order_changed"))
  return checked ?? { kind: "go" }
}

// The return in the ledger

/**
 * A return is a positive entry after the cancellation, of any type, of at most the points spent. Of awards of ours only one
 * for this order is (`withOurs`): after a restored backup it may be unknown here.
 */
export function isReturn(
  { points, created_at, reference, reason, metadata }: Transaction,
  { spent, since, withOurs }: { spent: number; since: number | undefined; withOurs: boolean },
): boolean {
  if (typeof points !== "number" || points <= 0 || points > spent) return false
  if ((timeOf(created_at) ?? Infinity) < (since ?? 0)) return false
  if (withOurs) return true
  const isTagged = /^[2-9A-Z]{4,8}\.\d+$/.test(reference ?? "") || metadata?.["laurel"] !== undefined
  return !isTagged && reasonWithoutCode(reason ?? "") === (reason ?? "")
}

function hasId({ reference, reason, metadata }: Transaction, id: string): boolean {
  const texts = [reference, reason, ...Object.values(metadata ?? {})]
  return texts.some((text) => typeof text === "string" && text.split(/[^\w-]+/).includes(id))
}

/** Entries that may be the return of the row's order and belong to no other row. Throws AppError on failure. */
export async function readReturn(context: JobContext, row: RowRecord, spent: number, withOurs = true) {
  const { store, time } = context
  // For one that was cancelled already nothing was sent.
  const firstSentAt = row.firstSentAt ?? returnNotesOf(row)?.cancelled_at ?? null
  const sent = firstSentAt === null ? undefined : time.toServiceTime("program", firstSentAt)
  const since = sent === undefined ? undefined : sent - clockSlackMs
  const from = firstSentAt === null ? undefined : earliestEffect(context, { ...row, firstSentAt })
  const { rows, complete } = await readsFor(context).ledger(row.memberId ?? "", from)
  const order = row.label ?? ""
  const possible = rows.filter((entry) =>
    isReturn(entry, { spent, since, withOurs: withOurs && hasId(entry, order) }),
  )
  const ids = possible.map(({ transaction_id }) => transaction_id)
  const claims = await store.jobs.claims(entryScope, ids)
  const entries = possible
    .filter(({ transaction_id: id }) => !isOwnedByAnotherRow(claims.get(id), row))
    .map((entry): ReturnEntry => {
      const { transaction_id, points, created_at = null, type = null, reason = null } = entry
      const shown = { transaction_id, points: points ?? 0, created_at, type, reason }
      return { ...shown, names_order: hasId(entry, order) }
    })
  // An entry without its points or its time may be the return, or none.
  const isReadable = rows.every(
    ({ points, created_at: at }) => typeof points === "number" && (points <= 0 || timeOf(at) !== undefined),
  )
  return { entries, complete: complete && isReadable, isTimeKnown: since !== undefined }
}

export interface ReturnFacts {
  readonly spent: number
  readonly entries: readonly ReturnEntry[]
  /** The ledger would show a return by now. */
  readonly isSettled: boolean
  /** Whether entries before the cancellation can be told from later ones. */
  readonly isTimeKnown: boolean
}

/** Which entries are the return of an order; undefined: not known yet. Entries that name the order go before others. */
export function judgeReturn({ spent, entries, isSettled, isTimeKnown }: ReturnFacts) {
  const named = entries.filter(({ names_order }) => names_order)
  const [only, ...others] = named.length > 0 ? named : entries
  const isAfter = isTimeKnown && only?.created_at !== null
  const isSure = only !== undefined && others.length === 0 && (only.names_order || isAfter)
  if (isSure && only.points === spent && (only.names_order || isSettled))
    return { kind: "returned", entry: only } as const
  if (!isSettled) return undefined
  return {
    kind: only === undefined || isSure ? "missing" : "several",
    entry: isSure ? only : undefined,
  } as const
}

/** How long a return after an award of ours is looked for, and the longest time between two reads, ms. */
const watchMs = 7 * 86_400_000
const longestWaitMs = 86_400_000

async function watchReturn(context: JobContext, row: RowRecord): Promise<readonly RowChange[]> {
  const { config, events, reads, store, time } = context
  const notes = returnNotesOf(row)
  if (notes === undefined || row.memberId === null) return [readAgainAt(row, null)]
  const awarded = await counterpartOf(store, row)
  if (awarded !== undefined) return [await watchForLate(context, row, notes, awarded)]
  const now = time.now()
  const read = await readReturn(context, row, notes.spent)
  const noted = (chosen: readonly string[]) => ({ notes: { ...row.notes, entries: read.entries, chosen } })
  const { isSettled, isLate, isProven, lookAgainAt } = await settledState(context, row, read.complete)
  const verdict = judgeReturn({ ...read, spent: notes.spent, isSettled })
  if (verdict?.kind === "returned") {
    reads.invalidate({ evict: [`member:${row.memberId}`], stale: ["members"] })
    events.publish({ topic: "member", id: row.memberId })
    const { transaction_id: key } = verdict.entry
    const set = { outcome: rowOutcome("returned_by_service"), ...noted([key]) }
    // If another row has taken the entry meanwhile, the ledger is read again.
    return [
      readAgainAt(row, soonAt(context)),
      readAgainAt(row, null, set, { claim: { scope: entryScope, key } }),
    ]
  }
  if (verdict === undefined) return [readAgainAt(row, lookAgainAt)]
  const { empty_at: emptyAt } = notesOf(row)
  // A single odd response proves nothing.
  if (emptyAt === undefined)
    return [readAgainAt(row, now + config.jobs.recheckMs, withNotes(row, engineNotes({ empty_at: now })))]
  if (now < emptyAt + config.jobs.recheckMs) return [readAgainAt(row, emptyAt + config.jobs.recheckMs)]
  if (verdict.kind === "several") return [askAboutConfirmed(row, rowOutcome("several_returns"), noted([]))]
  const { transaction_id: id, points = 0 } = verdict.entry ?? {}
  const isPending = await isReturnPending(context, row.memberId, notes.spent - points)
  if (isPending && !isLate) return [readAgainAt(row, soonAt(context))]
  const seen: RowOutcomeCode = isProven ? "points_missing" : "return_not_seen"
  const code = isPending ? "return_pending" : seen
  return [askAboutConfirmed(row, rowOutcome(code), noted(id === undefined ? [] : [id]))]
}

/** After an award of ours any further entry may be the service's own return: a person decides. */
async function watchForLate(context: JobContext, row: RowRecord, notes: ReturnNotes, award: RowRecord) {
  const now = context.time.now()
  const age = now - (award.confirmedAt ?? award.sentAt ?? now)
  const later = Math.max(soonAt(context), now + Math.min(age / 2, longestWaitMs))
  if (!wasDone(award)) return readAgainAt(row, later)
  if ((await counterpartOf(context.store, award)) !== undefined) return readAgainAt(row, null)
  const { entries: late } = await readLate(context, row, notes)
  if (late.length === 0) return readAgainAt(row, age > watchMs ? null : later)
  return askAboutConfirmed(row, rowOutcome("returned_twice"), { notes: { ...row.notes, late } })
}

/** The candidates that a person did not see before the award. Throws AppError on failure. */
export async function readLate(context: JobContext, row: RowRecord, { spent, entries }: ReturnNotes) {
  const read = await readReturn(context, row, spent, false)
  const seen = new Set(entries.map(({ transaction_id }) => transaction_id))
  return { ...read, entries: read.entries.filter(({ transaction_id }) => !seen.has(transaction_id)) }
}

/** When the ledger is read again at the earliest. */
export function soonAt({ config, time }: Pick<JobContext, "config" | "time">): number {
  return time.now() + Math.max(config.jobs.settleMs, 1000)
}

/** Whether points that wait for approval may be the missing ones. */
async function isReturnPending(context: JobContext, memberId: string, missing: number): Promise<boolean> {
  const { pending } = await readsFor(context).balance(memberId)
  return (pending ?? 0) >= missing
}

/**
 * Whether a return would be in the ledger by now, as an award of ours would be (docs/jobs.md, Absence). Without a later
 * award of ours nothing proves it, and the ledger is watched for longer.
 */
async function settledState(context: JobContext, row: RowRecord, complete: boolean) {
  const { config, gaps, job, time } = context
  const { settleMs, recheckMs } = config.jobs
  const now = time.now()
  // Without a response it was cancelled when a lookup found it so, at the latest.
  const since = Math.max(row.endedAt ?? row.confirmedAt ?? now, row.lookupTimes.at(-1) ?? 0)
  // No row of this job is an award.
  const awards = { ...context, rules: award, job: { ...job, id: "", kind: "award", mode: null } } as const
  const { canary, lagMs, seenLagMs } = await historyState(awards, row, since)
  const times = { settleMs, recheckMs, gapMs: gaps.largest() }
  const settledAt = since + decidingAge({ ...times, lagMs })
  const isProven = complete && canary === "found" && now >= settledAt
  const isLate = now > since + patienceFor(settleMs) + decidingAge({ ...times, lagMs: seenLagMs })
  const soon = now + Math.max(settleMs / 2, 1000)
  const lookAgainAt = settledAt > now ? Math.min(soon, settledAt) : soon
  return { isSettled: isProven || isLate, isLate, isProven, lookAgainAt }
}

function memberMissing(row: RowRecord, error: unknown): readonly RowChange[] {
  if (!(error instanceof AppError) || error.code !== "not_found") throw error
  return [askAboutConfirmed(row, rowOutcome("return_no_member"))]
}
