import type { ErrorRequestHandler, RequestHandler } from "express"
import { limits } from "../../contract/limits.ts"
import { type DeskAnswer, errorResponse } from "../../core/http.ts"
import { tooDeep } from "../../core/validation.ts"
import { DeskFailure, notFound } from "../../core/errors.ts"
import type { Log } from "../../core/ports.ts"
import { sendAnswer } from "./send-answer.ts"

/** Nothing else under `/api` answers. */
export const noSuchResource: RequestHandler = () => {
  throw notFound()
}

/** Turns whatever was thrown into an answer that says nothing about the inside; the log has the rest. */
export function errorAnswer(log: Log, error: unknown, requestId: string): DeskAnswer {
  const failure = failureOf(error)
  if (failure.status >= 500) {
    const inner: unknown = error instanceof DeskFailure ? (error.cause ?? error) : error
    const stack = inner instanceof Error ? inner.stack : String(inner)
    log.error({ requestId, stack }, "A request failed.")
  }
  return errorResponse(failure, requestId)
}

/** Answers for a handler that threw. */
export function errorAnswers(log: Log): ErrorRequestHandler {
  return async (error, req, res, next) => {
    const answer = errorAnswer(log, error, res.locals.requestId)
    if (res.headersSent) return next(error)
    await sendAnswer(req, res, answer)
  }
}

function failureOf(error: unknown): DeskFailure {
  if (error instanceof DeskFailure) return error
  const { type, status, limit } = describe(error)
  if (type === "entity.too.large") {
    return new DeskFailure({
      status: 413,
      code: "body_too_large",
      message: `A request can carry at most ${limit === limits.bodyBytes ? "1 MB" : "10 KB"} here. Nothing was saved. Send less at once.`,
    })
  }
  if (type === "entity.parse.failed") {
    // A reviver visits values by recursion: where the stack ended, the text was JSON, and too deep.
    if (error instanceof RangeError) return tooDeep()
    return badRequest("The body isn’t a readable JSON object. Nothing was done. Send a JSON object.")
  }
  if (type === "encoding.unsupported" || type === "charset.unsupported") {
    return badRequest("The body’s encoding isn’t supported. Nothing was done. Send plain UTF-8 JSON.")
  }
  if (status === 400) {
    return badRequest("The request couldn’t be read. Nothing was done. Reload the page and try again.")
  }
  return new DeskFailure({
    status: 500,
    code: "internal",
    message:
      "Something went wrong on Laurel’s server, so this wasn’t finished. Details are in the server log under the request id. Try again.",
  })
}

function badRequest(message: string): DeskFailure {
  return new DeskFailure({ status: 400, code: "bad_request", message })
}

/** Errors of the body parser and of the router say what they are in a few fields. */
function describe(error: unknown): { type?: unknown; status?: unknown; limit?: unknown } {
  if (typeof error !== "object" || error === null) return {}
  const of = (name: string): unknown => Reflect.get(error, name)
  return { type: of("type"), status: of("status"), limit: of("limit") }
}
