import { createHash, randomBytes } from "node:crypto"
import type { Kysely } from "kysely"
import type { LinkPurpose, PasswordLink } from "../../contract/users.ts"
import type { Engine } from "../store/engine.ts"
import type { Database } from "../store/schema.ts"

const hour = 60 * 60 * 1000
/** How long a link opens something, in ms. */
const lifetimes = { "set-up": hour, password: 24 * hour } as const

/** What a link that still works is for. */
export interface FoundLink {
  readonly purpose: LinkPurpose["purpose"]
  readonly userId: string | null
}

/** Makes a link that sets the password of a user; earlier ones of the user stop working. */
export async function makePasswordLink(
  within: Kysely<Database>,
  userId: string,
  now: number,
): Promise<PasswordLink> {
  await within.deleteFrom("one_time_link").where("user_id", "=", userId).execute()
  return store(within, "password", userId, now)
}

/** Makes a link that makes the first administrator. Links of other instances that start now go on working. */
export async function makeSetUpLink(within: Kysely<Database>, now: number): Promise<PasswordLink> {
  return store(within, "set-up", null, now)
}

/** What the token opens; undefined when it was never made, is used up or too old. */
export async function findLink(
  within: Kysely<Database>,
  token: string,
  now: number,
): Promise<FoundLink | undefined> {
  const row = await within
    .selectFrom("one_time_link")
    .select(["purpose", "user_id as userId"])
    .where("hash", "=", hashOf(token))
    .where("expires_at", ">", now)
    .executeTakeFirst()
  return row
}

/** Uses a link up: undefined unless it worked until this moment. Of two attempts at once one gets it. */
export async function useLink(
  within: Kysely<Database>,
  token: string,
  now: number,
): Promise<FoundLink | undefined> {
  const row = await within
    .deleteFrom("one_time_link")
    .where("hash", "=", hashOf(token))
    .where("expires_at", ">", now)
    .returning(["purpose", "user_id as userId"])
    .executeTakeFirst()
  return row
}

/** Removes what is too old to open anything. */
export async function forgetOldLinks(engine: Engine): Promise<void> {
  await engine.db
    .deleteFrom("one_time_link")
    .where("expires_at", "<=", await engine.now())
    .execute()
}

async function store(
  within: Kysely<Database>,
  purpose: LinkPurpose["purpose"],
  userId: string | null,
  now: number,
): Promise<PasswordLink> {
  const token = randomBytes(32).toString("base64url")
  const expiresAt = now + lifetimes[purpose]
  await within
    .insertInto("one_time_link")
    .values({ hash: hashOf(token), purpose, user_id: userId, expires_at: expiresAt })
    .execute()
  return { path: `/set-password#token=${token}`, expires_at: new Date(expiresAt).toISOString() }
}

/** The token itself is never stored: 256 random bits need no slow hash. */
function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex")
}
