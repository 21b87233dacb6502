import type { Kysely } from "kysely"
import type { LinkPurpose } from "../../contract/session.ts"
import {
  type AppUser,
  appUser,
  type CreateUserBody,
  type PasswordLink,
  type UpdateUserBody,
} from "../../contract/users.ts"
import { hex } from "../../core/runtime.ts"
import type { Accounts, UserRefusal } from "../../core/users/accounts.ts"
import type { Engine } from "../store/engine.ts"
import type { Database } from "../store/schema.ts"

/** The sign-in library's provider id for passwords. */
const provider = "credential"

async function readUsers(db: Kysely<Database>, id?: string): Promise<AppUser[]> {
  const rows = await db
    .selectFrom("app_user")
    .leftJoin("app_account", "app_account.user_id", "app_user.id")
    .selectAll("app_user")
    .select("app_account.id as account")
    .$if(id !== undefined, (query) => query.where("app_user.id", "=", id ?? ""))
    .orderBy("app_user.created_at")
    .orderBy("app_user.id")
    .execute()
  return rows.map((row) =>
    appUser.parse({
      ...row,
      disabled: row.disabled_at !== null,
      has_password: row.account !== null,
      created_at: new Date(row.created_at).toISOString(),
      last_seen_at: row.last_seen_at === null ? null : new Date(row.last_seen_at).toISOString(),
    }),
  )
}

export async function readUser(db: Kysely<Database>, id: string): Promise<AppUser | undefined> {
  return (await readUsers(db, id))[0]
}

/** Adds a user, with a password if its hash is given; undefined when the address is in use. */
export async function insertUser(
  within: Kysely<Database>,
  { id = crypto.randomUUID(), ...user }: CreateUserBody & { readonly id?: string },
  passwordHash?: string,
): Promise<string | undefined> {
  const now = new Date()
  const made = await within
    .insertInto("app_user")
    .values({
      id,
      name: user.name,
      email: user.email.toLowerCase(),
      email_verified: true,
      image: null,
      role: user.role,
      disabled_at: null,
      last_seen_at: null,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.column("email").doNothing())
    .executeTakeFirst()
  if (made.numInsertedOrUpdatedRows !== 1n) return undefined
  if (passwordHash !== undefined) await writePassword(within, id, passwordHash)
  return id
}

/** The hash of a user's password; undefined for a user without one. */
export async function passwordHashOf(within: Kysely<Database>, userId: string): Promise<string | undefined> {
  const account = { user_id: userId, provider_id: provider }
  const accounts = within.selectFrom("app_account").where((eb) => eb.and(account))
  return (await accounts.select("password").executeTakeFirst())?.password ?? undefined
}

/** The password hash that signs an address in now; undefined where none does. */
export async function credentialFor(within: Kysely<Database>, email: string): Promise<string | undefined> {
  const user = within.selectFrom("app_user").select("id").where("email", "=", email)
  const found = await user.where("disabled_at", "is", null).executeTakeFirst()
  return found && passwordHashOf(within, found.id)
}

export async function writePassword(within: Kysely<Database>, userId: string, hash: string): Promise<void> {
  const now = new Date()
  const account = { user_id: userId, account_id: userId, provider_id: provider }
  const password = { password: hash, updated_at: now }
  await within
    .insertInto("app_account")
    .values({ id: crypto.randomUUID(), ...account, ...password, created_at: now })
    .onConflict((conflict) => conflict.columns(["user_id", "provider_id"]).doUpdateSet(password))
    .execute()
}

/** How many administrators can sign in: not disabled, and with a password. */
export async function countAdmins(within: Kysely<Database>): Promise<number> {
  const admins = (await readUsers(within)).filter(({ role }) => role === "admin")
  return admins.filter(({ disabled, has_password }) => !disabled && has_password).length
}

const hourMs = 60 * 60 * 1000

/**
 * Makes a link that sets the password of a user (24 hours; earlier ones of the user stop working), or that creates the
 * first administrator (`userId` null, one hour; links of other instances that start now stay valid).
 */
export async function makeLink(
  within: Kysely<Database>,
  userId: string | null,
  now: number,
): Promise<PasswordLink> {
  if (userId !== null) await within.deleteFrom("one_time_link").where("user_id", "=", userId).execute()
  const token = hex(crypto.getRandomValues(new Uint8Array(32)))
  const purpose = userId === null ? "set-up" : "password"
  const expiresAt = now + (userId === null ? hourMs : 24 * hourMs)
  await within
    .insertInto("one_time_link")
    .values({ hash: await hashOf(token), purpose, user_id: userId, expires_at: expiresAt })
    .execute()
  return { path: `/set-password#token=${token}`, expires_at: new Date(expiresAt).toISOString() }
}

/** Purpose and owner of a link; undefined when it does not exist, is used or expired. */
export async function findLink(within: Kysely<Database>, token: string, now: number) {
  return within
    .selectFrom("one_time_link")
    .select(["purpose", "user_id as userId"])
    .where("hash", "=", await hashOf(token))
    .where("expires_at", ">", now)
    .executeTakeFirst()
}

/** Consumes a link; undefined if it is not valid any more. Of two parallel attempts one succeeds. */
export async function consumeLink(within: Kysely<Database>, token: string, now: number) {
  return within
    .deleteFrom("one_time_link")
    .where("hash", "=", await hashOf(token))
    .where("expires_at", ">", now)
    .returning(["purpose", "user_id as userId"])
    .executeTakeFirst()
}

/** The token itself is never stored: 256 random bits need no slow hash. */
async function hashOf(token: string): Promise<string> {
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token))))
}

