import type { RequestHandler } from "express"
import type { Logger } from "pino"

/**
 * One line for each request that changed something or went wrong: method, path, status, time. Never a body, a query
 * string, a header or a cookie. What was only read is logged at `debug`, and costs nothing while nobody wants that.
 */
export function requestLog(logger: Logger): RequestHandler {
  return (req, res, next) => {
    const startedAt = performance.now()
    // Comes once for every answer, also for one whose reader left before its end.
    res.on("close", () => {
      const status = res.statusCode
      const level = levelOf(req.method, status)
      if (!logger.isLevelEnabled(level)) return
      const line = {
        reqId: res.locals.requestId,
        // Express shortens `url` below a mounted router; the whole path stands in `originalUrl`.
        req: { method: req.method, path: req.originalUrl.split("?", 1)[0] },
        res: { status },
        responseTime: Math.round(performance.now() - startedAt),
      }
      logger[level](line, `answered ${status}`)
    })
    next()
  }
}

function levelOf(method: string, status: number): "error" | "debug" | "info" {
  if (status >= 500) return "error"
  return method === "GET" || method === "HEAD" ? "debug" : "info"
}
