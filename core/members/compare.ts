import type { AuditChange } from "../../contract/audit.ts"
import type { Member, UpdateMemberBody } from "../../contract/program/member.ts"
import { auditText } from "../audit-log.ts"
import { ownValue, sameValue } from "./same-value.ts"

const editable = ["first_name", "last_name", "company", "phone", "status", "metadata"] as const
type Editable = (typeof editable)[number]

function fieldsOf(patch: UpdateMemberBody): Editable[] {
  return editable.filter((field) => patch[field] !== undefined)
}

/**
 * Fields of an edit that somebody else changed since the person saw the member, to something other than what the
 * edit sets; `unknown` when the form the person saw is not at hand.
 */
export function overlapping(
  patch: UpdateMemberBody,
  seen: Member | undefined,
  current: Member,
): readonly Editable[] | "unknown" {
  if (seen === undefined) return "unknown"
  return fieldsOf(patch).filter(
    (field) => !sameValue(seen[field], current[field]) && !sameValue(current[field], patch[field]),
  )
}

/** Whether the record carries everything that an edit set; further metadata keys do not matter. */
export function isAtTarget(patch: UpdateMemberBody, member: Member): boolean {
  return fieldsOf(patch).every((field) => {
    if (field === "metadata") return metadataDifferences(patch.metadata, member.metadata).missing.length === 0
    if (field === "status") return patch.status === member.status?.toLowerCase()
    return sameValue(patch[field], member[field])
  })
}

/**
 * Keys that were sent and are not there as sent, and keys that were left out and are still there. Whether the service
 * merges or replaces metadata is not documented (docs/decisions/0003-open-points.md).
 */
export function metadataDifferences(
  sent: UpdateMemberBody["metadata"],
  found: Member["metadata"],
): { missing: string[]; kept: string[] } {
  const had = found ?? {}
  const wanted = sent ?? {}
  return {
    missing: Object.keys(wanted).filter((key) => !sameValue(ownValue(wanted, key), ownValue(had, key))),
    kept: Object.keys(had).filter((key) => !Object.hasOwn(wanted, key) && !sameValue(had[key], undefined)),
  }
}

/** What an edit changed, field by field, metadata key by key, for the log. */
export function changesOf(patch: UpdateMemberBody, before: Member | undefined): AuditChange[] {
  return fieldsOf(patch).flatMap((field) => {
    if (field === "metadata") return metadataChanges(patch.metadata ?? {}, before?.metadata ?? {})
    return changeOf(field, before?.[field], patch[field])
  })
}

function metadataChanges(
  to: Readonly<Record<string, unknown>>,
  from: Readonly<Record<string, unknown>>,
): AuditChange[] {
  const keys = [...new Set([...Object.keys(from), ...Object.keys(to)])]
  return keys.flatMap((key) => changeOf(`metadata.${key}`, ownValue(from, key), ownValue(to, key)))
}

function changeOf(field: string, from: unknown, to: unknown): AuditChange[] {
  return sameValue(from, to) ? [] : [{ field, from: auditText(from), to: auditText(to) }]
}
