import type { Hono } from "hono"
import { approveDue } from "./approval.ts"
import { controlApp } from "./control.ts"
import { FaultBox } from "./faults/box.ts"
import { runFault } from "./faults/run.ts"
import { Gate } from "./gate.ts"
import { giftcardApp } from "./giftcard/app.ts"
import { Later } from "./later.ts"
import { defaultOptions, startSettings, type SandboxOptions } from "./options.ts"
import { programApp } from "./program/app.ts"
import type { Api } from "./refusal.ts"
import { RequestLog } from "./requests.ts"
import { changedSettings, layOver, savedSeedTime } from "./restore.ts"
import { sandboxSettings, type SandboxSettings } from "./settings.ts"
import type { Change } from "./store/change-log.ts"
import { SandboxStore } from "./store/store.ts"
import { callAt, type Call, type CallEnv, type World } from "./world.ts"

/** Both upstream APIs in one object: `fetch` them, read what they did, set what goes wrong. */
export interface Sandbox {
  /** Answers a request to `/v1/…`, `/api/v1/external/…` or, when asked for, `/__sandbox/…`. Throws ConnectionDropped. */
  readonly fetch: (request: Request) => Promise<Response>
  /** What the services hold; another object after `reset` or `restore`. */
  readonly store: SandboxStore
  readonly faults: FaultBox
  /** Assign to a field to change a setting. */
  readonly settings: SandboxSettings
  readonly requests: RequestLog
  /** Seeds again, with the settings of the start, no faults and an empty log. */
  readonly reset: () => void
  /** Carries out what is due by now: late commits and approvals. Every request does so first. */
  readonly settle: () => Promise<void>
  /** Carries out everything put off, whenever it is due. */
  readonly settleAll: () => Promise<void>
  /** Records changed since the last call, plain JSON, each once. */
  readonly changes: () => Iterable<Change>
  /** Lays saved changes over a fresh seed. False: they belong to another seed or count, and nothing was done. */
  readonly restore: (records: Iterable<unknown>) => boolean
}

/** Makes a sandbox. Throws a ZodError on a bad setting. */
export function createSandbox(given: Partial<SandboxOptions> = {}): Sandbox {
  const options: SandboxOptions = { ...defaultOptions, ...given }
  const start = startSettings(options)
  const seeded = (at: number) => new SandboxStore(options.seed, options.members, at, options.fundCents)
  const world: World = {
    options,
    settings: structuredClone(start),
    store: seeded(options.seededAt ?? options.now()),
  }
  const gate = new Gate(world)
  const faults = new FaultBox(options.seed)
  const requests = new RequestLog()
  const later = new Later()
  const apps: Record<Api, Hono<CallEnv>> = { program: programApp(), giftcard: giftcardApp() }
  let savedSettings = "{}"
  let baseSaved = false

  const settleAt = async (now: number): Promise<void> => {
    await later.settle(now)
    approveDue(world, now)
  }

  async function handle(api: Api, request: Request, path: string, query: string): Promise<Response> {
    const now = options.now()
    await settleAt(now)
    const body = request.method === "GET" || request.method === "HEAD" ? "" : await request.text()
    const entry = requests.add({ at: now, api, method: request.method, path, query, body })
    const carryOut = async (changes: Partial<Call> = {}, at = options.now()): Promise<Response> =>
      apps[api].fetch(copyOf(request, body), { ...callAt(world, at), ...changes })
    const refused = gate.check(api, request.headers, now)
    const rule = refused === undefined ? faults.strike({ api, method: request.method, path }) : undefined
    entry.fault = rule?.kind
    const response =
      refused ??
      (rule === undefined
        ? await carryOut()
        : await runFault(rule, {
            world,
            box: faults,
            gate,
            api,
            body,
            signal: request.signal,
            carryOut,
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
      gate.clear()
      later.clear()
      baseSaved = false
    },
    settle: () => settleAt(options.now()),
    settleAll: () => settleAt(Infinity),
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
      const seededAt = savedSeedTime(list, String(options.seed), options.members)
      if (seededAt === undefined) return false
      world.store = seeded(seededAt)
      layOver(world.store, list, (saved) => {
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

/** The request with its body at hand again: the same one may be carried out twice, or later. */
function copyOf(request: Request, body: string): Request {
  const { method, headers, url } = request
  return new Request(url, body === "" ? { method, headers } : { method, headers, body })
}
