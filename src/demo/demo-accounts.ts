import * as z from "zod/mini"
import {
  type ChangePasswordBody,
  demoPassword,
  demoPeople,
  appUser,
  type AppUser,
  type PasswordLink,
  type UpdateUserBody,
} from "../../contract/users.ts"
import type { Accounts, EventBus, UserRefusal } from "../../core/ports.ts"

const dayMs = 24 * 60 * 60 * 1000

/** A link that was handed out: the token itself is never kept, only what it is recognised by. */
const keptLink = z.object({ hash: z.string(), user_id: z.string(), expires_at: z.number() })
/** A link that was handed out. */
type KeptLink = z.output<typeof keptLink>

/** Users and links as they are kept between visits: no password, no token. */
export const keptAccounts = z.object({ users: z.array(appUser), links: z.array(keptLink) })
/** Users and links as they are kept between visits. */
type KeptAccounts = z.output<typeof keptAccounts>

/** The demo's users: the port of the core, and what signing in needs beside it. */
export interface DemoAccounts extends Accounts {
  /** The user these credentials open; undefined when they are wrong or the account is closed. */
  check(email: string, password: string): AppUser | undefined
  /** The user, if they may work here now; notes that they were seen. */
  active(id: string | null): AppUser | undefined
  /** Whose password a one-time link sets; undefined when it opens nothing. */
  linkOwner(token: string): Promise<AppUser | undefined>
  /** Sets the password by a one-time link and uses the link up. */
  setPassword(token: string, password: string): Promise<AppUser | undefined>
  /** Changes a user's own password; false when the current one is not right. */
  changePassword(id: string, body: ChangePasswordBody): boolean
  /** Users the sign-in page offers with one click. */
  offered(): AppUser[]
  kept(): KeptAccounts
}

interface AccountsOptions {
  readonly events: EventBus
  readonly now: () => number
  /** Users and links of an earlier visit. */
  readonly kept: KeptAccounts | undefined
}

/** Makes them. The rules are those of the server's accounts: the last administrator stays, nobody demotes themselves. */
export function createDemoAccounts({ events, now, kept }: AccountsOptions): DemoAccounts {
  const users = new Map((kept?.users ?? firstUsers(now())).map((user) => [user.id, user]))
  const links = createOneTimeLinks(kept?.links ?? [], now)
  /** Passwords set in this tab. They are forgotten with it. */
  const passwords = new Map<string, string>()

  const byEmail = (email: string) =>
    [...users.values()].find((user) => user.email === email.trim().toLowerCase())
  const save = (user: AppUser): AppUser => {
    users.set(user.id, user)
    return { ...user }
  }
  const linkOwner = async (token: string) => {
    const user = users.get((await links.find(token)) ?? "")
    return user === undefined || user.disabled ? undefined : user
  }

  function whyNot(user: AppUser, body: UpdateUserBody, by: string): UserRefusal | undefined {
    const losesRole = body.role !== undefined && body.role !== user.role
    const isClosed = body.disabled === true && !user.disabled
    if (!losesRole && !isClosed) return undefined
    const admins = [...users.values()].filter((other) => other.role === "admin" && opens(other))
    if (user.role === "admin" && !user.disabled && admins.length === 1) return "last_admin"
    return user.id === by ? "self" : undefined
  }

  return {
    list: async () => structuredClone([...users.values()]),
    get: async (id) => structuredClone(users.get(id)),
    async create({ name, email, role }) {
      if (byEmail(email) !== undefined) return "email_taken"
      const user = save({
        id: `usr_${crypto.randomUUID().slice(0, 8)}`,
        name,
        email: email.toLowerCase(),
        role,
        disabled: false,
        has_password: false,
        created_at: new Date(now()).toISOString(),
        last_seen_at: null,
      })
      return { user, link: await links.make(user.id) }
    },
    async update(id, body, by) {
      const user = users.get(id)
      if (user === undefined) return "not_found"
      const refusal = whyNot(user, body, by)
      if (refusal !== undefined) return refusal
      const { name = user.name, role = user.role, disabled = user.disabled } = body
      if (disabled) links.forget(id)
      const saved = save({ ...user, name, role, disabled })
      events.publish({ topic: "session", id })
      return saved
    },
    link: async (id) => (users.has(id) ? links.make(id) : "not_found"),
    check(email, password) {
      const user = byEmail(email)
      if (user === undefined || !opens(user)) return undefined
      return (passwords.get(user.id) ?? demoPassword) === password ? user : undefined
    },
    active(id) {
      const user = users.get(id ?? "")
      if (user === undefined || user.disabled) return undefined
      return save({ ...user, last_seen_at: new Date(now()).toISOString() })
    },
    linkOwner,
    async setPassword(token, password) {
      const user = await linkOwner(token)
      if (user === undefined) return undefined
      links.forget(user.id)
      passwords.set(user.id, password)
      return save({ ...user, has_password: true })
    },
    changePassword(id, body) {
      if ((passwords.get(id) ?? demoPassword) !== body.current_password) return false
      passwords.set(id, body.new_password)
      links.forget(id)
      return true
    },
    // A password of one's own is typed, not offered.
    offered: () => [...users.values()].filter((user) => opens(user) && !passwords.has(user.id)),
    kept: () => ({ users: [...users.values()], links: links.kept() }),
  }
}

/** Whether the account lets anybody in. */
function opens(user: AppUser): boolean {
  return user.has_password && !user.disabled
}

function firstUsers(now: number): AppUser[] {
  const at = new Date(now).toISOString()
  return demoPeople.map(({ id, name, email, role }) => {
    return { id, name, email, role, disabled: false, has_password: true, created_at: at, last_seen_at: null }
  })
}

/** One-time password links. */
interface OneTimeLinks {
  /** A new link for the user, for 24 hours; earlier ones stop working. */
  make(userId: string): Promise<PasswordLink>
  /** Whose password the token sets; undefined when it opens nothing. */
  find(token: string): Promise<string | undefined>
  /** Forgets every link of the user: it was used, or the account was closed. */
  forget(userId: string): void
  kept(): KeptLink[]
}

/** Makes them, with those of an earlier visit. `now` gives ms since 1970. */
function createOneTimeLinks(earlier: readonly KeptLink[], now: () => number): OneTimeLinks {
  let links = [...earlier]
  return {
    async make(userId) {
      const token = base64url(crypto.getRandomValues(new Uint8Array(32)))
      const hash = await hashOf(token)
      const expiresAt = now() + dayMs
      links = [
        ...links.filter((link) => link.user_id !== userId),
        { hash, user_id: userId, expires_at: expiresAt },
      ]
      return { path: `/set-password#token=${token}`, expires_at: new Date(expiresAt).toISOString() }
    },
    async find(token) {
      const hash = await hashOf(token)
      return links.find((link) => link.hash === hash && link.expires_at > now())?.user_id
    },
    forget(userId) {
      links = links.filter((link) => link.user_id !== userId)
    },
    kept: () => links.filter((link) => link.expires_at > now()),
  }
}

async function hashOf(token: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token))
  return base64url(new Uint8Array(digest))
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "")
}
