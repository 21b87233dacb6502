import {
  type About,
  type ChangePasswordBody,
  demoOfferOf,
  demoPeople,
  type Environment,
  type SetPasswordBody,
} from "../../contract/users.ts"
import { createSessions, type OpenSession, type SessionOptions } from "./sessions.ts"
import { changeOwnPassword, setPassword } from "./set-password.ts"
import { createSignInThrottle, type SignInLimits } from "./sign-in-throttle.ts"
import { countAdmins, createAccounts, readLinkPurpose } from "./users.ts"

export type Auth = ReturnType<typeof createAuth>

interface AuthOptions extends SessionOptions {
  readonly environment: Environment
  readonly signInLimits?: SignInLimits | undefined
}

export function createAuth(options: AuthOptions) {
  const { engine, environment } = options
  const accounts = createAccounts(engine)
  // Those that still open, with the role each has now: an administrator of the sandbox may have changed them.
  const openDemoAccounts = async () => {
    const users = (await accounts.list()).filter(({ disabled }) => !disabled)
    return demoPeople.flatMap(({ email }) => users.filter((user) => user.email === email).map(demoOfferOf))
  }
  return {
    sessions: createSessions(options),
    accounts,
    throttle: createSignInThrottle(options),
    linkPurpose: (token: string) => readLinkPurpose(engine, token),
    setPassword: (body: SetPasswordBody) => setPassword(engine, body),
    changePassword: (by: OpenSession, body: ChangePasswordBody) => changeOwnPassword(engine, by, body),
    signInHelp: async (): Promise<Pick<About, "set_up_needed" | "demo_accounts">> => ({
      set_up_needed: (await countAdmins(engine.db)) === 0,
      demo_accounts: environment === "sandbox" ? await openDemoAccounts() : [],
    }),
  }
}
