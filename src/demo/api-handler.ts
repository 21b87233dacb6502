import * as z from "zod/mini"
import { createStore } from "zustand"
import { refusals } from "../../bff/http/refusals.ts"
import { parseExact } from "../../contract/exact-json.ts"
import { limits } from "../../contract/limits.ts"
import type { Role } from "../../contract/roles.ts"
import { heartbeat } from "../../contract/events.ts"
import { AppError } from "../../core/errors.ts"
import { type ApiResponse, errorResponse } from "../../core/http.ts"
import type { EventReader } from "../../core/events/live-events.ts"
import { openSession } from "../../core/users/session-routes.ts"
import { appRoot } from "../lib/app-root.ts"
import { readStored, saveStored } from "../lib/browser-storage.ts"
import type { DemoWorld } from "./demo-world.ts"

/** Responds to a request to `/api/…` like the server: same guard, same codes, then the core. Never throws. */
export async function handleApiRequest(world: DemoWorld, request: Request): Promise<Response> {
  const requestId = crypto.randomUUID()
  try {
    return await respond(world, request, requestId)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return toResponse(errorResponse(error, requestId), requestId)
  }
}

async function respond(world: DemoWorld, request: Request, requestId: string): Promise<Response> {
  const { headers, method, signal } = request
  const { pathname, search } = new URL(request.url)
  const isRead = method === "GET" || method === "HEAD"
  if (!isRead && headers.get("X-Laurel") !== "1") throw refusals.guardMissing()
  const sent = {
    method: method === "HEAD" ? "GET" : method,
    path: pathname.slice(`${appRoot}api`.length),
    search: search.slice(1),
    body: await readJsonBody(request),
    requestId,
    source: null,
    header: (name: string) => headers.get(name) ?? undefined,
    cookies: world.session,
    setCookies([id]: readonly string[]) {
      if (id !== undefined) world.session = id || undefined
    },
    onSession() {},
  }
  if (/^\/(?:about|session)(?:\/|$)/.test(sent.path))
    return toResponse(await world.handleSession(sent), requestId)
  const { user } = await openSession(world.auth.sessions, sent)
  return toResponse(await world.core.handle({ ...sent, user, signal }), requestId)
}

/** The JSON body of a request; undefined without one. Refuses like the server. */
async function readJsonBody(request: Request): Promise<unknown> {
  const bytes = await request.arrayBuffer()
  if (bytes.byteLength === 0) return undefined
  if (bytes.byteLength > limits.bodyBytes) throw refusals.bodyTooLarge("1 MB")
  if (!/^application\/json\b/i.test(request.headers.get("Content-Type") ?? "")) throw refusals.notJson()
  try {
    return parseExact(new TextDecoder().decode(bytes))
  } catch {
    throw refusals.unreadableJson()
  }
}

const withoutBody: ReadonlySet<number> = new Set([204, 205, 304])

function toResponse(response: ApiResponse, requestId: string): Response {
  const headers = new Headers({ "X-Request-Id": requestId, "Cache-Control": "no-store", ...response.headers })
  // The response to an aborted request is never read, and `Response` rejects a status below 200 or above 599.
  const status = response.status === 499 ? 503 : response.status
  if (response.body === undefined || withoutBody.has(status)) return new Response(null, { status, headers })
  headers.set("Content-Type", "application/json; charset=utf-8")
  return new Response(JSON.stringify(response.body), { status, headers })
}

/**
 * The page's `EventSource`, without the service worker: not every browser can transfer a stream to one. It receives the
 * events of this tab that the user's role can see, and ends with the session.
 */
export function eventSourceOf(world: DemoWorld) {
  return class DemoEventSource extends EventTarget {
    static readonly CLOSED = 2
    readyState = 1
    #delivered: Promise<unknown> = Promise.resolve()
    readonly #userId = world.session
    readonly #timer = setInterval(() => this.#send(heartbeat.data), heartbeat.everyMs)
    readonly #unsubscribe = world.core.live.listen((read) => this.#follow(read))

    constructor() {
      super()
      this.#delivered = Promise.resolve().then(() => this.#send(heartbeat.data))
      this.#follow(world.core.live.now())
    }

    close(): void {
      this.readyState = DemoEventSource.CLOSED
      clearInterval(this.#timer)
      this.#unsubscribe()
    }

    #follow(read: EventReader): void {
      this.#delivered = this.#delivered.then(() => this.#deliver(read)).catch(() => this.#end())
    }

    async #deliver(read: EventReader): Promise<void> {
      const opened =
        world.session === this.#userId ? await world.auth.sessions.read(this.#userId, "watch") : undefined
      if (this.readyState === DemoEventSource.CLOSED) return
      if (opened === undefined) return this.#end()
      for (const event of await read(opened.user)) this.#send(JSON.stringify(event))
    }

    #end(): void {
      if (this.readyState === DemoEventSource.CLOSED) return
      this.close()
      this.dispatchEvent(new Event("error"))
    }

    #send(data: string): void {
      if (this.readyState !== DemoEventSource.CLOSED)
        this.dispatchEvent(new MessageEvent("message", { data }))
    }
  }
}

export type DemoControls = Awaited<ReturnType<typeof createDemoControls>>
export type PanelView = ReturnType<DemoControls["view"]["getState"]>

const tourKey = "laurel-demo-tour"
const tourPlace = z.object({ at: z.int(), open: z.boolean() })
type TourPlace = z.output<typeof tourPlace>

/** Stored separately from the state, which takes longer to save: a reload restores what the panel showed. */
const faultsKey = "laurel-demo-faults"

export async function createDemoControls(
  world: DemoWorld,
  save: () => Promise<void>,
  reset: () => Promise<void>,
) {
  const { auth, sandbox } = world
  const offers = async () => (await auth.signInHelp()).demo_accounts
  const current = async () => ({
    role: (await auth.sessions.read(world.session, "watch"))?.user.role ?? null,
    /** Roles that can sign in with one click. */
    roles: [...new Set((await offers()).map(({ role }) => role))] as readonly Role[],
    faults: world.faults(),
  })
  for (const id of readStored(faultsKey, z.array(z.string())) ?? []) world.setFault(id, true)
  // If the storage is full, the tour's place only lasts until the page closes.
  const tour: TourPlace = readStored(tourKey, tourPlace) ?? { at: 0, open: false }
  const first = { ...(await current()), tour, isUnsaved: false }
  const view = createStore(() => first)
  const refresh = async () => view.setState(await current())
  return {
    view,
    refresh,
    reset,
    /** When the demo was started, in ms: its dates are relative to it. */
    startedAt: sandbox.store.base.seededAt,
    /** Signs in with this role and reloads the page, which clears what the previous user saw. */
    async enter(role: Role) {
      const offer = (await offers()).find((one) => one.role === role)
      if (offer === undefined) return
      const { email, password } = offer
      const headers = { "X-Laurel": "1", "Content-Type": "application/json" }
      const init = { method: "POST", headers, body: JSON.stringify({ email, password }) }
      await handleApiRequest(world, new Request(`${appRoot}api/session`, init))
      await save()
      window.location.reload()
    },
    async setFaults(ids: readonly string[], on: boolean) {
      for (const id of ids) world.setFault(id, on)
      saveStored(faultsKey, world.faults())
      await refresh()
    },
    /** Moves the tour to a stop or closes it, and saves this for the next visit. */
    setTour(place: TourPlace) {
      saveStored(tourKey, place)
      view.setState({ tour: place })
    },
  }
}
