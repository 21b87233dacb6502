import { Hono } from "hono"
import * as z from "zod/mini"
import {
  defaultOptions,
  type SandboxOptions,
  sandboxSettings,
  type SandboxSettings,
  startSettings,
} from "./config.ts"
import { ConnectionDropped, FaultBox, faultInput, runFault } from "./faults.ts"
import { RateLimiter } from "./rate-limiter.ts"
import { giftcardApp } from "./giftcard.ts"
import type { Api } from "./http.ts"
import { programApp } from "./program/program-app.ts"
import { approveAward } from "./program/points.ts"
import { changedSettings, mergeSnapshot, savedBase } from "./restore.ts"
import type { Change } from "./store/records.ts"
import { SandboxStore } from "./store/store.ts"
import { type Call, callAt, type CallEnv, type World } from "./world.ts"

/** Both upstream APIs in one object: `fetch` them, read what they did, set what goes wrong. */
export interface Sandbox {
  /** Answers a request to `/v1/…`, `/api/v1/external/…` or, when asked for, `/__sandbox/…`. Throws ConnectionDropped. */
  readonly fetch: (request: Request) => Promise<Response>
  /** The services' data; another object after `reset` or `restore`. */
  readonly store: SandboxStore
  readonly faults: FaultBox
  /** Assign to a field to change a setting. */
  readonly settings: SandboxSettings
  readonly requests: RequestLog
  /** Seeds again, with the settings of the start, no faults and an empty log. */
  readonly reset: () => void
  /** Carries out what is due by now: late commits. Every request does so first. */
  readonly settle: () => Promise<void>
  readonly settleAll: () => Promise<void>
  /** Records changed since the last call, plain JSON, each once. */
  readonly changes: () => Iterable<Change>
  /** Applies saved changes to a fresh seed. False: they belong to another seed or count, and nothing was done. */
  readonly restore: (records: Iterable<unknown>) => boolean
}

/** Makes a sandbox. Throws a ZodError on a bad setting. */
export function createSandbox(given: Partial<SandboxOptions> = {}): Sandbox {
  const options: SandboxOptions = { ...defaultOptions, ...given }
  const start = startSettings(options)
  const seeded = (at: number) => new SandboxStore(options.seed, options.members, at, options.fundCents)
  const later = new Later()
  const world: World = {
    options,
    settings: structuredClone(start),
    store: seeded(options.seededAt ?? options.now()),
    later(at, work) {
      if (at <= options.now()) work(at)
      else later.add(at, async (due) => work(due))
    },
  }
  const limiter = new RateLimiter(world)
  const faults = new FaultBox(options.seed)
  const requests = new RequestLog()
  const apps: Record<Api, Hono<CallEnv>> = { program: programApp(), giftcard: giftcardApp() }
  let savedSettings = "{}"
  let baseSaved = false

  async function handle(api: Api, request: Request, path: string, query: string): Promise<Response> {
    const now = options.now()
    await later.settle(now)
    const body = request.method === "GET" || request.method === "HEAD" ? "" : await request.text()
    const entry = requests.add({ at: now, api, method: request.method, path, query, body })
    const carryOut = async (changes: Partial<Call> = {}, at = options.now()): Promise<Response> =>
      apps[api].fetch(copyOf(request, body), { ...callAt(world, at), ...changes })
    const refused = limiter.check(api, request.headers, now)
    const rule = refused === undefined ? faults.strike({ api, method: request.method, path }) : undefined
    entry.fault = rule?.kind
    const response =
      refused ??
      (rule === undefined
        ? await carryOut()
        : await runFault(rule, {
            world,
            box: faults,
            limiter,
            api,
            path,
            body,
            signal: request.signal,
            carryOut,
            read: async (other) => {
              const { href } = new URL(other, request.url)
              return apps[api].fetch(
                new Request(href, { headers: request.headers }),
                callAt(world, options.now()),
              )
            },
            carryOutLater: (ms) => later.add(now + ms, async (at) => void (await carryOut({}, at))),
          }))
    entry.status = response.status
    return response
  }

  const sandbox: Sandbox = {
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      const api = apiOf(pathname)
      const response =
        api === undefined ? await control.fetch(request) : await handle(api, request, pathname, search)
      response.headers.set("date", new Date(options.now() + world.settings.clockOffsetMs).toUTCString())
      return response
    },
    get store() {
      return world.store
    },
    faults,
    settings: world.settings,
    requests,
    reset() {
      world.store = seeded(options.seededAt ?? options.now())
      Object.assign(world.settings, structuredClone(start))
      faults.clear()
      requests.clear()
      limiter.clear()
      later.clear()
      baseSaved = false
    },
    settle: () => later.settle(options.now()),
    settleAll: () => later.settle(Infinity),
    *changes() {
      const { seed, members, seededAt } = world.store.base
      if (!baseSaved) yield { kind: "base", id: "base", value: { seed, members, seededAt } }
      baseSaved = true
      const settings = changedSettings(start, world.settings)
      if (JSON.stringify(settings) !== savedSettings)
        yield { kind: "settings", id: "settings", value: settings }
      savedSettings = JSON.stringify(settings)
      yield* world.store.changes.drain()
    },
    restore(records) {
      const list = [...records]
      const base = savedBase(list, String(options.seed), options.members)
      if (base === undefined) return false
      world.store = seeded(base.seededAt)
      mergeSnapshot(world.store, list, (saved) => {
        Object.assign(world.settings, sandboxSettings.parse({ ...start, ...saved }))
      })
      savedSettings = JSON.stringify(changedSettings(start, world.settings))
      baseSaved = true
      return true
    },
  }
  const control = controlApp(options.control ? { sandbox, world } : undefined)
  return sandbox
}

