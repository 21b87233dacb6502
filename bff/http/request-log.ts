import type { RequestHandler } from "express"
import type { Logger } from "pino"

/** A request as its line in the log has it. */
export interface Answered {
  readonly requestId: string
  readonly method: string
  /** The whole address, as it came. */
  readonly url: string
  readonly status: number
  /** On the monotonic clock, ms. */
  readonly startedAt: number
  /** Address the request came from. */
  readonly source: string | null
  /** Who was signed in; undefined for nobody. */
  readonly userId: string | undefined
  /** Whether the answer carries data of people. */
  readonly personal: boolean
}

/**
 * One line for each request that changed something, was denied, read people's data or went wrong: who from where, method,
 * path, status, time. Never a body, a query string, a header or a cookie. Other reads are logged at `debug`, and cost
 * nothing while nobody wants that.
 */
export function logAnswered(logger: Logger, answered: Answered): void {
  const level = levelOf(answered)
  if (!logger.isLevelEnabled(level)) return
  const { requestId, method, url, status, startedAt, source, userId } = answered
  const line = {
    requestId,
    source,
    ...(userId !== undefined && { userId }),
    req: { method, path: url.split("?", 1)[0] },
    res: { status },
    responseTime: Math.round(performance.now() - startedAt),
  }
  logger[level](line, `answered ${status}`)
}

/** Writes the line of each request. */
export function requestLog(logger: Logger): RequestHandler {
  return (req, res, next) => {
    const startedAt = performance.now()
    // Comes once for every answer, also for one whose reader left before its end.
    res.on("close", () => {
      const { requestId, source, session, personal } = res.locals
      // Express shortens `url` below a mounted router; the whole path stands in `originalUrl`.
      logAnswered(logger, {
        requestId,
        method: req.method,
        url: req.originalUrl,
        status: res.statusCode,
        startedAt,
        source,
        userId: session?.user.id,
        personal: personal ?? false,
      })
    })
    next()
  }
}

const denied: ReadonlySet<number> = new Set([401, 403, 429])

function levelOf({ method, url, status, personal }: Answered): "error" | "debug" | "info" {
  if (status >= 500) return "error"
  if (method !== "GET" && method !== "HEAD") return "info"
  // Every sign-in page asks who is signed in before anybody is: that is denied to nobody.
  if (status === 401 && url === "/api/session") return "debug"
  return personal || denied.has(status) ? "info" : "debug"
}
