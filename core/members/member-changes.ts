import { LRUCache } from "lru-cache"
import type { AuditChange } from "../../contract/audit.ts"
import { memberDetailNames } from "../../contract/program/member-fields.ts"
import { type Member, memberReader, type UpdateMemberBody } from "../../contract/program/member.ts"
import { auditText } from "../audit/audit-log.ts"

const editable = ["first_name", "last_name", ...memberDetailNames, "status", "metadata"] as const
type Editable = (typeof editable)[number]

function fieldsOf(patch: UpdateMemberBody): Editable[] {
  return editable.filter((field) => patch[field] !== undefined)
}

/** Fields that others changed since the person saw the member; `unknown` when that version is not cached. */
export function overlapping(
  patch: UpdateMemberBody,
  seen: Member | undefined,
  current: Member,
): readonly Editable[] | "unknown" {
  if (seen === undefined) return "unknown"
  return fieldsOf(patch).filter(
    (field) => !isSame(seen[field], current[field]) && !isSame(current[field], patch[field]),
  )
}

/** Whether the record carries everything that an edit set; further metadata keys do not matter. */
export function isAtTarget(patch: UpdateMemberBody, member: Member): boolean {
  return fieldsOf(patch).every((field) => {
    if (field === "metadata") return metadataDifferences(patch.metadata, member.metadata).missing.length === 0
    if (field === "status") return patch.status === member.status?.toLowerCase()
    return isSame(patch[field], member[field])
  })
}

/** Keys missing as sent, and left-out keys still there: merging is undocumented (docs/open-points.md). */
export function metadataDifferences(
  sent: UpdateMemberBody["metadata"],
  found: Member["metadata"],
): { missing: string[]; remaining: string[] } {
  const had = found ?? {}
  const wanted = sent ?? {}
  return {
    missing: Object.keys(wanted).filter((key) => !isSame(ownValue(wanted, key), ownValue(had, key))),
    remaining: Object.keys(had).filter((key) => !Object.hasOwn(wanted, key) && !isSame(had[key], undefined)),
  }
}

/** What an edit changed, field by field, metadata key by key, for the log. */
export function changesOf(patch: UpdateMemberBody, before: Member | undefined): AuditChange[] {
  return fieldsOf(patch).flatMap((field) => {
    if (field !== "metadata") return changeOf(field, before?.[field], patch[field])
    const [from, to] = [before?.metadata ?? {}, patch.metadata ?? {}]
    const keys = [...new Set([...Object.keys(from), ...Object.keys(to)])]
    return keys.flatMap((key) => changeOf(`metadata.${key}`, ownValue(from, key), ownValue(to, key)))
  })
}

function changeOf(field: string, from: unknown, to: unknown): AuditChange[] {
  return isSame(from, to) ? [] : [{ field, from: auditText(from), to: auditText(to) }]
}

/** Whether two values are the same to a person: empty text and nothing are one, objects are compared by key. */
function isSame(one: unknown, other: unknown): boolean {
  if (isNothing(one) || isNothing(other)) return isNothing(one) && isNothing(other)
  if (typeof one !== "object" || typeof other !== "object") return one === other
  if (one === null || other === null || Array.isArray(one) !== Array.isArray(other)) return false
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].every((name) => isSame(ownValue(one, name), ownValue(other, name)))
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === ""
}

/** A field of an object, and nothing that every object inherits: a metadata key may be called `constructor`. */
export function ownValue(record: object, name: string): unknown {
  return Object.hasOwn(record, name) ? Reflect.get(record, name) : undefined
}

const maxVersions = 2000

export type MemberVersions = ReturnType<typeof createMemberVersions>

/** Earlier versions of members as people saw them, because the service keeps none. */
export function createMemberVersions() {
  const versions = new LRUCache<string, object>({ max: maxVersions })
  return {
    /** Keeps a version that is about to be replaced by another; anything else is ignored. */
    remember(data: unknown, by: unknown): void {
      const version = versionOf(data)
      if (version === undefined || version.updatedAt === versionOf(by)?.updatedAt) return
      versions.set(keyOf(version.id, version.updatedAt), version.data)
    },
    find: (id: string, updatedAt: string): Member | undefined =>
      memberReader.tolerant.safeParse(versions.get(keyOf(id, updatedAt))).data,
    forget(id: string): void {
      for (const [key, data] of versions.entries()) if (versionOf(data)?.id === id) versions.delete(key)
    },
  }
}

function keyOf(id: string, updatedAt: string): string {
  return JSON.stringify([id, updatedAt])
}

function versionOf(data: unknown): { id: string; updatedAt: string; data: object } | undefined {
  if (typeof data !== "object" || data === null) return undefined
  const id: unknown = Reflect.get(data, "id")
  const updatedAt: unknown = Reflect.get(data, "updated_at")
  return typeof id === "string" && typeof updatedAt === "string" ? { id, updatedAt, data } : undefined
}