function apiOf(pathname: string): Api | undefined {
  if (pathname.startsWith("/v1/")) return "program"
  return pathname.startsWith("/api/v1/external/") ? "giftcard" : undefined
}

/** A copy of the request with a reusable body: it may be carried out twice, or later. */
function copyOf(request: Request, body: string): Request {
  const { method, headers, url } = request
  return new Request(url, body === "" ? { method, headers } : { method, headers, body })
}

/**
 * Deferred work, such as late commits. There is no timer; due work is done before the next request,
 * dated with the time it was due at.
 */
class Later {
  private list: { at: number; run: (at: number) => Promise<void> }[] = []
  private running: Promise<void> = Promise.resolve()

  add(at: number, run: (at: number) => Promise<void>): void {
    this.list.push({ at, run })
  }

  settle(now: number): Promise<void> {
    this.running = this.running.then(() => this.work(now))
    return this.running
  }

  clear(): void {
    this.list = []
  }

  private async work(now: number): Promise<void> {
    const due = this.list.filter((item) => item.at <= now).toSorted((a, b) => a.at - b.at)
    this.list = this.list.filter((item) => item.at > now)
    for (const item of due) await item.run(item.at)
  }
}

/** A request as it arrived, without its key. */
export interface LoggedRequest {
  readonly seq: number
  readonly at: number
  readonly api: Api
  readonly method: string
  readonly path: string
  readonly query: string
  readonly body: string
  /** Status answered; 0 when the connection was dropped or nothing was sent. */
  status: number
  fault: string | undefined
}

const maxEntries = 20_000

/** The newest 20,000 requests; `count` counts all. */
class RequestLog {
  readonly entries: LoggedRequest[] = []
  count = 0

  add(entry: Omit<LoggedRequest, "seq" | "status" | "fault">): LoggedRequest {
    this.count += 1
    const logged: LoggedRequest = { ...entry, seq: this.count, status: 0, fault: undefined }
    this.entries.push(logged)
    if (this.entries.length > maxEntries) this.entries.shift()
    return logged
  }

  clear(): void {
    this.entries.length = 0
    this.count = 0
  }
}

/**
 * A `fetch` that reaches the sandbox and nothing else. A dropped connection is the TypeError a real `fetch` rejects
 * with, a hang lasts until the signal of the request aborts.
 */
export function asFetch(
  sandbox: Sandbox,
): (input: string | URL | Request, init?: RequestInit) => Promise<Response> {
  return async (input, init) => {
    try {
      return await sandbox.fetch(new Request(input, init))
    } catch (error) {
      throw error instanceof ConnectionDropped ? new TypeError("fetch failed", { cause: error }) : error
    }
  }
}

/**
 * `/__sandbox/*`: settings, faults, reset, and what the sandbox did, for a panel or a test that only has HTTP
 * (docs/sandbox.md, Control). Without a sandbox every path answers 404.
 */
function controlApp(on: { sandbox: Sandbox; world: World } | undefined): Hono {
  const app = new Hono()
  app.notFound(() => problem(404, "Nothing is served at this path"))
  if (on === undefined) return app
  const { sandbox, world } = on
  const control = new Hono().basePath("/__sandbox")
  control.get("/settings", () => data(world.settings))
  control.put("/settings", async (c) => {
    const sent = z.record(z.string(), z.unknown()).parse(await c.req.json())
    Object.assign(world.settings, sandboxSettings.parse({ ...world.settings, ...sent }))
    return data(world.settings)
  })
  control.get("/faults", () => data(sandbox.faults.list()))
  control.post("/faults", async (c) => data(sandbox.faults.add(faultInput.parse(await c.req.json())), 201))
  control.delete("/faults", (c) => {
    sandbox.faults.clear()
    return c.body(null, 204)
  })
  control.delete("/faults/:id", (c) =>
    sandbox.faults.remove(c.req.param("id")) ? c.body(null, 204) : problem(404, "There is no such fault"),
  )
  control.post("/reset", (c) => {
    sandbox.reset()
    return c.body(null, 204)
  })
  control.post("/settle", async (c) => {
    await sandbox.settleAll()
    return c.body(null, 204)
  })
  control.get("/ledger", () => data(world.store.ledger))
  control.get("/requests", () => data({ count: sandbox.requests.count, entries: sandbox.requests.entries }))
  control.get("/outbox", () => data(world.store.cards.outbox))
  control.get("/fund", () => data({ cents: world.store.fundCents }))
  control.put("/fund", async (c) => {
    const { cents } = z.object({ cents: z.int() }).parse(await c.req.json())
    world.store.setFund(cents)
    return data({ cents })
  })
  control.get("/waiting", () => data(world.store.transactions.awaiting))
  control.post("/waiting/:id/approve", (c) => {
    const row = approveAward(callAt(world, world.options.now()), c.req.param("id"))
    return row === undefined ? problem(404, "No award with this id waits for approval") : data(row)
  })
  control.onError((error) => problem(400, error.message))
  app.route("/", control)
  return app
}

function data(value: unknown, status: 200 | 201 = 200): Response {
  return Response.json({ data: value }, { status })
}

function problem(status: number, message: string): Response {
  return Response.json({ error: { message } }, { status })
}
