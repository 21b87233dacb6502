import type { CompiledQuery, Kysely } from "kysely"
import { sessionUser, type SessionUser } from "../../contract/desk/session.ts"
import type { Database } from "../store/schema.ts"

/** An open session and whose it is. `expiresAt` in ms since 1970. */
interface Found {
  readonly user: SessionUser
  readonly sessionId: string
  readonly expiresAt: number
}

/**
 * Finds the open session with a token, of a user who is not disabled. Every request asks this, so the question is
 * put into words once.
 */
export function openSessionFinder(db: Kysely<Database>): (token: string) => Promise<Found | undefined> {
  const question = questionOf(db)
  return async (token) => {
    const { rows } = await db.executeQuery<Row>({ ...question, parameters: [token] })
    const row = rows[0]
    if (row === undefined) return undefined
    const expiresAt = new Date(row.expiresAt).getTime()
    if (expiresAt <= Date.now()) return undefined
    return { user: sessionUser.parse(row), sessionId: row.sessionId, expiresAt }
  }
}

interface Row {
  readonly sessionId: string
  readonly expiresAt: string | Date
}

/** The token is its only parameter. */
function questionOf(db: Kysely<Database>): CompiledQuery<Row> {
  return db
    .selectFrom("desk_session")
    .innerJoin("desk_user", "desk_user.id", "desk_session.user_id")
    .select(["desk_session.id as sessionId", "desk_session.expires_at as expiresAt"])
    .select(["desk_user.id", "desk_user.name", "desk_user.email", "desk_user.role"])
    .where("desk_session.token", "=", "")
    .where("desk_user.disabled_at", "is", null)
    .compile()
}
