import type { RequestHandler } from "express"
import type { Sessions } from "../auth/sessions.ts"
import { DeskFailure } from "../core/failure.ts"
import { stored } from "../core/stored.ts"

/** Finds whose session the request carries, lengthens it, and lets nobody else pass. */
export function sessionGuard(sessions: Sessions): RequestHandler {
  return async (req, res, next) => {
    const session = await stored(sessions.read(req.headers.cookie, "use"))
    if (session === undefined) throw sessionRequired()
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
    message: "Nobody is signed in. Nothing was done. Sign in and try again.",
  })
}
