import type { Response } from "express"
import type { OpenSession } from "../auth/sessions.ts"

declare global {
  // Express takes the types of `res.locals` from this namespace.
  namespace Express {
    /** What the middleware of one request hands on to the next. */
    interface Locals {
      requestId: string
      /** Address the request came from, as far as proxies are believed. */
      source: string | null
      /** Set once the session was found. */
      session?: OpenSession
      /** Whether the answer carries data of people. */
      personal?: boolean
    }
  }
}

/** The session that the session guard found. Throws where no guard stands before: a fault of the program. */
export function sessionOf(res: Response): OpenSession {
  const { session } = res.locals
  if (session === undefined)
    throw new Error("A handler that needs a session stands outside the session guard.")
  return session
}
