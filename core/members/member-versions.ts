import { LRUCache } from "lru-cache"
import { type Member, memberReader } from "../../contract/program/member.ts"

/** Earlier versions that are kept in all. */
const mostKept = 2000

/**
 * Earlier versions of members that were shown here. With the version a person saw at hand, an edit can be told apart from
 * what somebody else changed since; the service keeps no versions.
 */
export interface MemberVersions {
  /** Keeps a member's version that is about to be replaced by another; anything else is ignored. */
  remember(data: unknown, by: unknown): void
  /** The member as it was when `updated_at` had this value. */
  find(id: string, updatedAt: string): Member | undefined
}

/** Makes an empty memory. */
export function createMemberVersions(): MemberVersions {
  const versions = new LRUCache<string, object>({ max: mostKept })
  return {
    remember(data, by) {
      const version = versionOf(data)
      if (version === undefined || version.updatedAt === versionOf(by)?.updatedAt) return
      versions.set(keyOf(version.id, version.updatedAt), version.data)
    },
    find: (id, updatedAt) => memberReader.tolerant.safeParse(versions.get(keyOf(id, updatedAt))).data,
  }
}

function keyOf(id: string, updatedAt: string): string {
  return JSON.stringify([id, updatedAt])
}

/** What identifies one version of one member; undefined for anything that is no member. */
function versionOf(data: unknown): { id: string; updatedAt: string; data: object } | undefined {
  if (typeof data !== "object" || data === null) return undefined
  const id: unknown = Reflect.get(data, "id")
  const updatedAt: unknown = Reflect.get(data, "updated_at")
  return typeof id === "string" && typeof updatedAt === "string" ? { id, updatedAt, data } : undefined
}
