import type { RequestHandler } from "express"
import type { OpenSession, Sessions } from "../auth/sessions.ts"
import { DeskFailure, stored } from "../../core/errors.ts"

/**
 * Finds whose session a request carries and lengthens it.
 * @throws DeskFailure 401 when it carries none that is open, 503 when the store does not answer
 */
export async function openSessionOf(
  sessions: Sessions,
  cookieHeader: string | undefined,
): Promise<OpenSession> {
  const session = sessions.kept(cookieHeader) ?? (await stored(sessions.read(cookieHeader, "use")))
  if (session === undefined) throw sessionRequired()
  return session
}

/** Lets nobody pass without an open session. */
export function sessionGuard(sessions: Sessions): RequestHandler {
  return async (req, res, next) => {
    const session = await openSessionOf(sessions, req.headers.cookie)
    for (const cookie of session.cookies) res.append("Set-Cookie", cookie)
    res.locals.session = session
    next()
  }
}

/** The answer to a request without an open session. */
export function sessionRequired(): DeskFailure {
  return new DeskFailure({
    status: 401,
    code: "session_required",
    message: "You’re not signed in. Nothing was done. Sign in and try again.",
  })
}
