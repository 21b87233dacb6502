import type { RequestHandler } from "express"
import { randomUUID } from "node:crypto"

/** Names every request, in the answer and in the log, so that a person can say which one it was. */
export const requestId: RequestHandler = (_req, res, next) => {
  res.locals.requestId = randomUUID()
  res.setHeader("X-Request-Id", res.locals.requestId)
  next()
}
