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
}

/**
 * One line for each request that changed something or went wrong: method, path, status, time. Never a body, a query
 * string, a header or a cookie. What was only read is logged at `debug`, and costs nothing while nobody wants that.
 */
export function logAnswered(logger: Logger, { requestId, method, url, status, startedAt }: Answered): void {
  const level = levelOf(method, status)
  if (!logger.isLevelEnabled(level)) return
  const line = {
    reqId: requestId,
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
      const { requestId } = res.locals
      // Express shortens `url` below a mounted router; the whole path stands in `originalUrl`.
      logAnswered(logger, {
        requestId,
        method: req.method,
        url: req.originalUrl,
        status: res.statusCode,
        startedAt,
      })
    })
    next()
  }
}

function levelOf(method: string, status: number): "error" | "debug" | "info" {
  if (status >= 500) return "error"
  return method === "GET" || method === "HEAD" ? "debug" : "info"
}
