import type { AppUser } from "../../contract/users.ts"

/** A user who may sign in. */
export function appUser(changes: Partial<AppUser> & Pick<AppUser, "id" | "name">): AppUser {
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

/** Two administrators (Helen is who `openPage` signs in as one), a manager, and Ana, who has not used her link. */
export const people: readonly AppUser[] = [
  appUser({ id: "user-admin", name: "Helen Park", role: "admin" }),
  appUser({ id: "olga", name: "Olga Reyes", role: "admin" }),
  appUser({ id: "priya", name: "Priya Nair", role: "manager" }),
  appUser({ id: "ana", name: "Ana Silva", has_password: false, last_seen_at: null }),
]
