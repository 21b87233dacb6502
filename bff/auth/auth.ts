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
import { createAccounts } from "./accounts.ts"
import { createLibrary, type LibraryOptions } from "./library.ts"
import { longestSessionSeconds } from "./session-times.ts"
import { createSessions, type OpenSession, type Sessions } from "./sessions.ts"
import {
  changeOwnPassword,
  type GuessablePassword,
  readLinkPurpose,
  setPassword,
  type SetPasswordRefusal,
} from "./set-password.ts"
import {
  createSignInThrottle,
  defaultSignInLimits,
  type SignInLimits,
  type SignInThrottle,
} from "./sign-in-throttle.ts"
import { countAdmins } from "./users.ts"

/** Everything about people and their sessions. */
export interface Auth {
  readonly sessions: Sessions
  readonly accounts: Accounts
  readonly throttle: SignInThrottle
  /** What a one-time link is for; undefined when it opens nothing. */
  linkPurpose(token: string): Promise<LinkPurpose | undefined>
  /** Sets a password through a one-time link; the address to sign in with. */
  setPassword(
    body: SetPasswordBody,
  ): Promise<{ email: string; userId: string } | SetPasswordRefusal | GuessablePassword>
  /** Changes the password of whoever is signed in. Their other sessions end. */
  changePassword(
    by: OpenSession,
    body: ChangePasswordBody,
  ): Promise<"changed" | "wrong_password" | GuessablePassword>
  /** What the sign-in page may know before anybody is signed in. */
  signInHelp(): Promise<Pick<About, "set_up_needed" | "demo_accounts">>
}

/** What sign-in is set up with. */
interface AuthOptions extends LibraryOptions {
  readonly environment: Environment
  /** How long a session lives at most, in seconds. */
  readonly longestSession?: number | undefined
  readonly signInLimits?: SignInLimits | undefined
}

/** Sets up sign-in over a store. */
export function createAuth(options: AuthOptions): Auth {
  const { engine, secret, longestSession = longestSessionSeconds, signInLimits } = options
  const secure = options.publicOrigin?.startsWith("https://") ?? false
  const accounts = createAccounts(engine)
  return {
    sessions: createSessions(createLibrary(options), engine, longestSession * 1000),
    accounts,
    throttle: createSignInThrottle({ engine, secret, secure, limits: signInLimits ?? defaultSignInLimits }),
    linkPurpose: (token) => readLinkPurpose(engine, token),
    setPassword: (body) => setPassword(engine, body),
    changePassword: (by, body) => changeOwnPassword(engine, by, body),
    signInHelp: async () => ({
      set_up_needed: (await countAdmins(engine.db)) === 0,
      demo_accounts: options.environment === "sandbox" ? await openDemoAccounts(accounts) : [],
    }),
  }
}

/** The demo accounts that still open, with the role each has now: an administrator of the sandbox may have changed them. */
async function openDemoAccounts(accounts: Accounts): Promise<About["demo_accounts"]> {
  const users = await accounts.list()
  return demoPeople.flatMap(({ email }) =>
    users.filter((user) => user.email === email && !user.disabled).map(demoOfferOf),
  )
}
