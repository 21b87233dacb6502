import { createHash, timingSafeEqual } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { Router, type RequestHandler } from "express"
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client"
import type { Metrics, Store } from "../../core/ports.ts"

/** What the routes for operators need. */
interface HealthDeps {
  readonly store: Pick<Store, "ping">
  readonly isStopping: () => boolean
  readonly metrics: AppMetrics
  /** Without it nobody reads metrics. */
  readonly metricsToken: string | undefined
}

/** Whoever asks is told within two seconds, whatever the database does; ms. */
const storeAnswersMs = 1500
/** Each check writes, so one serves everybody who asks within this time, ms. */
const checkServesMs = 1000

/**
 * `/healthz`: the process answers. `/readyz`: it may be sent requests; no longer while it stops, or while the store
 * cannot be written to or does not answer. A service that is away does not make Laurel unready: it says so on its
 * pages. `/metrics` exists only with a token.
 */
export function healthRoutes({ store, isStopping, metrics, metricsToken }: HealthDeps): Router {
  const router = Router()
  const storeTrouble = watchStore(store)
  router.get("/healthz", (_req, res) => {
    res.set("Cache-Control", "no-store").json({ ok: true })
  })
  router.get("/readyz", async (_req, res) => {
    const reason = isStopping() ? "stopping" : await storeTrouble()
    res
      .status(reason === undefined ? 200 : 503)
      .set("Cache-Control", "no-store")
      .json(reason === undefined ? { ok: true } : { ok: false, reason })
  })
  if (metricsToken !== undefined) router.get("/metrics", metrics.exposition(metricsToken))
  return router
}

/** Pings the store, one ping at a time: several to a database that hangs would use up its connections. */
function watchStore(store: Pick<Store, "ping">): () => Promise<string | undefined> {
  let check: Promise<string | undefined> | undefined
  async function ask(): Promise<string | undefined> {
    try {
      await store.ping()
      return undefined
    } catch {
      return "the store cannot be written to"
    } finally {
      setTimeout(() => (check = undefined), checkServesMs).unref()
    }
  }
  return async () => {
    check ??= ask()
    const over = new AbortController()
    try {
      const late = sleep(storeAnswersMs, "the store does not answer", { signal: over.signal, ref: false })
      late.catch(() => undefined)
      return await Promise.race([check, late])
    } finally {
      over.abort()
    }
  }
}

const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20]

/** Counters and times for operators, and where they are read. */
export interface AppMetrics extends Metrics {
  /** Counts and times every request by method, part and status. Never by an address with an id in it. */
  readonly timing: RequestHandler
  /** Handles `/metrics` for whoever carries the token. */
  exposition(token: string): RequestHandler
  /** Counts the streams that are open, as they are when asked. */
  watchStreams(count: () => number): void
}

/** Metrics with a registry of their own. */
export function createMetrics(): AppMetrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry, prefix: "laurel_" })
  const requests = new Histogram({
    name: "laurel_http_request_seconds",
    help: "Requests to Laurel",
    labelNames: ["method", "part", "status"],
    buckets: seconds,
    registers,
  })
  const upstream = new Histogram({
    name: "laurel_upstream_call_seconds",
    help: "Requests to the services",
    labelNames: ["api", "operation", "outcome"],
    buckets: seconds,
    registers,
  })
  const waits = new Histogram({
    name: "laurel_budget_wait_seconds",
    help: "Waits for the request budget",
    labelNames: ["api", "lane"],
    buckets: seconds,
    registers,
  })
  const reads = new Counter({
    name: "laurel_cache_reads_total",
    help: "Reads by cache result",
    labelNames: ["operation", "result"],
    registers,
  })
  return {
    upstreamCall: (api, operation, outcome, ms) => upstream.observe({ api, operation, outcome }, ms / 1000),
    budgetWait: (api, lane, ms) => waits.observe({ api, lane }, ms / 1000),
    cacheRead: (operation, result) => reads.inc({ operation, result }),
    watchStreams: (count) => {
      const collect = function (this: Gauge) {
        this.set(count())
      }
      const name = "laurel_event_streams"
      registry.registerMetric(new Gauge({ name, help: "Open event streams", registers: [], collect }))
    },
    timing: (req, res, next) => {
      const startedAt = performance.now()
      const { originalUrl } = req
      res.on("finish", () => {
        const labels = { method: req.method, part: partOf(originalUrl), status: res.statusCode }
        requests.observe(labels, (performance.now() - startedAt) / 1000)
      })
      next()
    },
    exposition: (token) => async (req, res) => {
      if (!isToken(req.get("Authorization"), token)) {
        res.status(401).set("WWW-Authenticate", "Bearer").end()
        return
      }
      res.set("Content-Type", registry.contentType).send(await registry.metrics())
    },
  }
}

const parts = new Set([
  "program",
  "giftcard",
  "session",
  "events",
  "users",
  "settings",
  "audit",
  "notes",
  "status",
])

/** A short name out of a closed list: a label must never grow with what people type. */
function partOf(url: string): string {
  const [, root, part = ""] = (url.split("?", 1)[0] ?? "").split("/", 3)
  if (root !== "api") return "page"
  return parts.has(part) ? part : "other"
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest()
}

function isToken(header: string | undefined, token: string): boolean {
  return timingSafeEqual(digest(header ?? ""), digest(`Bearer ${token}`))
}