/** Purpose of a link, without consuming it; undefined when it is not valid. */
export async function readLinkPurpose(engine: Engine, token: string): Promise<LinkPurpose | undefined> {
  const link = await findLink(engine.db, token, await engine.now())
  if (link === undefined) return undefined
  if (link.userId === null) return { purpose: link.purpose, email: null }
  const user = await readUser(engine.db, link.userId)
  return user === undefined || user.disabled ? undefined : { purpose: link.purpose, email: user.email }
}

/** Laurel's users. Changes are serialized, so two administrators cannot remove each other. */
export function createAccounts(engine: Engine): Accounts {
  const alone = <T>(work: (within: Kysely<Database>, now: number) => Promise<T>): Promise<T> =>
    engine.db.transaction().execute(async (within) => work(within, await engine.lock(within, "users")))
  return {
    list: () => readUsers(engine.db),
    get: (id) => readUser(engine.db, id),
    create: (body) =>
      alone(async (within, now) => {
        const id = await insertUser(within, body)
        const user = id === undefined ? undefined : await readUser(within, id)
        return user === undefined ? "email_taken" : { user, link: await makeLink(within, user.id, now) }
      }),
    update: (id, body, by) =>
      alone(async (within) => {
        const refusal = await refusalOf(within, id, body, by)
        if (refusal !== undefined) return refusal
        await update(within, id, body)
        return (await readUser(within, id)) ?? "not_found"
      }),
    link: (id) =>
      alone(async (within, now) =>
        (await readUser(within, id)) === undefined ? "not_found" : makeLink(within, id, now),
      ),
  }
}

async function refusalOf(
  within: Kysely<Database>,
  id: string,
  body: UpdateUserBody,
  by: string,
): Promise<UserRefusal | undefined> {
  const user = await readUser(within, id)
  if (user === undefined) return "not_found"
  const losesRole = body.role !== undefined && body.role !== user.role
  const isClosed = body.disabled === true && !user.disabled
  if (!losesRole && !isClosed) return undefined
  const wasAdmin = user.role === "admin" && !user.disabled
  if (wasAdmin && (await countAdmins(within)) === 1) return "last_admin"
  return id === by ? "self" : undefined
}

async function update(within: Kysely<Database>, id: string, body: UpdateUserBody): Promise<void> {
  const { name, role, disabled } = body
  const now = new Date()
  const disabledAt = disabled === true ? now.toISOString() : null
  await within
    .updateTable("app_user")
    .set({ name, role, updated_at: now, disabled_at: disabled === undefined ? undefined : disabledAt })
    .where("id", "=", id)
    .execute()
  if (disabled !== true) return
  await within.deleteFrom("app_session").where("user_id", "=", id).execute()
  await within.deleteFrom("one_time_link").where("user_id", "=", id).execute()
}
