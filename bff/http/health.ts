import { createHash, timingSafeEqual } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { Router, type RequestHandler } from "express"
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client"
import { jobStates } from "../../contract/job.ts"
import type { Metrics, Store } from "../../core/ports.ts"
import type { StoreFigures } from "../store/figures.ts"

/** A check responds within two seconds, whatever the database does; ms. */
const storeTimeoutMs = 1500
/** Each check writes, so one serves all requests within this time, ms. */
const checkServesMs = 1000

/**
 * `/healthz`: the process responds. `/readyz`: it may be sent requests; no longer while it stops, or while the store
 * cannot be written to or does not respond. A service that is away does not make Laurel unready: its pages show it.
 * `/metrics` exists only with a token.
 */
export function healthRoutes({
  store,
  isStopping,
  metrics,
  metricsToken,
}: {
  readonly store: Pick<Store, "ping">
  readonly isStopping: () => boolean
  readonly metrics: AppMetrics
  readonly metricsToken: string | undefined
}): Router {
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
  const ping = () =>
    store
      .ping()
      .then(
        () => undefined,
        () => "the store cannot be written to",
      )
      .finally(() => setTimeout(() => (check = undefined), checkServesMs).unref())
  return async () => {
    check ??= ping()
    const over = new AbortController()
    const late = sleep(storeTimeoutMs, "the store does not answer", { signal: over.signal, ref: false })
    late.catch(() => undefined)
    return Promise.race([check, late]).finally(() => over.abort())
  }
}

const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20]

export type AppMetrics = ReturnType<typeof createMetrics>

export function createMetrics() {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry, prefix: "laurel_" })
  const histogram = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Histogram({ name: `laurel_${name}_seconds`, help, labelNames, buckets: seconds, registers })
  const requests = histogram("http_request", "Requests to Laurel", "method", "part", "status")
  const upstream = histogram("upstream_call", "Requests to the services", "api", "operation", "outcome")
  const waits = histogram("budget_wait", "Waits for the request budget", "api", "lane")
  const reads = new Counter({
    name: "laurel_cache_reads_total",
    help: "Reads by cache result",
    labelNames: ["operation", "result"],
    registers,
  })
  const takenOver = new Counter({
    name: "laurel_runs_taken_over_total",
    help: "Runs that found rows under way of an instance that is gone",
    registers,
  })
  const store = storeGauges(registry)
  const metrics: Metrics = {
    upstreamCall: (api, operation, outcome, ms) => upstream.observe({ api, operation, outcome }, ms / 1000),
    budgetWait: (api, lane, ms) => waits.observe({ api, lane }, ms / 1000),
    cacheRead: (operation, result) => reads.inc({ operation, result }),
    runTakenOver: () => takenOver.inc(),
  }
  /** Counts and times every request by method, part and status. Never by an address with an id in it. */
  const timing: RequestHandler = (req, res, next) => {
    const startedAt = performance.now()
    const { originalUrl } = req
    res.on("finish", () => {
      const labels = { method: req.method, part: partOf(originalUrl), status: res.statusCode }
      requests.observe(labels, (performance.now() - startedAt) / 1000)
    })
    next()
  }
  return {
    ...metrics,
    timing,
    watchStore: store.watch,
    /** Name and type of everything that is exported. */
    describe: () => registry.getMetricsAsJSON(),
    watchStreams: (count: () => number) => {
      const collect = function (this: Gauge) {
        this.set(count())
      }
      const name = "laurel_event_streams"
      registry.registerMetric(new Gauge({ name, help: "Open event streams", registers: [], collect }))
    },
    /** `age`: in seconds; undefined: not known here. */
    watchBackup: (age: () => number | undefined) => {
      const collect = function (this: Gauge) {
        const seconds = age()
        if (seconds === undefined) this.remove()
        else this.set(seconds)
      }
      const name = "laurel_backup_age_seconds"
      registry.registerMetric(new Gauge({ name, help: "Age of the last backup", registers: [], collect }))
    },
    exposition:
      (token: string): RequestHandler =>
      async (req, res) => {
        if (!isToken(req.get("Authorization"), token)) {
          res.status(401).set("WWW-Authenticate", "Bearer").end()
          return
        }
        await store.read()
        res.set("Content-Type", registry.contentType).send(await registry.metrics())
      },
  }
}

/**
 * Gauges of what the store holds, read once for each scrape. While the store does not answer only `laurel_store_up` is
 * there: an old value would hide what happens meanwhile.
 */
function storeGauges(registry: Registry) {
  const registers = [registry]
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name: `laurel_${name}`, help, labelNames, registers })
  const up = gauge("store_up", "1 while the store answers, else 0")
  const seconds = gauge("store_read_seconds", "How long the store took to answer for these figures")
  const unknown = gauge("rows_unknown", "Rows whose call ended without a usable response")
  const forPerson = gauge("rows_for_person", "Rows that need a decision by a person")
  const oldest = gauge("oldest_unknown_seconds", "Age of the oldest unknown row; 0 without any")
  const lag = gauge(
    "history_lag_seconds",
    "Longest wait of the last 2 hours for an own effect in the history",
  )
  const jobs = gauge("jobs", "Jobs by state", "state")
  const budgetLeft = gauge("budget_left", "Requests left in the current minute", "api")
  let readFigures: (() => Promise<StoreFigures>) | undefined

  function show(figures: StoreFigures): void {
    unknown.set(figures.rowsUnknown)
    forPerson.set(figures.rowsForPerson)
    oldest.set(figures.oldestUnknownSeconds)
    lag.set(figures.historyLagSeconds)
    for (const state of jobStates) jobs.set({ state }, figures.jobs[state] ?? 0)
    for (const [api, left] of figures.budgetLeft) budgetLeft.set({ api }, left)
  }

  return {
    watch: (read: () => Promise<StoreFigures>) => {
      readFigures = read
    },
    async read(): Promise<void> {
      const startedAt = performance.now()
      const figures = await readFigures?.().catch(() => undefined)
      up.set(figures === undefined ? 0 : 1)
      if (figures !== undefined) show(figures)
      else {
        for (const each of [unknown, forPerson, oldest, lag]) each.remove()
        for (const each of [jobs, budgetLeft]) each.reset()
      }
      seconds.set((performance.now() - startedAt) / 1000)
    },
  }
}

const parts = new Set("program giftcard session events users settings audit notes status".split(" "))

/** A short name out of a closed list: a label must never grow with what people type. */
function partOf(url: string): string {
  const [, root, part = ""] = (url.split("?", 1)[0] ?? "").split("/", 3)
  if (root !== "api") return "page"
  return parts.has(part) ? part : "other"
}

function isToken(header: string | undefined, token: string): boolean {
  const [given, own] = [header ?? "", `Bearer ${token}`].map((text) =>
    createHash("sha256").update(text).digest(),
  )
  return given !== undefined && own !== undefined && timingSafeEqual(given, own)
}
