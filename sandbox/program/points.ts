import { type Context, Hono } from "hono"
import type * as z from "zod/mini"
import type { SandboxSettings } from "../config.ts"
import { envelope, invalid, readBody, Refusal, validate } from "../http.ts"
import { award, bulkAward, deduction } from "./requests.ts"
import { memberOf } from "./members.ts"
import { bookedView } from "./record-views.ts"
import type { MemberRecord, TransactionRecord } from "../store/records.ts"
import { lifetimeOf } from "../store/records.ts"
import type { Call, CallEnv } from "../world.ts"

/** Awards and deductions (docs/api/program.md, Points). */
export function pointRoutes(): Hono<CallEnv> {
  const app = new Hono<CallEnv>()
  app.post("/award", (c) => single(c))
  app.post("/award/bulk", (c) => bulk(c))
  app.post("/deduct", (c) => deduct(c))
  return app
}

async function single(c: Context<CallEnv>): Promise<Response> {
  const body = validate(award, await readBody(c))
  const member = memberOf(c.env, body.member_id)
  return envelope(c, bookedView(c.env.world.settings, give(c.env, member, body, false)))
}

type AwardInput = Pick<z.output<typeof award>, "points" | "reason" | "reference" | "metadata">

/** Books an award, or lets it wait for approval: then the answer looks the same and the balance stays. */
function give(call: Call, member: MemberRecord, input: AwardInput, bulk: boolean): TransactionRecord {
  const { store, settings } = call.world
  const { points } = input
  const reason = reasonWithin(settings, input.reason)
  const waiting = settings.awardsPendingFrom !== null && points >= settings.awardsPendingFrom
  const row = waiting
    ? wait(call, member, { ...input, reason })
    : book(call, member, { ...input, type: "award", reason })
  const { id, memberId, reference, metadata } = row
  const effect = { id, memberId, points, reason, reference, metadata, bulk, waiting }
  store.record({ kind: "award", ...effect }, call.now)
  return row
}

function wait(call: Call, member: MemberRecord, input: AwardInput): TransactionRecord {
  const { store } = call.world
  const id = store.nextId("txn_", 10)
  const { points, reason, reference = null, metadata = null } = input
  const award = { id, memberId: member.id, points, reason, reference, metadata }
  store.transactions.hold(award)
  store.members.put({ ...member, pending: member.pending + points })
  const times = { created: call.clock, visible: call.now }
  return { ...award, type: "award", seq: 0, balanceAfter: member.balance, ...times }
}

async function bulk(c: Context<CallEnv>): Promise<Response> {
  const call = c.env
  const { awards } = validate(bulkAward, await readBody(c))
  const transactions: { member_id: string; transaction_id: string }[] = []
  for (const item of awards.slice(0, call.bulkStop)) {
    const member = call.world.store.members.get(item.member_id)
    if (member === undefined || !isReasonAccepted(call, item.reason)) continue
    const row = give(call, member, item, true)
    transactions.push({ member_id: member.id, transaction_id: row.id })
  }
  const processed = transactions.length
  return envelope(c, { processed, failed: awards.length - processed, transactions })
}

function isReasonAccepted(call: Call, reason: string): boolean {
  const { reasonMax, reasonTooLong } = call.world.settings
  return reasonMax === null || reason.length <= reasonMax || reasonTooLong === "cut"
}

async function deduct(c: Context<CallEnv>): Promise<Response> {
  const call = c.env
  const { settings, store } = call.world
  const body = validate(deduction, await readBody(c))
  const member = memberOf(call, body.member_id)
  const reason = reasonWithin(settings, body.reason)
  if (member.balance < body.points)
    throw new Refusal(400, settings.insufficientPointsCode, "Insufficient points")
  const row = book(call, member, { type: "deduct", points: 0 - body.points, reason })
  store.record({ kind: "deduct", id: row.id, memberId: member.id, points: row.points, reason }, call.now)
  return envelope(c, bookedView(settings, row))
}

/** What is booked on a member's account. `points` is signed. */
interface Booking extends Pick<TransactionRecord, "type" | "points" | "reason"> {
  readonly reference?: string | null | undefined
  readonly metadata?: Record<string, unknown> | null | undefined
  readonly id?: string
}

/** Books points: the ledger row and the member's balance change together. */
export function book(call: Call, member: MemberRecord, booking: Booking): TransactionRecord {
  const { store } = call.world
  const { type, points } = booking
  const row: TransactionRecord = {
    id: booking.id ?? store.nextId("txn_", 10),
    seq: store.turn(),
    memberId: member.id,
    type,
    points,
    reason: booking.reason,
    reference: booking.reference ?? null,
    balanceAfter: member.balance + points,
    metadata: booking.metadata ?? null,
    created: call.clock,
    visible: call.now + call.lagMs,
  }
  const lifetime = lifetimeOf(row)
  store.transactions.add(row)
  store.members.put({
    ...member,
    balance: row.balanceAfter,
    earned: member.earned + lifetime.earned,
    redeemed: member.redeemed + lifetime.redeemed,
    updated: call.clock,
  })
  return row
}

/** A reason within the length the settings allow. Throws 400 where too long is refused. */
function reasonWithin(settings: SandboxSettings, reason: string): string {
  const max = settings.reasonMax
  if (max === null || reason.length <= max) return reason
  if (settings.reasonTooLong === "refuse") throw invalid(`reason must be at most ${max} characters`)
  return reason.slice(0, max)
}

/** Approves an award that waits: it is booked under the id it was answered with. Undefined if none waits. */
export function approveAward(call: Call, id: string): TransactionRecord | undefined {
  const { store } = call.world
  const award = store.transactions.release(id)
  const member = award === undefined ? undefined : store.members.get(award.memberId)
  if (award === undefined || member === undefined) return undefined
  const pending = member.pending - award.points
  const row = book(call, { ...member, pending }, { ...award, type: "award" })
  store.record({ kind: "approve", id, memberId: member.id, points: award.points }, call.now)
  return row
}
