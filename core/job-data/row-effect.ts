import type { ComparedRow } from "../jobs/job-store.ts"

/** A text that is longer is kept by its beginning, its length and its hash: an index takes only so much. */
const longest = 120

/**
 * What a row does besides for whom, so that the same row is recognised when a file brings it again: its kind, its
 * amount, and its reference or else its reason, without regard to case and blanks.
 */
export function rowEffect(kind: string, amount: number | string, text: string): string {
  const same = text.normalize("NFC").trim().replaceAll(/\s+/g, " ").toLowerCase()
  const kept = same.length <= longest ? same : `${same.slice(0, longest)}…${same.length}.${hashOf(same)}`
  return JSON.stringify([kind, amount, kept])
}

/** 64 bits as hexadecimal text: enough to tell long texts apart, and nothing rests on it beyond that. */
function hashOf(text: string): string {
  let high = 0xde_ad_be_ef
  let low = 0x41_c6_ce_57
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    high = Math.imul(high ^ unit, 2_654_435_761)
    low = Math.imul(low ^ unit, 1_597_334_677)
  }
  return [high, low].map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("")
}

/** Members that rows named by id and by e-mail are known to be. */
export interface KnownMembers {
  readonly idsOf: (email: string) => Iterable<string>
  readonly emailsOf: (memberId: string) => Iterable<string>
}

/** A compared row under every name its member is known by. */
export interface NamedRow {
  /** Effects that make an earlier row the same one: the row's own, and without its reference. */
  readonly effects: readonly string[]
  /** For a row without a reference: the effect that one with a reference has besides it; else null. */
  readonly withoutReference: string | null
  readonly ids: readonly string[]
  readonly emails: readonly string[]
  /** The same for rows that are alike. */
  readonly key: string
}

/** The names under which a compared row is looked for; undefined when it is never compared. */
export function namesOf(row: ComparedRow, known: KnownMembers): NamedRow | undefined {
  const { memberId, email, effect, effectWithoutReference } = row
  if (effect === null || (memberId === null && email === null)) return undefined
  const ids = memberId === null ? [...known.idsOf(email ?? "")].toSorted() : [memberId]
  const emails = [
    ...new Set([...(email === null ? [] : [email]), ...ids.flatMap((id) => [...known.emailsOf(id)])]),
  ]
  return {
    effects: effectWithoutReference === null ? [effect] : [effect, effectWithoutReference],
    withoutReference: effectWithoutReference === null ? effect : null,
    ids,
    emails,
    key: JSON.stringify([ids[0] ?? email, effect]),
  }
}
