import * as z from "zod/mini"
import {
  type AppUser,
  appUser,
  type ChangePasswordBody,
  demoPassword,
  demoPeople,
  type PasswordLink,
  type UpdateUserBody,
} from "../../contract/users.ts"
import type { Accounts, EventBus, UserRefusal } from "../../core/ports.ts"

const dayMs = 24 * 60 * 60 * 1000

/** Users and links as they are kept between visits: no password; of a link's token only its hash. */
export const keptAccounts = z.object({
  users: z.array(appUser),
  links: z.array(z.object({ hash: z.string(), user_id: z.string(), expires_at: z.number() })),
})

/**
 * Creates the demo's users: the port of the core, and what signing in needs beside it. The rules are those of the
 * server's accounts: the last administrator stays, nobody demotes themselves.
 */
export function createDemoAccounts(events: EventBus, kept: z.output<typeof keptAccounts> | undefined) {
  const users = new Map((kept?.users ?? firstUsers()).map((user) => [user.id, user]))
  let links = kept?.links ?? []
  /** Passwords set in this tab. They are forgotten with it. */
  const passwords = new Map<string, string>()
  const passwordOf = (id: string) => passwords.get(id) ?? demoPassword

  const byEmail = (email: string) =>
    [...users.values()].find((user) => user.email === email.trim().toLowerCase())
  const save = (user: AppUser): AppUser => {
    users.set(user.id, user)
    return { ...user }
  }
  const forgetLinks = (userId: string) => {
    links = links.filter((link) => link.user_id !== userId)
  }
  const makeLink = async (userId: string): Promise<PasswordLink> => {
    const token = base64url(crypto.getRandomValues(new Uint8Array(32)))
    const hash = await hashOf(token)
    const expiresAt = Date.now() + dayMs
    forgetLinks(userId)
    links.push({ hash, user_id: userId, expires_at: expiresAt })
    return { path: `/set-password#token=${token}`, expires_at: new Date(expiresAt).toISOString() }
  }
  /** Whose password a one-time link sets; undefined when it opens nothing. */
  const linkOwner = async (token: string) => {
    const hash = await hashOf(token)
    const link = links.find((one) => one.hash === hash && one.expires_at > Date.now())
    const user = users.get(link?.user_id ?? "")
    return user?.disabled === false ? user : undefined
  }
  const refusalOf = (user: AppUser, body: UpdateUserBody, by: string): UserRefusal | undefined => {
    const losesRole = body.role !== undefined && body.role !== user.role
    const isClosed = body.disabled === true && !user.disabled
    if (!losesRole && !isClosed) return undefined
    const admins = [...users.values()].filter((other) => other.role === "admin" && opens(other))
    if (user.role === "admin" && !user.disabled && admins.length === 1) return "last_admin"
    return user.id === by ? "self" : undefined
  }

  const port: Accounts = {
    list: async () => structuredClone([...users.values()]),
    get: async (id) => structuredClone(users.get(id)),
    async create({ name, email, role }) {
      if (byEmail(email) !== undefined) return "email_taken"
      const id = `usr_${crypto.randomUUID().slice(0, 8)}`
      const user = save(newUser({ id, name, email: email.toLowerCase(), role }, false))
      return { user, link: await makeLink(id) }
    },
    async update(id, body, by) {
      const user = users.get(id)
      if (user === undefined) return "not_found"
      const refusal = refusalOf(user, body, by)
      if (refusal !== undefined) return refusal
      const { name = user.name, role = user.role, disabled = user.disabled } = body
      if (disabled) forgetLinks(id)
      const saved = save({ ...user, name, role, disabled })
      events.publish({ topic: "session", id })
      return saved
    },
    link: async (id) => (users.has(id) ? makeLink(id) : "not_found"),
  }
  return {
    ...port,
    /** The user these credentials open; undefined when they are wrong or the account is disabled. */
    check(email: string, password: string) {
      const user = byEmail(email)
      return user !== undefined && opens(user) && passwordOf(user.id) === password ? user : undefined
    },
    /** The user, if they may work here now; notes that they were seen. */
    active(id: string | null) {
      const user = users.get(id ?? "")
      if (user === undefined || user.disabled) return undefined
      return save({ ...user, last_seen_at: new Date().toISOString() })
    },
    linkOwner,
    async setPassword(token: string, password: string) {
      const user = await linkOwner(token)
      if (user === undefined) return undefined
      forgetLinks(user.id)
      passwords.set(user.id, password)
      return save({ ...user, has_password: true })
    },
    /** Changes a user's own password; false when the current one is not right. */
    changePassword(id: string, body: ChangePasswordBody) {
      if (passwordOf(id) !== body.current_password) return false
      passwords.set(id, body.new_password)
      forgetLinks(id)
      return true
    },
    /** Users the sign-in page offers with one click: a password of one's own is typed. */
    offered: () => [...users.values()].filter((user) => opens(user) && !passwords.has(user.id)),
    kept: () => ({
      users: [...users.values()],
      links: links.filter((link) => link.expires_at > Date.now()),
    }),
  }
}

function opens(user: AppUser): boolean {
  return user.has_password && !user.disabled
}

function firstUsers(): AppUser[] {
  return demoPeople.map((person) => newUser(person, true))
}

function newUser(
  { id, name, email, role }: Pick<AppUser, "id" | "name" | "email" | "role">,
  has_password: boolean,
): AppUser {
  const created_at = new Date().toISOString()
  return { id, name, email, role, disabled: false, has_password, created_at, last_seen_at: null }
}

async function hashOf(token: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token))
  return base64url(new Uint8Array(digest))
}

function base64url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes))
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")
}
