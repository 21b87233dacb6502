import type { Claim, NewRow, RowChange, RowRecord } from "../jobs/job-store.ts"

/** A row as it is made: planned, or excluded with the reason, and nothing known yet. */
export function madeRow(jobId: string, row: number, made: NewRow): RowRecord {
  return {
    input: made.input,
    memberId: made.memberId,
    email: made.email,
    label: made.label,
    points: made.points,
    reason: made.reason,
    reverses: made.reverses,
    effect: made.effect ?? null,
    effectWithoutReference: made.effectWithoutReference ?? null,
    line: made.line ?? null,
    repeat: false,
    jobId,
    row,
    state: made.excluded === undefined ? "planned" : "excluded",
    ordinal: null,
    attempts: 0,
    edits: 0,
    owner: null,
    leaseUntil: null,
    firstSentAt: null,
    sentAt: null,
    endedAt: null,
    endedHow: null,
    bodyHash: null,
    request: null,
    singly: false,
    doubtful: false,
    resends: 0,
    nextAt: null,
    looks: [],
    outcome: made.excluded ?? null,
    upstreamId: null,
    confirmedAt: null,
    balanceAfter: null,
    decision: null,
    work: null,
  }
}

/** A row as the owner of what it claims. */
export interface Owner {
  readonly job: string
  readonly row: number
}

/** What is claimed, and by whom. */
export interface Claims {
  ownerOf(claim: Claim): Owner | undefined
  take(claim: Claim, owner: Owner): void
  give(claim: Claim): void
}

/**
 * Takes and gives back what the change claims and releases, and returns the row as it is then; or says why nothing
 * was changed.
 */
export function changedBy(
  row: RowRecord | undefined,
  change: RowChange,
  claims: Claims,
): RowRecord | "stale" | "claimed" {
  const { from, attempt, edits, claim, release } = change
  if (row === undefined || !from.includes(row.state)) return "stale"
  if (attempt !== undefined && attempt !== row.attempts) return "stale"
  if (edits !== undefined && edits !== row.edits) return "stale"
  const owner = { job: row.jobId, row: row.row }
  const holder = claim === undefined ? undefined : claims.ownerOf(claim)
  if (holder !== undefined && !isSameOwner(holder, owner)) return "claimed"
  if (release !== undefined && isSameOwner(claims.ownerOf(release), owner)) claims.give(release)
  if (claim !== undefined) claims.take(claim, owner)
  return withFields(row, change.set)
}

/** Whether both are the same row. */
export function isSameOwner(one: Owner | undefined, other: Owner | undefined): boolean {
  return one?.job === other?.job && one?.row === other?.row
}

/**
 * A row that gets another member gives its ordinal up: it counts among the rows of one member, and `giveOrdinals`
 * gives it a new one.
 */
function withFields(row: RowRecord, set: RowChange["set"]): RowRecord {
  const given = Object.entries(set).filter(([, value]) => value !== undefined)
  const next: RowRecord = { ...row, ...Object.fromEntries(given) }
  return next.memberId === row.memberId ? next : { ...next, ordinal: null }
}

/**
 * When a row came to its end, ms since 1970: a confirmed one with its answer, a failed one with the change that ended
 * it; null while it has not.
 */
export function endOf(
  before: { readonly state: RowRecord["state"]; readonly end: number | null },
  after: Pick<RowRecord, "state" | "confirmedAt">,
  now: number,
): number | null {
  const standing = before.state === after.state ? before.end : null
  if (after.state === "confirmed") return after.confirmedAt ?? standing ?? now
  return after.state === "failed" ? (standing ?? now) : null
}
