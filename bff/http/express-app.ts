import compression from "compression"
import express, { type Express, Router } from "express"
import type { Logger } from "pino"
import type { Core } from "../../core/app.ts"
import type { Log, Store } from "../../core/ports.ts"
import type { Auth } from "../../core/users/accounts.ts"
import type { Config } from "../config.ts"
import type { StoreEventBus } from "../store/engine.ts"
import { coreHandler, errorHandler, jsonBody } from "./api.ts"
import type { EventStreams } from "./events.ts"
import { healthRoutes, type AppMetrics } from "./health.ts"
import { requestContext, requestLog } from "./request-context.ts"
import { hostGuard, originGuard, securityHeaders } from "./security.ts"
import { requireSession, sessionRoutes } from "./session.ts"
import { staticFiles } from "./static.ts"

/** Dependencies of the application; the environment is not read here. */
interface AppDeps {
  readonly core: Pick<Core, "handle" | "session" | "sessionHandler">
  readonly auth: Auth
  readonly store: Store
  readonly bus: StoreEventBus
  readonly streams: EventStreams
  readonly metrics: AppMetrics
  readonly logger: Logger
  readonly log: Log
  readonly config: Pick<
    Config,
    "environment" | "host" | "publicOrigin" | "allowedHosts" | "trustProxy" | "metricsToken"
  >
  readonly version: string
  readonly pages: string
  readonly isStopping: () => boolean
}

/** Below this many bytes compressing saves no packet. */
const worthCompressing = 1_400

/** The Express application: its middleware in order. */
export function createApp(deps: AppDeps): Express {
  const app = express()
  app.disable("x-powered-by")
  app.set("etag", false)
  app.set("trust proxy", deps.config.trustProxy)

  app.use(requestContext)
  app.use(requestLog(deps.logger))
  app.use(securityHeaders(deps.config.publicOrigin))
  app.use(deps.metrics.timing)
  app.use(compression({ threshold: worthCompressing, filter: isCompressible }))
  // Load balancers and monitors ask by address: these three answer any name.
  app.use(healthRoutes({ ...deps, metricsToken: deps.config.metricsToken }))
  app.use(hostGuard(deps.config))
  app.use("/api", api(deps))
  app.use(staticFiles(deps.pages, { sessions: deps.auth.sessions, session: deps.core.session }))
  app.use(errorHandler(deps.log))
  return app
}

function api(deps: AppDeps): Router {
  const { auth, config, core, streams } = deps
  const router = Router()
  router.use(originGuard(config.publicOrigin))
  router.all(["/about", "/session", "/session/*path"], sessionRoutes(core.sessionHandler(auth)))
  router.use(requireSession(auth.sessions))
  router.get("/events", streams.handler)
  router.use(jsonBody())
  router.use(coreHandler((request) => core.handle(request)))
  return router
}

/** Events go out one by one: a compressor would hold them back. */
const isCompressible: compression.CompressionFilter = (req, res) =>
  !String(res.getHeader("Content-Type")).startsWith("text/event-stream") && compression.filter(req, res)
