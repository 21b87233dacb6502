import type { JobContext } from "./job-context.ts"
import type { JobRecord, RowChange, RowRecord } from "./job-store.ts"
import { kindRules } from "./kinds/kind-rules.ts"

/** What is left of a lease for travel and clocks that differ, in ms. */
const marginMs = 2000

/** Rows that were won for one call. */
export interface Claimed {
  /** As they are now: the attempt of this call. */
  readonly rows: readonly RowRecord[]
  /** Whether a call may still begin: asked on the connected socket, immediately before the first byte. */
  readonly mayWrite: () => boolean
}

/**
 * Stores the intent to send these rows: `planned` → `sent` with the attempt, its owner and its lease, in one
 * transaction. Rows that changed or were edited meanwhile are left out. No call is made without this.
 */
export async function claimRows(
  context: JobContext,
  job: JobRecord,
  rows: readonly RowRecord[],
  hashes: readonly string[],
  request: string | null,
): Promise<Claimed> {
  const { clock, time, self, store } = context
  const { leaseMs, callMs } = context.config.jobs
  const rules = kindRules[job.kind]
  // The age counts from before the intent was stored, on the clock that ran on further.
  const startedAt = { monotonic: clock.monotonic(), wall: clock.now() }
  const now = time.now()
  const sent = rows.map((row, at): RowRecord => ({
    ...row,
    state: "sent",
    attempts: row.attempts + 1,
    owner: self,
    leaseUntil: now + leaseMs,
    firstSentAt: row.firstSentAt ?? now,
    sentAt: now,
    endedAt: null,
    endedHow: null,
    bodyHash: hashes[at] ?? null,
    request,
    nextAt: null,
    looks: [],
    outcome: null,
  }))
  const changes = sent.map(({ row, attempts, ...set }): RowChange => {
    const {
      state,
      owner,
      leaseUntil,
      firstSentAt,
      sentAt,
      endedAt,
      endedHow,
      bodyHash,
      nextAt,
      looks,
      outcome,
      work,
    } = set
    const claim = rules.claimWhileSent?.({ ...set, row, attempts })
    return {
      row,
      from: ["planned"],
      attempt: attempts - 1,
      edits: set.edits,
      set: {
        state,
        attempts,
        owner,
        leaseUntil,
        firstSentAt,
        sentAt,
        endedAt,
        endedHow,
        bodyHash,
        request,
        nextAt,
        looks,
        outcome,
        work,
      },
      ...(claim !== undefined && { claim }),
    }
  })
  const results = await store.jobs.changeRows(job.id, changes)
  await sendLater(
    context,
    job,
    rows.filter((_, at) => results[at] === "claimed"),
  )
  const age = () => Math.max(clock.monotonic() - startedAt.monotonic, clock.now() - startedAt.wall)
  return {
    rows: sent.filter((_, at) => results[at] === "changed"),
    mayWrite: () => age() <= Math.max(leaseMs - callMs - marginMs, leaseMs / 4),
  }
}

/** When a row is tried again that waits for another one, such as for the same member's redemption, ms. */
const waitMs = 1000

/** Puts off planned rows that wait for another one to come to its end. */
export async function sendLater(
  { store, time }: JobContext,
  job: JobRecord,
  rows: readonly RowRecord[],
): Promise<void> {
  if (rows.length === 0) return
  const nextAt = time.now() + waitMs
  await store.jobs.changeRows(
    job.id,
    rows.map(({ row, attempts, edits }) => ({
      row,
      from: ["planned"],
      attempt: attempts,
      edits,
      set: { nextAt },
    })),
  )
}
