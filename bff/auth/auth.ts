import type { About, Environment, LinkPurpose, SetPasswordBody } from "../../contract/desk/session.ts"
import { demoOfferOf, demoPeople } from "../../contract/desk/demo-people.ts"
import type { Accounts } from "../core/ports.ts"
import { createAccounts } from "./accounts.ts"
import { createLibrary, type LibraryOptions } from "./library.ts"
import { createSessions, type Sessions } from "./sessions.ts"
import { readLinkPurpose, setPassword, type SetPasswordRefusal } from "./set-password.ts"
import { countAdmins } from "./users.ts"

/** Everything about people and their sessions. */
export interface Auth {
  readonly sessions: Sessions
  readonly accounts: Accounts
  /** What a one-time link is for; undefined when it opens nothing. */
  linkPurpose(token: string): Promise<LinkPurpose | undefined>
  /** Sets a password through a one-time link; the address to sign in with. */
  setPassword(body: SetPasswordBody): Promise<{ email: string; userId: string } | SetPasswordRefusal>
  /** What the sign-in page may know before anybody is signed in. */
  signInHelp(): Promise<Pick<About, "set_up_needed" | "demo_accounts">>
}

/** Sets up sign-in over a store. */
export function createAuth(options: LibraryOptions & { readonly environment: Environment }): Auth {
  const { engine } = options
  const accounts = createAccounts(engine)
  return {
    sessions: createSessions(createLibrary(options), engine),
    accounts,
    linkPurpose: (token) => readLinkPurpose(engine, token),
    setPassword: (body) => setPassword(engine, body),
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
