import { lifetimeOf } from "../store/lifetime.ts"
import type { MemberRecord, TransactionRecord } from "../store/records.ts"
import { invalid } from "../refusal.ts"
import type { SandboxSettings } from "../settings.ts"
import type { Call } from "../world.ts"

/** What is booked on a member's account. `points` is signed. */
export interface Booking {
  readonly type: TransactionRecord["type"]
  readonly points: number
  readonly reason: string
  readonly reference?: string | undefined
  readonly metadata?: Record<string, unknown> | undefined
  /** Id given before, for an award that waited. */
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
export function reasonWithin(settings: SandboxSettings, reason: string): string {
  const max = settings.reasonMax
  if (max === null || reason.length <= max) return reason
  if (settings.reasonTooLong === "refuse") throw invalid(`reason must be at most ${max} characters`)
  return reason.slice(0, max)
}

/** Whether the settings let points be moved on this member's account. */
export function mayMovePoints(settings: SandboxSettings, member: MemberRecord): boolean {
  return settings.inactiveMembers === "allow" || member.status === "active"
}
