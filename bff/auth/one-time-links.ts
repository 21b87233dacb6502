import { createHash, randomBytes } from "node:crypto"
import type { Kysely } from "kysely"
import type { PasswordLink } from "../../contract/users.ts"
import type { Database } from "../store/schema.ts"

const hourMs = 60 * 60 * 1000

/**
 * Makes a link that sets the password of a user (24 hours; earlier ones of the user stop working), or that creates the
 * first administrator (`userId` null, one hour; those of other instances that start now go on working).
 */
export async function makeLink(
  within: Kysely<Database>,
  userId: string | null,
  now: number,
): Promise<PasswordLink> {
  if (userId !== null) await within.deleteFrom("one_time_link").where("user_id", "=", userId).execute()
  const token = randomBytes(32).toString("base64url")
  const purpose = userId === null ? "set-up" : "password"
  const expiresAt = now + (userId === null ? hourMs : 24 * hourMs)
  await within
    .insertInto("one_time_link")
    .values({ hash: hashOf(token), purpose, user_id: userId, expires_at: expiresAt })
    .execute()
  return { path: `/set-password#token=${token}`, expires_at: new Date(expiresAt).toISOString() }
}

/** What a link is for and whose it is; undefined when it was never made, is used up or too old. */
export async function findLink(within: Kysely<Database>, token: string, now: number) {
  return within
    .selectFrom("one_time_link")
    .select(["purpose", "user_id as userId"])
    .where("hash", "=", hashOf(token))
    .where("expires_at", ">", now)
    .executeTakeFirst()
}

/** Uses a link up: undefined unless it worked until this moment. Of two attempts at once one gets it. */
export async function useLink(within: Kysely<Database>, token: string, now: number) {
  return within
    .deleteFrom("one_time_link")
    .where("hash", "=", hashOf(token))
    .where("expires_at", ">", now)
    .returning(["purpose", "user_id as userId"])
    .executeTakeFirst()
}

/** The token itself is never stored: 256 random bits need no slow hash. */
function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex")
}
