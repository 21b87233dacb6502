import {
  type About,
  type ChangePasswordBody,
  demoOfferOf,
  demoPeople,
  type Environment,
  type LinkPurpose,
  type SetPasswordBody,
} from "../../contract/users.ts"
import type { Accounts } from "../../core/ports.ts"
import { createSessions, type OpenSession, type SessionOptions, type Sessions } from "./sessions.ts"
import { changeOwnPassword, readLinkPurpose, setPassword } from "./set-password.ts"
import { createSignInThrottle, type SignInLimits, type SignInThrottle } from "./sign-in-throttle.ts"
import { countAdmins, createAccounts } from "./users.ts"

/** Everything about people and their sessions. */
export interface Auth {
  readonly sessions: Sessions
  readonly accounts: Accounts
  readonly throttle: SignInThrottle
  /** What a one-time link is for; undefined when it opens nothing. */
  linkPurpose(token: string): Promise<LinkPurpose | undefined>
  /** Sets a password through a one-time link; the address to sign in with. */
  setPassword(body: SetPasswordBody): ReturnType<typeof setPassword>
  /** Changes the password of whoever is signed in. Their other sessions end. */
  changePassword(by: OpenSession, body: ChangePasswordBody): ReturnType<typeof changeOwnPassword>
  /** What the sign-in page may know before anybody is signed in. */
  signInHelp(): Promise<Pick<About, "set_up_needed" | "demo_accounts">>
}

interface AuthOptions extends SessionOptions {
  readonly environment: Environment
  readonly signInLimits?: SignInLimits | undefined
}

/** Sets up sign-in over a store. */
export function createAuth(options: AuthOptions): Auth {
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
    linkPurpose: (token) => readLinkPurpose(engine, token),
    setPassword: (body) => setPassword(engine, body),
    changePassword: (by, body) => changeOwnPassword(engine, by, body),
    signInHelp: async () => ({
      set_up_needed: (await countAdmins(engine.db)) === 0,
      demo_accounts: environment === "sandbox" ? await openDemoAccounts() : [],
    }),
  }
}
