import { hashPassword } from "better-auth/crypto"
import type { PasswordLink } from "../../contract/users.ts"
import type { Engine } from "../store/engine.ts"
import { forgetOldLinks, makeSetUpLink } from "./one-time-links.ts"
import { countAdmins, insertUserWithin } from "./users.ts"

/**
 * Sees to it that somebody can administer the desk: makes the administrator the environment names if there is none
 * yet, otherwise a link for making one. Returns that link, or undefined when there is an administrator.
 */
export async function ensureFirstAdmin(
  engine: Engine,
  named: { readonly email: string; readonly password: string } | undefined,
): Promise<PasswordLink | undefined> {
  await forgetOldLinks(engine)
  if ((await countAdmins(engine.db)) > 0) return undefined
  const hash = named === undefined ? undefined : await hashPassword(named.password)
  return engine.db.transaction().execute(async (within) => {
    const now = await engine.lock(within, "users")
    // Another instance may have made one in the meantime.
    if ((await countAdmins(within)) > 0) return undefined
    if (named !== undefined && hash !== undefined) {
      const user = { name: "Administrator", email: named.email, role: "admin" } as const
      const id = await insertUserWithin(within, user, hash)
      if (id !== undefined) return undefined
    }
    return makeSetUpLink(within, now)
  })
}
