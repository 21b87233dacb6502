import type { Kysely } from "kysely"
import { sessionUser, type SessionUser } from "../../contract/desk/session.ts"
import type { Database } from "../store/schema.ts"

/** The open session with this token, of a user who is not disabled. `expiresAt` in ms since 1970. */
export async function findOpenSession(
  db: Kysely<Database>,
  token: string,
): Promise<{ user: SessionUser; sessionId: string; expiresAt: number } | undefined> {
  const row = await db
    .selectFrom("desk_session")
    .innerJoin("desk_user", "desk_user.id", "desk_session.user_id")
    .select(["desk_session.id as sessionId", "desk_session.expires_at as expiresAt"])
    .select(["desk_user.id", "desk_user.name", "desk_user.email", "desk_user.role"])
    .where("desk_session.token", "=", token)
    .where("desk_user.disabled_at", "is", null)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const expiresAt = new Date(row.expiresAt).getTime()
  if (expiresAt <= Date.now()) return undefined
  return { user: sessionUser.parse(row), sessionId: row.sessionId, expiresAt }
}
