import type { RequestHandler } from "express"
import { createHash, timingSafeEqual } from "node:crypto"
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client"
import type { Metrics } from "../../core/ports.ts"

const countedEveryMs = 250
const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20]

/** Counters and times for operators, and where they are read. */
export interface DeskMetrics extends Metrics {
  /** Times every request, as `answered` does. */
  readonly timing: RequestHandler
  /** Counts an answer by method, part of the desk and status. Never by an address with an id in it. */
  answered(method: string, url: string, status: number, ms: number): void
  /** Answers `/metrics` to whoever carries the token. */
  exposition(token: string): RequestHandler
  /** Counts the streams that are open, as they are when asked. */
  watchStreams(count: () => number): void
}

/** Metrics with a registry of their own. */
export function createDeskMetrics(): DeskMetrics {
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
  // Somebody waits while these are called: they are counted together, a moment later or when the counts are asked for.
  let due: (() => void)[] = []
  const countDue = () => {
    const now = due
    due = []
    for (const count of now) count()
  }
  const later = (count: () => void) => {
    if (due.push(count) === 1) setTimeout(countDue, countedEveryMs).unref()
  }
  const answered: DeskMetrics["answered"] = (method, url, status, ms) =>
    later(() => requests.observe({ method, part: partOf(url), status }, ms / 1000))
  return {
    upstreamCall: (api, operation, outcome, ms) =>
      later(() => upstream.observe({ api, operation, outcome }, ms / 1000)),
    budgetWait: (api, lane, ms) => later(() => waits.observe({ api, lane }, ms / 1000)),
    cacheRead: (operation, result) => later(() => reads.inc({ operation, result })),
    watchStreams: (count) => {
      const collect = function (this: Gauge) {
        this.set(count())
      }
      const name = "laurel_event_streams"
      registry.registerMetric(new Gauge({ name, help: "Open event streams", registers: [], collect }))
    },
    answered,
    timing: (req, res, next) => {
      const startedAt = performance.now()
      const { originalUrl } = req
      res.on("finish", () => {
        answered(req.method, originalUrl, res.statusCode, performance.now() - startedAt)
      })
      next()
    },
    exposition: (token) => async (req, res) => {
      if (!isToken(req.get("Authorization"), token)) {
        res.status(401).set("WWW-Authenticate", "Bearer").end()
        return
      }
      countDue()
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
