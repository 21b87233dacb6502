import type { RequestListener } from "node:http"
import express, { type Express, type RequestHandler, Router } from "express"
import type { Logger } from "pino"
import type { About, Session, SessionUser } from "../../contract/users.ts"
import { exactReviver } from "../../contract/exact-json.ts"
import { limits } from "../../contract/limits.ts"
import type { Auth } from "../auth/auth.ts"
import type { NewAuditEntry } from "../../core/audit-log.ts"
import type { DeskAnswer, DeskRequest } from "../../core/http.ts"
import type { Log, Store } from "../../core/ports.ts"
import type { DeskBus } from "../store/engine.ts"
import { aboutRoute } from "./about-route.ts"
import type { DeskMetrics } from "./desk-metrics.ts"
import { deskRoute } from "./desk-route.ts"
import { errorAnswers, noSuchResource } from "./error-answers.ts"
import type { EventStreams } from "./event-stream.ts"
import { healthRoutes } from "./health-routes.ts"
import { jsonOnly } from "./json-only.ts"
import { requestId, sourceAddress } from "./request-id.ts"
import { requestLog } from "./request-log.ts"
import { sameOriginGuard } from "./same-origin-guard.ts"
import { securityHeaders } from "./security-headers.ts"
import { serviceReads } from "./service-reads.ts"
import { sessionGuard } from "./session-guard.ts"
import { sessionRoutes } from "./session-routes.ts"
import { staticDesk } from "./static-desk.ts"

/** Everything the door needs; nothing is read from the environment here. */
export interface AppDeps {
  readonly desk: {
    handle(request: DeskRequest): Promise<DeskAnswer>
    session(user: SessionUser): Promise<Session>
    record(entry: NewAuditEntry): Promise<void>
  }
  readonly auth: Auth
  readonly store: Store
  readonly bus: DeskBus
  readonly streams: EventStreams
  readonly metrics: DeskMetrics
  readonly logger: Logger
  readonly log: Log
  readonly about: Pick<About, "version" | "environment">
  readonly publicOrigin: string | undefined
  readonly trustProxy: number | readonly string[] | false
  readonly metricsToken: string | undefined
  /** Folder of the built desk. */
  readonly pages: string
  readonly isStopping: () => boolean
}

/** The desk's door. What every request passes, in this order; reads of the services pass the same a shorter way. */
export function createApp(deps: AppDeps): RequestListener {
  const app = express()
  app.disable("x-powered-by")
  app.set("etag", false)
  app.set("trust proxy", deps.trustProxy)

  const sourceOf = sourceAddress(trustOf(app))
  app.use(requestId(sourceOf))
  app.use(requestLog(deps.logger))
  app.use(securityHeaders(deps.publicOrigin))
  app.use(deps.metrics.timing)
  app.use(healthRoutes(deps.store, deps.isStopping))
  if (deps.metricsToken !== undefined) app.get("/metrics", deps.metrics.exposition(deps.metricsToken))
  app.use("/api", api(deps))
  app.use(staticDesk(deps.pages))
  app.use(errorAnswers(deps.log))
  return serviceReads({ ...deps, sessions: deps.auth.sessions, sourceOf }, app)
}

/** How Express has read the setting `trust proxy`. */
function trustOf(app: Express): (address: string, hop: number) => boolean {
  const trusts: unknown = app.get("trust proxy fn")
  if (typeof trusts !== "function") throw new Error("Express has no reading of `trust proxy`.")
  return (address, hop) => Reflect.apply(trusts, app, [address, hop]) === true
}

/** Reads bodies; those of changes keep numbers that would be rounded, because a member's metadata goes out whole. */
function jsonBody(): RequestHandler {
  const plain = express.json({ limit: limits.bodyBytes })
  const exact = express.json({ limit: limits.bodyBytes, reviver: exactReviver })
  return (req, res, next) => (req.method === "PATCH" ? exact : plain)(req, res, next)
}

function api(deps: AppDeps): Router {
  const { auth, desk } = deps
  const router = Router()
  router.use(sameOriginGuard(deps.publicOrigin))
  router.get("/about", aboutRoute(deps.about, auth))
  router.use("/session", sessionRoutes({ ...deps, ...desk }), noSuchResource)
  router.use(sessionGuard(auth.sessions))
  router.get("/events", deps.streams.handler)
  router.use(jsonBody(), jsonOnly)
  router.use(deskRoute((request) => desk.handle(request)))
  router.use(errorAnswers(deps.log))
  return router
}
