import {
  createAccounts,
  insertUser,
  readLinkPurpose,
  readUser,
  consumeLink,
  writePassword,
} from "../../bff/auth/users.ts"
import type { Engine } from "../../bff/store/engine.ts"
import { type AppUser, type ChangePasswordBody, demoPassword, demoPeople } from "../../contract/users.ts"

/** Stands in the store where a server has a hash: no password is kept. */
const noHash = ""

/** The server's accounts over the demo's store, and what signing in needs beside them; the demo's people are added. */
export async function createDemoAccounts(engine: Engine) {
  const { db } = engine
  const accounts = createAccounts(engine)
  /** Passwords set in this tab. They are forgotten with it. */
  const passwords = new Map<string, string>()
  const passwordOf = (id: string) => passwords.get(id) ?? demoPassword
  for (const person of demoPeople) await insertUser(db, person, noHash)

  const opening = async () => (await accounts.list()).filter((user) => user.has_password && !user.disabled)
  const forgetLinks = (id: string) => db.deleteFrom("one_time_link").where("user_id", "=", id).execute()
  return {
    ...accounts,
    /** The user these credentials open; undefined when they are wrong or the account is disabled. */
    async check(email: string, password: string) {
      const user = (await opening()).find((one) => one.email === email.toLowerCase())
      return user !== undefined && passwordOf(user.id) === password ? user : undefined
    },
    /** The user, if they may work here now; notes that they were seen. */
    async active(id: string | null): Promise<AppUser | undefined> {
      const user = id === null ? undefined : await accounts.get(id)
      if (user === undefined || user.disabled) return undefined
      await db.updateTable("desk_user").set({ last_seen_at: Date.now() }).where("id", "=", user.id).execute()
      return user
    },
    linkPurpose: (token: string) => readLinkPurpose(engine, token),
    /** Sets a password through a one-time link and returns whose it is; undefined when the link opens nothing. */
    async setPassword(token: string, password: string) {
      const link = await consumeLink(db, token, await engine.now())
      const user = link?.userId ? await readUser(db, link.userId) : undefined
      if (user === undefined || user.disabled) return undefined
      await writePassword(db, user.id, noHash)
      passwords.set(user.id, password)
      return user
    },
    /** Changes a user's own password; false when the current one is not right. */
    async changePassword(id: string, body: ChangePasswordBody) {
      if (passwordOf(id) !== body.current_password) return false
      passwords.set(id, body.new_password)
      await forgetLinks(id)
      return true
    },
    /** Users the sign-in page offers with one click: a password of one's own is typed. */
    offered: async () => (await opening()).filter(({ id }) => !passwords.has(id)),
  }
}
