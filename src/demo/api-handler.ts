import { refusals } from "../../bff/http/refusals.ts"
import type { AuditAction } from "../../contract/audit.ts"
import { parseExact } from "../../contract/exact-json.ts"
import { limits } from "../../contract/limits.ts"
import { heartbeat } from "../../contract/status.ts"
import {
  type About,
  type AppUser,
  changePasswordBody,
  demoOfferOf,
  linkBody,
  type OwnSession,
  setPasswordBody,
  signInBody,
} from "../../contract/users.ts"
import { sessionEntry } from "../../core/audit-log.ts"
import { AppError, methodNotAllowed, notFound } from "../../core/errors.ts"
import { type ApiResponse, errorResponse, noContent, success } from "../../core/http.ts"
import type { EventReader } from "../../core/resources/live-events.ts"
import { readBody } from "../../core/validation.ts"
import { appRoot } from "../lib/app-root.ts"
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
  const path = pathname.slice(`${appRoot}api`.length)
  const isRead = method === "GET" || method === "HEAD"
  if (!isRead && headers.get("X-Laurel") !== "1") throw refusals.guardMissing()
  if ((headers.get("X-Laurel-User") ?? world.session) !== world.session) throw refusals.sessionRequired()
  if (path === "/about") {
    const demo_accounts = (await world.accounts.offered()).map(demoOfferOf)
    const { version } = world
    const about: About = { version, environment: "sandbox", set_up_needed: false, demo_accounts }
    return toResponse(success(about), requestId)
  }
  const sessionMethods = sessionRoutes[path]
  if (sessionMethods !== undefined) {
    const handler = sessionMethods[method]
    if (handler === undefined) throw methodNotAllowed(Object.keys(sessionMethods))
    return toResponse(await handler({ world, request, requestId }), requestId)
  }
  if (path.startsWith("/session/")) throw notFound()
  const { id, name, email, role } = await signedIn(world)
  const response = await world.core.handle({
    method: method === "HEAD" ? "GET" : method,
    path,
    search: search.slice(1),
    body: await readJsonBody(request),
    user: { id, name, email, role },
    requestId,
    source: null,
    header: (name) => headers.get(name) ?? undefined,
    signal,
  })
  return toResponse(response, requestId)
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

type SessionHandler = (on: { world: DemoWorld; request: Request; requestId: string }) => Promise<ApiResponse>

/** `/api/session` and below: sign in, current session, sign out, own password, one-time links. */
const sessionRoutes: Readonly<Record<string, Readonly<Record<string, SessionHandler>>>> = {
  "/session": {
    GET: ({ world }) => sessionResponse(world),
    POST: async ({ world, request, requestId }) => {
      const { email, password } = readBody(await readJsonBody(request), signInBody)
      const user = await world.accounts.check(email, password)
      if (user === undefined) {
        const refused = { action: "session.sign_in_refused", outcome: "refused", user: undefined } as const
        await world.core.record(sessionEntry({ ...refused, email, requestId, source: null }))
        throw refusals.wrongCredentials()
      }
      await openSession(world, user, requestId)
      return sessionResponse(world)
    },
    DELETE: async ({ world, requestId }) => {
      const user = await world.accounts.active(world.session)
      world.session = null
      if (user === undefined) return noContent
      await record(world, "session.sign_out", user, requestId)
      world.events.publish({ topic: "session", id: user.id })
      return noContent
    },
  },
  // The demo has only this tab's session.
  "/session/list": {
    GET: async ({ world }) => success(await onlySession(world)),
    DELETE: async ({ world }) => success(await onlySession(world)),
  },
  "/session/link": {
    POST: async ({ world, request }) => {
      const { token } = readBody(await readJsonBody(request), linkBody)
      const purpose = await world.accounts.linkPurpose(token)
      if (purpose === undefined) throw refusals.linkUnknown()
      return success(purpose)
    },
  },
  "/session/password": {
    POST: async ({ world, request, requestId }) => {
      const { token, password } = readBody(await readJsonBody(request), setPasswordBody)
      const user = await world.accounts.setPassword(token, password)
      if (user === undefined) throw refusals.linkUnknown()
      await record(world, "session.password_set", user, requestId)
      await openSession(world, user, requestId)
      return sessionResponse(world)
    },
    PUT: async ({ world, request, requestId }) => {
      const user = await signedIn(world)
      const body = readBody(await readJsonBody(request), changePasswordBody)
      if (!(await world.accounts.changePassword(user.id, body))) throw refusals.wrongPassword()
      await record(world, "session.password_change", user, requestId)
      return noContent
    },
  },
}

export async function openSession(world: DemoWorld, user: AppUser, requestId: string): Promise<void> {
  const before = world.session
  world.session = user.id
  await record(world, "session.sign_in", user, requestId)
  if (before !== null && before !== user.id) world.events.publish({ topic: "session", id: before })
}

async function signedIn({ accounts, session }: DemoWorld): Promise<AppUser> {
  const user = await accounts.active(session)
  if (user === undefined) throw refusals.sessionRequired()
  return user
}

async function onlySession(world: DemoWorld): Promise<OwnSession[]> {
  const { id } = await signedIn(world)
  const created_at = new Date((await world.accounts.signedInAt(id)) ?? Date.now()).toISOString()
  const last_seen_at = new Date().toISOString()
  return [{ id, current: true, browser: navigator.userAgent, created_at, last_seen_at }]
}

async function sessionResponse(world: DemoWorld): Promise<ApiResponse> {
  const { id, name, email, role } = await signedIn(world)
  return success(await world.core.session({ id, name, email, role }))
}

async function record({ core }: DemoWorld, action: AuditAction, user: AppUser, requestId: string) {
  const { email } = user
  await core.record(sessionEntry({ action, outcome: "done", user, email, requestId, source: null }))
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
      const user = world.session === this.#userId ? await world.accounts.active(this.#userId) : undefined
      if (this.readyState === DemoEventSource.CLOSED) return
      if (user === undefined) return this.#end()
      const { id, name, email, role } = user
      for (const event of await read({ id, name, email, role })) this.#send(JSON.stringify(event))
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
