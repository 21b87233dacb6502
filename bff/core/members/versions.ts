import { memberReader, type Member } from "../../../contract/program/member.ts"

/** So many earlier forms are remembered in all. */
const remembered = 2000

/**
 * Earlier forms of members that were shown here. With the form a person saw at hand, an edit can be told apart from
 * what somebody else changed since; the service keeps no versions.
 */
export interface MemberVersions {
  /** Takes note of a member that is about to be replaced; anything else is ignored. */
  remember(data: unknown): void
  /** The member as it was when `updated_at` had this value. */
  find(id: string, updatedAt: string): Member | undefined
}

/** Makes an empty memory. */
export function createMemberVersions(): MemberVersions {
  const forms = new Map<string, Member>()
  return {
    remember(data) {
      const parsed = memberReader.tolerant.safeParse(data)
      if (!parsed.success || typeof parsed.data.updated_at !== "string") return
      forms.set(keyOf(parsed.data.id, parsed.data.updated_at), parsed.data)
      const oldest = forms.keys().next().value
      if (forms.size > remembered && oldest !== undefined) forms.delete(oldest)
    },
    find: (id, updatedAt) => forms.get(keyOf(id, updatedAt)),
  }
}

function keyOf(id: string, updatedAt: string): string {
  return JSON.stringify([id, updatedAt])
}
