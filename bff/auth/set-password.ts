import { hashPassword, verifyPassword } from "better-auth/crypto"
import type { Transaction } from "kysely"
import { programSettings } from "../../contract/settings.ts"
import type { SessionUser } from "../../contract/session.ts"
import type { ChangePasswordBody, SetPasswordBody } from "../../contract/users.ts"
import type { Auth, SetPasswordRefusal } from "../../core/users/accounts.ts"
import type { Engine } from "../store/engine.ts"
import { settingsStore } from "../store/plain-stores.ts"
import type { Database } from "../store/schema.ts"
import { type PasswordOwner, weakPassword } from "./password-strength.ts"
import {
  countAdmins,
  findLink,
  insertUser,
  passwordHashOf,
  readUser,
  consumeLink,
  writePassword,
} from "./users.ts"

/**
 * Sets a password through a one-time link, or creates the first administrator through the set-up link. The link is
 * used up only when that worked, and every session of the user ends. Returns the address to sign in with.
 */
export async function setPassword(engine: Engine, body: SetPasswordBody): ReturnType<Auth["setPassword"]> {
  // A hash is slow on purpose: compute none without a valid link.
  const link = await findLink(engine.db, body.token, await engine.now())
  if (link === undefined) return "link_unknown"
  const owner = link.userId === null ? body : await readUser(engine.db, link.userId)
  const weak = await weakIn(engine, body.password, owner)
  if (weak !== undefined) return { weak }
  const hash = await hashPassword(body.password)
  try {
    return await engine.db.transaction().execute(async (within) => {
      const now = await engine.lock(within, "users")
      const link = await consumeLink(within, body.token, now)
      if (link === undefined) throw new Refused("link_unknown")
      if (link.userId === null) return await createFirstAdmin(within, body, hash)
      const user = await readUser(within, link.userId)
      if (user === undefined || user.disabled) throw new Refused("link_unknown")
      await writePassword(within, user.id, hash)
      await within.deleteFrom("app_session").where("user_id", "=", user.id).execute()
      return { email: user.email, userId: user.id }
    })
  } catch (error) {
    if (error instanceof Refused) return error.reason
    throw error
  }
}

/** Thrown to roll the transaction back, so that a refused attempt leaves the link valid. */
class Refused extends Error {
  readonly reason: SetPasswordRefusal
  constructor(reason: SetPasswordRefusal) {
    super(reason)
    this.reason = reason
  }
}

async function createFirstAdmin(within: Transaction<Database>, body: SetPasswordBody, hash: string) {
  if (body.name === undefined || body.email === undefined) throw new Refused("details_missing")
  if ((await countAdmins(within)) > 0) throw new Refused("link_unknown")
  const email = body.email.toLowerCase()
  const userId = await insertUser(within, { name: body.name, email, role: "admin" }, hash)
  if (userId === undefined) throw new Refused("email_taken")
  await within.deleteFrom("one_time_link").where("purpose", "=", "set-up").execute()
  return { email, userId }
}

/** Changes the password of a user who proves the present one. Their other sessions end, and links that set one. */
export async function changeOwnPassword(
  engine: Engine,
  { user, sessionId }: { readonly user: SessionUser; readonly sessionId: string },
  body: ChangePasswordBody,
): ReturnType<Auth["changePassword"]> {
  const present = await passwordHashOf(engine.db, user.id)
  if (present === undefined || !(await verifyPassword({ hash: present, password: body.current_password }))) {
    return "wrong_password"
  }
  const weak = await weakIn(engine, body.new_password, user)
  if (weak !== undefined) return { weak }
  const hash = await hashPassword(body.new_password)
  return engine.db.transaction().execute(async (within) => {
    await engine.lock(within, "users")
    // Another password may have been set meanwhile, such as through a link.
    if ((await passwordHashOf(within, user.id)) !== present) return "wrong_password"
    await writePassword(within, user.id, hash)
    const sessions = within.deleteFrom("app_session").where("user_id", "=", user.id)
    await sessions.where("id", "!=", sessionId).execute()
    await within.deleteFrom("one_time_link").where("user_id", "=", user.id).execute()
    return "changed"
  })
}

async function weakIn(engine: Engine, password: string, owner: PasswordOwner | undefined) {
  const program = programSettings.safeParse(await settingsStore(engine).get("program")).data?.name
  return weakPassword(password, { ...owner, program })
}
