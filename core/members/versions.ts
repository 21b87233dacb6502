import { memberReader, type Member } from "../../contract/program/member.ts"

/** So many earlier forms are remembered in all. */
const remembered = 2000

/**
 * Earlier forms of members that were shown here. With the form a person saw at hand, an edit can be told apart from
 * what somebody else changed since; the service keeps no versions.
 */
export interface MemberVersions {
  /** Takes note of a member's form that is about to be replaced by another; anything else is ignored. */
  remember(data: unknown, by: unknown): void
  /** The member as it was when `updated_at` had this value. */
  find(id: string, updatedAt: string): Member | undefined
}

/** Makes an empty memory. */
export function createMemberVersions(): MemberVersions {
  const forms = new Map<string, unknown>()
  return {
    remember(data, by) {
      const form = formOf(data)
      if (form === undefined || form.updatedAt === formOf(by)?.updatedAt) return
      forms.set(keyOf(form.id, form.updatedAt), data)
      const oldest = forms.keys().next().value
      if (forms.size > remembered && oldest !== undefined) forms.delete(oldest)
    },
    find(id, updatedAt) {
      const found = memberReader.tolerant.safeParse(forms.get(keyOf(id, updatedAt)))
      return found.success ? found.data : undefined
    },
  }
}

function keyOf(id: string, updatedAt: string): string {
  return JSON.stringify([id, updatedAt])
}

/** What tells one form of one member; undefined for anything that is no member. */
function formOf(data: unknown): { id: string; updatedAt: string } | undefined {
  if (typeof data !== "object" || data === null) return undefined
  const id: unknown = Reflect.get(data, "id")
  const updatedAt: unknown = Reflect.get(data, "updated_at")
  return typeof id === "string" && typeof updatedAt === "string" ? { id, updatedAt } : undefined
}
