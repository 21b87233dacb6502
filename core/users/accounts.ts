import type { About, LinkPurpose, SessionUser } from "../../contract/session.ts"
import type {
  AppUser,
  ChangePasswordBody,
  CreateUserBody,
  OwnSession,
  PasswordLink,
  SetPasswordBody,
  UpdateUserBody,
} from "../../contract/users.ts"

export type UserRefusal = "not_found" | "email_taken" | "last_admin" | "self"

/** Laurel's users. */
export interface Accounts {
  list(): Promise<AppUser[]>
  get(id: string): Promise<AppUser | undefined>
  create(body: CreateUserBody): Promise<{ user: AppUser; link: PasswordLink } | UserRefusal>
  /** Disabling ends every session. Users cannot disable themselves or change their own role (`by`: the requester). */
  update(id: string, body: UpdateUserBody, by: string): Promise<AppUser | UserRefusal>
  /** Earlier links of the user stop working. */
  link(id: string): Promise<PasswordLink | UserRefusal>
}

/** `cookies`: `Set-Cookie` headers that open or renew it in the browser. */
export type OpenSession = Readonly<{ user: SessionUser; sessionId: string; cookies: readonly string[] }>

/** Sessions by the cookie header of a request. */
export interface Sessions {
  /** `use` renews the session; an event stream does not. */
  read(cookieHeader: string | undefined, how: "use" | "watch"): Promise<OpenSession | undefined>
  /** Checks a password and opens a session; undefined when address or password are wrong or the user is disabled. */
  signIn(email: string, password: string, browser?: string): Promise<OpenSession | undefined>
  /** Ends the session and returns it. */
  end(cookieHeader: string | undefined): Promise<OpenSession | undefined>
  /** The user's open sessions, the one used last first. */
  list(opened: OpenSession): Promise<OwnSession[]>
  /** Ends one of the user's other sessions, or all of them. */
  endOtherSessions(opened: OpenSession, id?: string): Promise<void>
  /** `Set-Cookie` headers that remove the session from the browser. */
  cleared(): Promise<readonly string[]>
}

/** Allowed and counted as failed until it succeeds; or the ms to wait. */
export type Attempt = { succeeded(): Promise<void> } | { readonly waitMs: number }

/** Counts attempts before the password or link is checked, so that parallel guesses gain nothing. */
interface Throttle {
  signIn(attempt: {
    readonly email: string
    readonly address: string
    readonly cookieHeader: string | undefined
  }): Promise<Attempt>
  link(address: string): Promise<Attempt>
  ownPassword(userId: string): Promise<Attempt>
  /** `Set-Cookie` header that exempts this browser's next sign-ins to the account from others' failures. */
  browserCookie(email: string, cookieHeader: string | undefined): string
}

export type SetPasswordRefusal = "link_unknown" | "details_missing" | "email_taken"
/** Why a password is too easy to guess, as a sentence. */
type WeakPassword = { readonly weak: string }

/** Users, sessions and passwords, as each shell stores them. */
export interface Auth {
  readonly accounts: Accounts
  readonly sessions: Sessions
  readonly throttle: Throttle
  /** Purpose of a one-time link, without consuming it; undefined when it is not valid. */
  linkPurpose(token: string): Promise<LinkPurpose | undefined>
  /** Sets a password through a one-time link, which ends every session of the user; returns who signs in with it. */
  setPassword(
    body: SetPasswordBody,
  ): Promise<{ readonly email: string; readonly userId: string } | SetPasswordRefusal | WeakPassword>
  /** Changes the password of a user who proves the present one; their other sessions and open links end. */
  changePassword(
    by: OpenSession,
    body: ChangePasswordBody,
  ): Promise<"changed" | "wrong_password" | WeakPassword>
  signInHelp(): Promise<Pick<About, "set_up_needed" | "demo_accounts">>
}
