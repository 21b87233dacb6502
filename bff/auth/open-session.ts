import type { CompiledQuery, Kysely } from "kysely"
import { sessionUser, type SessionUser } from "../../contract/users.ts"
import type { Engine } from "../store/engine.ts"
import type { Database } from "../store/schema.ts"

/** An open session and whose it is. Times in ms since 1970. */
interface Found {
  readonly user: SessionUser
  readonly sessionId: string
  /** When it ends unless it is used. */
  readonly idleUntil: number
  /** When it ends: `idleUntil`, or the end of the longest session. */
  readonly expiresAt: number
}

/** Finds open sessions by their token. */
interface OpenSessions {
  /** What was found before, while nothing was written that could change it; undefined when the store has to be asked. */
  kept(token: string): Found | undefined
  /** Asks the store. */
  find(token: string): Promise<Found | undefined>
}

/** What was found, and how many statements had written before. */
interface Kept {
  readonly found: Found
  readonly writes: number
  /** ms since 1970. */
  readonly at: number
}

/** Should another process write to the same file after all, its word is heard after so long, ms. */
const keptMs = 1000
const mostKept = 1000

/**
 * Finds the open session with a token, of a user who is not disabled. Every request asks this, so the question is
 * put into words once, and not put at all while nothing was written since.
 * @param longestMs how long a session lives at most
 */
export function openSessionFinder(
  { db, writes }: Pick<Engine, "db" | "writes">,
  longestMs: number,
): OpenSessions {
  const question = questionOf(db)
  const known = new Map<string, Kept>()

  return {
    kept(token) {
      const last = known.get(token)
      if (last === undefined || last.writes !== writes?.()) return undefined
      const now = Date.now()
      const holds = Math.abs(now - last.at) < keptMs && now < last.found.expiresAt
      return holds ? last.found : undefined
    },
    async find(token) {
      const [count, at] = [writes?.(), Date.now()]
      const { rows } = await db.executeQuery<Row>({ ...question, parameters: [token] })
      const row = rows[0]
      if (row === undefined) return undefined
      const idleUntil = new Date(row.expiresAt).getTime()
      const expiresAt = Math.min(idleUntil, new Date(row.createdAt).getTime() + longestMs)
      if (expiresAt <= Date.now()) return undefined
      const found = { user: sessionUser.parse(row), sessionId: row.sessionId, idleUntil, expiresAt }
      if (known.size >= mostKept) known.clear()
      if (count !== undefined) known.set(token, { found, writes: count, at })
      return found
    },
  }
}

interface Row {
  readonly sessionId: string
  readonly expiresAt: string | Date
  readonly createdAt: string | Date
}

/** The token is its only parameter. */
function questionOf(db: Kysely<Database>): CompiledQuery<Row> {
  return db
    .selectFrom("desk_session")
    .innerJoin("desk_user", "desk_user.id", "desk_session.user_id")
    .select(["desk_session.id as sessionId", "desk_session.expires_at as expiresAt"])
    .select("desk_session.created_at as createdAt")
    .select(["desk_user.id", "desk_user.name", "desk_user.email", "desk_user.role"])
    .where("desk_session.token", "=", "")
    .where("desk_user.disabled_at", "is", null)
    .compile()
}
