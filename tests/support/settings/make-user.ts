import type { AppUser, Session } from "../../../contract/users.ts"
import { grantOf, permissions, type Permission, type Role } from "../../../contract/roles.ts"

/** A user who may sign in. */
export function makeUser(changes: Partial<AppUser> & Pick<AppUser, "id" | "name">): AppUser {
  return {
    email: `${changes.id}@laurel.test`,
    role: "viewer",
    disabled: false,
    has_password: true,
    created_at: "2026-01-05T00:00:00Z",
    last_seen_at: "2026-11-20T23:00:00Z",
    ...changes,
  }
}

/** The session of Helen Park, user id `helen`. */
export function makeSession(role: Role): Session {
  const granted = Object.keys(permissions).map((key) => [key, grantOf(role, key as Permission)])
  return {
    user: { id: "helen", name: "Helen Park", email: "helen@laurel.test", role },
    permissions: Object.fromEntries(granted),
    environment: "sandbox",
    program: { name: "Coastal Rewards", time_zone: "Australia/Brisbane", currency: "AUD" },
  }
}
