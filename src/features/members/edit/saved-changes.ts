import type { Member } from "../../../../contract/program/member.ts"
import { sameValue } from "../../../lib/same-value.ts"

/** One value that is another than before. */
export interface SavedChange {
  readonly label: string
  readonly from: unknown
  readonly to: unknown
}

const fields = [
  ["first_name", "First name"],
  ["last_name", "Last name"],
  ["company", "Company"],
  ["phone", "Phone"],
  ["status", "Status"],
] as const

/** What is another in the service's copy than in the one before, metadata key by key. */
export function savedChanges(before: Member, after: Member): SavedChange[] {
  const changes: SavedChange[] = fields.map(([field, label]) => ({
    label,
    from: before[field] ?? "",
    to: after[field] ?? "",
  }))
  const was = before.metadata ?? {}
  const is = after.metadata ?? {}
  for (const key of new Set([...Object.keys(was), ...Object.keys(is)])) {
    changes.push({ label: key, from: was[key] ?? "", to: is[key] ?? "" })
  }
  return changes.filter(({ from, to }) => !sameValue(from, to))
}
