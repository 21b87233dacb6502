import { hashPassword } from "better-auth/crypto"
import type { Environment } from "../../contract/session.ts"
import { newPassword, type PasswordLink } from "../../contract/users.ts"
import type { Auth } from "../../core/users/accounts.ts"
import { type Engine, StoreRefused } from "../store/engine.ts"
import { openDemoAccounts } from "./demo-accounts.ts"
import { weakPassword } from "./password-strength.ts"
import { createSessions, type SessionOptions } from "./sessions.ts"
import { changeOwnPassword, setPassword } from "./set-password.ts"
import { createSignInThrottle, type SignInLimits } from "./sign-in-throttle.ts"
import { countAdmins, createAccounts, insertUser, makeLink, readLinkPurpose } from "./users.ts"

interface AuthOptions extends SessionOptions {
  readonly environment: Environment
  readonly signInLimits?: SignInLimits | undefined
}

export function createAuth(options: AuthOptions): Auth {
  const { engine, environment } = options
  const accounts = createAccounts(engine)
  return {
    sessions: createSessions(options),
    accounts,
    throttle: createSignInThrottle(options),
    linkPurpose: (token) => readLinkPurpose(engine, token),
    setPassword: (body) => setPassword(engine, body),
    changePassword: (by, body) => changeOwnPassword(engine, by, body),
    signInHelp: async () => ({
      set_up_needed: (await countAdmins(engine.db)) === 0,
      demo_accounts: environment === "sandbox" ? await openDemoAccounts(accounts) : [],
    }),
  }
}

/**
 * Without an administrator: creates the one the environment names, or returns a link for creating one.
 * @throws StoreRefused when the named administrator's password is not allowed
 */
export async function ensureFirstAdmin(
  engine: Engine,
  named: { readonly email: string; readonly password: string } | undefined,
): Promise<PasswordLink | undefined> {
  await engine.db
    .deleteFrom("one_time_link")
    .where("expires_at", "<=", await engine.now())
    .execute()
  if ((await countAdmins(engine.db)) > 0) return undefined
  if (named !== undefined) await requireUsable(named)
  const hash = named === undefined ? undefined : await hashPassword(named.password)
  return engine.db.transaction().execute(async (within) => {
    const now = await engine.lock(within, "users")
    // Another instance may have made one in the meantime.
    if ((await countAdmins(within)) > 0) return undefined
    if (named !== undefined) {
      const user = { name: "Administrator", email: named.email, role: "admin" } as const
      if ((await insertUser(within, user, hash)) !== undefined) return undefined
    }
    return makeLink(within, null, now)
  })
}

/** @throws StoreRefused for a password that is not allowed */
async function requireUsable({ email, password }: { readonly email: string; readonly password: string }) {
  const checked = newPassword.safeParse(password)
  const problem = checked.success
    ? await weakPassword(password, { email })
    : (checked.error.issues[0]?.message ?? "not usable.")
  if (problem !== undefined) throw new StoreRefused(`ADMIN_PASSWORD: ${problem}`)
}
