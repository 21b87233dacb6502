import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Response } from "express"
import { exactReviver } from "../../contract/exact-json.ts"
import { limits } from "../../contract/limits.ts"
import { AppError, badRequest, internalError } from "../../core/errors.ts"
import { errorResponse, type ApiResponse, type ApiRequest } from "../../core/http.ts"
import type { Log } from "../../core/ports.ts"
import { tooDeep } from "../../core/validation.ts"
import { refusals } from "./refusals.ts"
import { sessionOf } from "./request-context.ts"

/** Credentials: the session is already resolved, and the core does not need them. */
const withheld: ReadonlySet<string> = new Set(["cookie", "authorization"])

/** Hands a request of a signed-in person to the core and sends its response. */
export function coreHandler(handle: (request: ApiRequest) => Promise<ApiResponse>): RequestHandler {
  return async (req, res) => {
    const left = new AbortController()
    res.on("close", () => {
      if (!res.writableFinished) left.abort(new Error("The browser went away."))
    })
    const response = await handle({
      ...requestOf(req, res),
      user: sessionOf(res).user,
      signal: left.signal,
    })
    res.locals.personal = response.personal ?? false
    sendResponse(res, response)
  }
}

/** A request as the core reads it, without its user. */
export function requestOf(req: Request, res: Response): Omit<ApiRequest, "user" | "signal"> {
  const { requestId, source } = res.locals
  const [path = "", search = ""] = req.url.split(/\?(.*)/s, 2)
  return {
    method: req.method === "HEAD" ? "GET" : req.method,
    path,
    search,
    body: req.body as unknown,
    requestId,
    source,
    header(name) {
      const value = withheld.has(name) ? undefined : req.headers[name]
      return Array.isArray(value) ? value.join(", ") : value
    },
  }
}

export function sendResponse(res: Response, { status, headers, body, text }: ApiResponse): void {
  if (res.headersSent || res.destroyed) return
  res.statusCode = status
  for (const [name, value] of Object.entries({ "Cache-Control": "no-store", ...headers }))
    res.setHeader(name, value)
  if (body === undefined) {
    res.end()
    return
  }
  // Not through Express's `send`, which makes a second piece of the body: head and body leave in one write.
  const json = text ?? JSON.stringify(body)
  res.setHeader("Content-Type", "application/json; charset=utf-8")
  res.setHeader("Content-Length", Buffer.byteLength(json))
  res.end(json)
}

/**
 * Reads JSON bodies up to `limit` bytes; those of changes keep numbers that would be rounded, because a member's metadata
 * goes out whole. A body that is not JSON is refused by name instead of being taken for none.
 */
export function jsonBody(limit: number = limits.bodyBytes): RequestHandler[] {
  const plain = express.json({ limit })
  const exact = express.json({ limit, reviver: exactReviver })
  return [
    (req, res, next) => (req.method === "PATCH" ? exact : plain)(req, res, next),
    (req, _res, next) => {
      const hasBody = req.get("Transfer-Encoding") !== undefined || Number(req.get("Content-Length") ?? 0) > 0
      if (hasBody && req.is("application/json") === false) {
        throw refusals.notJson()
      }
      next()
    },
  ]
}

/** Converts any error into a response without internals; the log has the rest. */
export function errorHandler(log: Log): ErrorRequestHandler {
  return (error, _req, res, next) => {
    const { requestId } = res.locals
    const failure = failureOf(error)
    if (failure.status >= 500) {
      const inner: unknown = error instanceof AppError ? (error.cause ?? error) : error
      const stack = inner instanceof Error ? inner.stack : String(inner)
      log.error({ requestId, stack }, "A request failed.")
    }
    if (res.headersSent) next(error)
    else sendResponse(res, errorResponse(failure, requestId))
  }
}

function failureOf(error: unknown): AppError {
  if (error instanceof AppError) return error
  // Errors of the body parser and of the router say what they are in a few fields.
  const of = (name: string): unknown =>
    typeof error === "object" && error !== null ? Reflect.get(error, name) : undefined
  switch (of("type")) {
    case "entity.too.large":
      return refusals.bodyTooLarge(of("limit") === limits.bodyBytes ? "1 MB" : "10 KB")
    case "entity.parse.failed":
      // A reviver visits values by recursion: where the stack ended, the text was JSON, and too deep.
      if (error instanceof RangeError) return tooDeep()
      return refusals.unreadableJson()
    case "encoding.unsupported":
    case "charset.unsupported":
      return badRequest("The body’s encoding isn’t supported. Nothing was done. Send plain UTF-8 JSON.")
    default:
      if (of("status") !== 400) return internalError()
      return badRequest("The request couldn’t be read. Nothing was done. Reload the page and try again.")
  }
}
