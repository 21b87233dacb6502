import type { Request, RequestHandler, Response } from "express"
import type { ApiResponse } from "../../core/http.ts"
import type { OpenSession, Sessions } from "../../core/users/accounts.ts"
import { openSession, type SessionRequest } from "../../core/users/session-routes.ts"
import { jsonBody, requestOf, sendResponse } from "./api.ts"

/** Largest body before sign-in, in bytes: credentials and links are short. */
const bodyLimit = 10_240

/** Hands requests before sign-in to the core. */
export function sessionRoutes(handle: (request: SessionRequest) => Promise<ApiResponse>): RequestHandler[] {
  return [
    ...jsonBody(bodyLimit),
    async (req, res) => sendResponse(res, await handle(sessionRequest(req, res))),
  ]
}

/** Requires an open session. @throws as `openSession` */
export function requireSession(sessions: Sessions): RequestHandler {
  return async (req, res, next) => {
    await sessionFor(sessions, req, res)
    next()
  }
}

/** The session of a request, renewed. @throws as `openSession` */
export function sessionFor(
  sessions: Pick<Sessions, "read">,
  req: Request,
  res: Response,
): Promise<OpenSession> {
  return openSession(sessions, sessionRequest(req, res))
}

function sessionRequest(req: Request, res: Response): SessionRequest {
  return {
    ...requestOf(req, res),
    cookies: req.headers.cookie,
    setCookies(cookies) {
      for (const cookie of cookies) res.append("Set-Cookie", cookie)
    },
    onSession(session) {
      res.locals.session = session
    },
  }
}
