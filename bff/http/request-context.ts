import { randomUUID } from "node:crypto"
import { context, propagation, SpanKind, trace } from "@opentelemetry/api"
import type { RequestHandler, Response } from "express"
import type { Logger } from "pino"
import type { OpenSession } from "../../core/users/accounts.ts"
import { traceOf } from "../log.ts"

declare global {
  // Express takes the types of `res.locals` from this namespace.
  namespace Express {
    interface Locals {
      requestId: string
      /** Address the request came from, as far as proxies are believed; null when its connection is gone already. */
      source: string | null
      session?: OpenSession
      /** Whether the response carries data of people. */
      personal?: boolean
    }
  }
}

/** The session that `requireSession` resolved. Throws on a route without that middleware. */
export function sessionOf(res: Response): OpenSession {
  const { session } = res.locals
  if (session === undefined)
    throw new Error("A handler that needs a session is registered before requireSession.")
  return session
}

/** A forwarding header is text that anybody can write: no more of it than an address needs. */
const longestAddress = 45

const tracer = trace.getTracer("laurel")

/**
 * Names every request, in the response and in the log, so that a person can say which one it was, and gives it a span:
 * by its method alone, because addresses have ids and query strings in them.
 */
export const requestContext: RequestHandler = (req, res, next) => {
  res.locals.requestId = randomUUID()
  res.locals.source = req.ip?.replace(/^::ffff:/, "").slice(0, longestAddress) ?? null
  res.setHeader("X-Request-Id", res.locals.requestId)
  const from = propagation.extract(context.active(), req.headers)
  const { method } = req
  const attributes = { "http.request.method": method, "laurel.request_id": res.locals.requestId }
  tracer.startActiveSpan(method, { kind: SpanKind.SERVER, attributes }, from, (span) => {
    res.on("close", () => span.setAttribute("http.response.status_code", res.statusCode).end())
    next()
  })
}

/**
 * One line for each request that changed something, was denied, read people's data or went wrong: who from where, method,
 * path, status, time. Never a body, a query string, a header or a cookie. Other reads are logged at `debug`.
 */
export function requestLog(logger: Logger): RequestHandler {
  return (req, res, next) => {
    const startedAt = performance.now()
    // The response may end outside of the request's context.
    const traced = traceOf()
    // Comes once for every response, also for one whose reader left before its end.
    res.on("close", () => {
      const { requestId, source, session, personal = false } = res.locals
      // Express shortens `url` below a mounted router; `originalUrl` has the full path.
      const { method, originalUrl } = req
      const status = res.statusCode
      const level = levelOf(method, originalUrl, status, personal)
      const line = {
        ...traced,
        requestId,
        source,
        ...(session !== undefined && { userId: session.user.id }),
        req: { method, path: originalUrl.split("?", 1)[0] },
        res: { status },
        responseTime: Math.round(performance.now() - startedAt),
      }
      logger[level](line, `answered ${status}`)
    })
    next()
  }
}

const denied: ReadonlySet<number> = new Set([401, 403, 429])

function levelOf(method: string, url: string, status: number, personal: boolean): "error" | "debug" | "info" {
  if (status >= 500) return "error"
  if (method !== "GET" && method !== "HEAD") return "info"
  // Every sign-in page requests the session before sign-in: a 401 there is not logged as denied.
  if (status === 401 && url === "/api/session") return "debug"
  return personal || denied.has(status) ? "info" : "debug"
}
