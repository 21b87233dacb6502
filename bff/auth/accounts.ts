import type { Kysely } from "kysely"
import type { AppUser, UpdateUserBody } from "../../contract/users.ts"
import type { Accounts, UserRefusal } from "../../core/ports.ts"
import type { Engine } from "../store/engine.ts"
import type { Database } from "../store/schema.ts"
import { makePasswordLink } from "./one-time-links.ts"
import { countAdmins, insertUserWithin, readUsers } from "./users.ts"

/**
 * The desk's users. Every change holds the others back for its moment, so two administrators cannot remove each
 * other and leave nobody.
 */
export function createAccounts(engine: Engine): Accounts {
  return {
    list: () => readUsers(engine.db),
    get: (id) => one(engine.db, id),

    create: (body) =>
      engine.db.transaction().execute(async (within) => {
        const now = await engine.lock(within, "users")
        const id = await insertUserWithin(within, body)
        const user = id === undefined ? undefined : await one(within, id)
        if (user === undefined) return "email_taken"
        return { user, link: await makePasswordLink(within, user.id, now) }
      }),

    update: (id, body, by) =>
      engine.db.transaction().execute(async (within) => {
        await engine.lock(within, "users")
        const refusal = await whyNot(within, id, body, by)
        if (refusal !== undefined) return refusal
        await write(within, id, body)
        return (await one(within, id)) ?? "not_found"
      }),

    link: (id) =>
      engine.db.transaction().execute(async (within) => {
        const now = await engine.lock(within, "users")
        const user = await one(within, id)
        return user === undefined ? "not_found" : makePasswordLink(within, id, now)
      }),
  }
}

async function one(db: Kysely<Database>, id: string): Promise<AppUser | undefined> {
  return (await readUsers(db, id))[0]
}

async function whyNot(
  within: Kysely<Database>,
  id: string,
  body: UpdateUserBody,
  by: string,
): Promise<UserRefusal | undefined> {
  const user = await one(within, id)
  if (user === undefined) return "not_found"
  const losesRole = body.role !== undefined && body.role !== user.role
  const isClosed = body.disabled === true && !user.disabled
  if (!losesRole && !isClosed) return undefined
  const wasAdmin = user.role === "admin" && !user.disabled
  if (wasAdmin && (await countAdmins(within)) === 1) return "last_admin"
  return id === by ? "self" : undefined
}

async function write(within: Kysely<Database>, id: string, body: UpdateUserBody): Promise<void> {
  const at = new Date()
  const disabledAt = body.disabled === true ? at.toISOString() : null
  await within
    .updateTable("desk_user")
    .set({
      updated_at: at,
      ...(body.name === undefined ? {} : { name: body.name }),
      ...(body.role === undefined ? {} : { role: body.role }),
      ...(body.disabled === undefined ? {} : { disabled_at: disabledAt }),
    })
    .where("id", "=", id)
    .execute()
  if (body.disabled !== true) return
  await within.deleteFrom("desk_session").where("user_id", "=", id).execute()
  await within.deleteFrom("one_time_link").where("user_id", "=", id).execute()
}
