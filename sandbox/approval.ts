import { book } from "./program/booking.ts"
import type { TransactionRecord } from "./store/records.ts"
import { callAt, type Call, type World } from "./world.ts"

/** Approves an award that waits: it is booked under the id it was answered with. Undefined if none waits. */
export function approveAward(call: Call, id: string): TransactionRecord | undefined {
  const { store } = call.world
  const award = store.transactions.release(id)
  const member = award === undefined ? undefined : store.members.get(award.memberId)
  if (award === undefined || member === undefined) return undefined
  const row = book(
    call,
    { ...member, pending: member.pending - award.points },
    {
      id: award.id,
      type: "award",
      points: award.points,
      reason: award.reason,
      reference: award.reference ?? undefined,
      metadata: award.metadata ?? undefined,
    },
  )
  store.record({ kind: "approve", id, memberId: member.id, points: award.points }, call.now)
  return row
}

/** Approves what is due by a time (ms), each at the time it was due. */
export function approveDue(world: World, now: number): void {
  for (const { id, due } of world.store.transactions.awaiting) {
    if (due !== null && due <= now) approveAward(callAt(world, due), id)
  }
}
