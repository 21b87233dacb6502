import type { RowRecord } from "../jobs/job-store.ts"

/** Rows of one job by what makes two of them the same. */
export interface SameIndex {
  /** Numbers of rows by `sameKey` of the member's id, or of the e-mail. */
  readonly rows: ReadonlyMap<string, readonly number[]>
  /** The same of rows with a reference, by their effect without it. */
  readonly withoutReference: ReadonlyMap<string, readonly number[]>
  /** Members' ids by e-mail, and e-mails by id, of rows that have both. */
  readonly ids: ReadonlyMap<string, ReadonlySet<string>>
  readonly emails: ReadonlyMap<string, ReadonlySet<string>>
}

/** The key under which rows of one member, by id or by e-mail, with one effect stand. */
export function sameKey(by: "id" | "email", name: string, effect: string): string {
  return `${by}\n${name}\n${effect}`
}

/** Puts rows in order. */
export function indexSame(rows: readonly RowRecord[]): SameIndex {
  const byKey = new Map<string, number[]>()
  const byOtherKey = new Map<string, number[]>()
  const ids = new Map<string, Set<string>>()
  const emails = new Map<string, Set<string>>()
  for (const { row, memberId, email, effect, effectWithoutReference } of rows) {
    if (effect === null) continue
    if (memberId !== null) add(byKey, sameKey("id", memberId, effect), row)
    if (email !== null) add(byKey, sameKey("email", email, effect), row)
    if (effectWithoutReference !== null) {
      if (memberId !== null) add(byOtherKey, sameKey("id", memberId, effectWithoutReference), row)
      if (email !== null) add(byOtherKey, sameKey("email", email, effectWithoutReference), row)
    }
    if (memberId === null || email === null) continue
    ids.set(email, (ids.get(email) ?? new Set()).add(memberId))
    emails.set(memberId, (emails.get(memberId) ?? new Set()).add(email))
  }
  return { rows: byKey, withoutReference: byOtherKey, ids, emails }
}

function add(map: Map<string, number[]>, key: string, row: number): void {
  const rows = map.get(key)
  if (rows === undefined) map.set(key, [row])
  else rows.push(row)
}
