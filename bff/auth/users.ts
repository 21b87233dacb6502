import { randomUUID } from "node:crypto"
import type { Kysely } from "kysely"
import { type CreateUserBody, appUser, type AppUser } from "../../contract/users.ts"
import type { Engine } from "../store/engine.ts"
import type { Database, UserTable } from "../store/schema.ts"

/** The sign-in library's name for a password it keeps itself. */
const provider = "credential"

/** All users, or the one with `id`, as the desk shows them; oldest first. */
export async function readUsers(db: Kysely<Database>, id?: string): Promise<AppUser[]> {
  let query = db
    .selectFrom("desk_user")
    .leftJoin("desk_account", "desk_account.user_id", "desk_user.id")
    .selectAll("desk_user")
    .select("desk_account.id as account")
    .orderBy("desk_user.created_at")
    .orderBy("desk_user.id")
  if (id !== undefined) query = query.where("desk_user.id", "=", id)
  const rows = await query.execute()
  return rows.map((row) => appUserOf(row, row.account !== null))
}

function appUserOf(row: UserTable, hasPassword: boolean): AppUser {
  return appUser.parse({
    id: row.id,
    name: row.name,
    email: row.email,
    role: row.role,
    disabled: row.disabled_at !== null,
    has_password: hasPassword,
    created_at: new Date(row.created_at).toISOString(),
    last_seen_at: row.last_seen_at === null ? null : new Date(row.last_seen_at).toISOString(),
  })
}

/**
 * Adds a user, with a password if its hash is given. Returns the new id; undefined when the address is taken,
 * also when another instance took it a moment ago.
 */
export async function insertUser(
  engine: Engine,
  user: CreateUserBody,
  passwordHash?: string,
): Promise<string | undefined> {
  return engine.db.transaction().execute((within) => insertUserWithin(within, user, passwordHash))
}

/** `insertUser` inside a transaction. */
export async function insertUserWithin(
  within: Kysely<Database>,
  user: CreateUserBody,
  passwordHash?: string,
): Promise<string | undefined> {
  const id = randomUUID()
  const now = new Date()
  const made = await within
    .insertInto("desk_user")
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
  const row = await within
    .selectFrom("desk_account")
    .select("password")
    .where("user_id", "=", userId)
    .where("provider_id", "=", provider)
    .executeTakeFirst()
  return row?.password ?? undefined
}

/** Sets the password of a user, the first one or another. */
export async function writePassword(within: Kysely<Database>, userId: string, hash: string): Promise<void> {
  const now = new Date()
  await within
    .insertInto("desk_account")
    .values({
      id: randomUUID(),
      user_id: userId,
      account_id: userId,
      provider_id: provider,
      password: hash,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) =>
      conflict.columns(["user_id", "provider_id"]).doUpdateSet({ password: hash, updated_at: now }),
    )
    .execute()
}

/** How many administrators can sign in: not disabled, and with a password. */
export async function countAdmins(within: Kysely<Database>): Promise<number> {
  const row = await within
    .selectFrom("desk_user")
    .innerJoin("desk_account", "desk_account.user_id", "desk_user.id")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("role", "=", "admin")
    .where("disabled_at", "is", null)
    .executeTakeFirst()
  return row?.count ?? 0
}
