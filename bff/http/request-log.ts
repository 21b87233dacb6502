import type { IncomingMessage, ServerResponse } from "node:http"
import type { Logger } from "pino"
import { pinoHttp } from "pino-http"

/**
 * One line for each request that changed something or went wrong: method, path, status, time. Never a body, a query
 * string, a header or a cookie. What was only read is logged at `debug`.
 */
export function requestLog(logger: Logger) {
  return pinoHttp({
    logger,
    genReqId: (_req, res) => res.getHeader("X-Request-Id")?.toString() ?? "",
    quietReqLogger: true,
    serializers: {
      req: (req: { method?: string; raw?: IncomingMessage }) => ({
        method: req.method,
        path: pathOf(req.raw),
      }),
      res: (res: { statusCode?: number }) => ({ status: res.statusCode }),
      err: (error: { type?: string }) => ({ type: error.type }),
    },
    customLogLevel: (req: IncomingMessage, res: ServerResponse, error) => {
      if (error !== undefined || res.statusCode >= 500) return "error"
      if (req.method === "GET" || req.method === "HEAD") return "debug"
      return "info"
    },
    customSuccessMessage: (_req, res) => `answered ${res.statusCode}`,
    customErrorMessage: (_req, res) => `answered ${res.statusCode}`,
  })
}

function pathOf(req: IncomingMessage | undefined): string {
  // Express shortens `url` below a mounted router; the whole path stands in `originalUrl`.
  const whole: unknown = req === undefined ? undefined : Reflect.get(req, "originalUrl")
  return (typeof whole === "string" ? whole : (req?.url ?? "")).split("?", 1)[0] ?? ""
}
