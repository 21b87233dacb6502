import { Hono, type Context } from "hono"
import type * as z from "zod/mini"
import { envelope, readBody } from "../answer.ts"
import { invalid, notFound, Refusal } from "../refusal.ts"
import type { MemberRecord, TransactionRecord } from "../store/records.ts"
import { validate } from "../validate.ts"
import type { Call, CallEnv } from "../world.ts"
import { award, bulkAward, deduction } from "./bodies.ts"
import { book, mayMovePoints, reasonWithin } from "./booking.ts"
import { memberOf } from "./members.ts"
import { bookedView } from "./views.ts"

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
  const member = awardee(c.env, body.member_id)
  return envelope(c, bookedView(c.env.world.settings, give(c.env, member, body, false)))
}

type AwardInput = Pick<z.output<typeof award>, "points" | "reason" | "reference" | "metadata">

function awardee(call: Call, id: string): MemberRecord {
  const member = memberOf(call, id)
  if (!mayMovePoints(call.world.settings, member)) throw invalid("Member is not active")
  return member
}

/** Books an award, or lets it wait for approval: then the answer looks the same and the balance stays. */
function give(call: Call, member: MemberRecord, input: AwardInput, bulk: boolean): TransactionRecord {
  const { store, settings } = call.world
  const { points, reference, metadata } = input
  const reason = reasonWithin(settings, input.reason)
  const waiting = settings.awardsPendingFrom !== null && points >= settings.awardsPendingFrom
  const row = waiting
    ? wait(call, member, { ...input, reason })
    : book(call, member, { type: "award", points, reason, reference, metadata })
  const told = { reference: reference ?? null, metadata: metadata ?? null }
  store.record(
    { kind: "award", id: row.id, memberId: member.id, points, reason, ...told, bulk, waiting },
    call.now,
  )
  return row
}

function wait(call: Call, member: MemberRecord, input: AwardInput): TransactionRecord {
  const { store, settings } = call.world
  const id = store.nextId("txn_", 10)
  const due = settings.approvalMs === null ? null : call.now + settings.approvalMs
  const common = {
    id,
    memberId: member.id,
    points: input.points,
    reason: input.reason,
    reference: input.reference ?? null,
    metadata: input.metadata ?? null,
  }
  store.transactions.hold({ ...common, due })
  store.members.put({ ...member, pending: member.pending + input.points })
  return {
    ...common,
    type: "award",
    seq: 0,
    balanceAfter: member.balance,
    created: call.clock,
    visible: call.now,
  }
}

async function bulk(c: Context<CallEnv>): Promise<Response> {
  const call = c.env
  const { settings } = call.world
  const { awards } = validate(bulkAward, await readBody(c))
  if (awards.length > settings.bulkMax) throw invalid(`awards must have at most ${settings.bulkMax} items`)
  if (settings.bulkAtomic) for (const item of awards) refuseItem(call, item)
  const transactions: { member_id: string; transaction_id: string }[] = []
  for (const item of awards.slice(0, call.bulkStop)) {
    const member = call.world.store.members.get(item.member_id)
    if (member === undefined || !bookable(call, member, item.reason)) continue
    const row = give(call, member, item, true)
    transactions.push({ member_id: member.id, transaction_id: row.id })
  }
  const processed = transactions.length
  return envelope(c, { processed, failed: awards.length - processed, transactions })
}

function refuseItem(call: Call, item: { member_id: string; reason: string }): void {
  const member = call.world.store.members.get(item.member_id)
  if (member === undefined) throw notFound(`Member ${item.member_id}`)
  if (!bookable(call, member, item.reason)) throw invalid(`Member ${item.member_id} cannot be awarded`)
}

function bookable(call: Call, member: MemberRecord, reason: string): boolean {
  const { reasonMax, reasonTooLong } = call.world.settings
  const tooLong = reasonMax !== null && reason.length > reasonMax && reasonTooLong === "refuse"
  return !tooLong && mayMovePoints(call.world.settings, member)
}

async function deduct(c: Context<CallEnv>): Promise<Response> {
  const call = c.env
  const { settings, store } = call.world
  const body = validate(deduction, await readBody(c))
  const member = awardee(call, body.member_id)
  const reason = reasonWithin(settings, body.reason)
  const short = member.balance < body.points
  if (short && settings.deductBelowZero === "refuse") {
    throw new Refusal(400, settings.insufficientPointsCode, "Insufficient points")
  }
  const clamped = short && settings.deductBelowZero === "clamp" ? Math.max(0, member.balance) : body.points
  const row = book(call, member, { type: settings.deductType, points: 0 - clamped, reason })
  store.record({ kind: "deduct", id: row.id, memberId: member.id, points: 0 - clamped, reason }, call.now)
  return envelope(c, bookedView(settings, row))
}
