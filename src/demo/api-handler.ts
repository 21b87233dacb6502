import type { AuditAction } from "../../contract/audit.ts"
import { parseExact } from "../../contract/exact-json.ts"
import { limits } from "../../contract/limits.ts"
import type { AppEvent } from "../../contract/status.ts"
import {
  type About,
  changePasswordBody,
  demoOfferOf,
  type AppUser,
  linkBody,
  type LinkPurpose,
  setPasswordBody,
  signInBody,
} from "../../contract/users.ts"
import { sessionEntry } from "../../core/audit-log.ts"
import { AppError, invalid, methodNotAllowed, notFound } from "../../core/errors.ts"
import { type ApiResponse, errorResponse, noContent, success } from "../../core/http.ts"
import { eventVisibleTo } from "../../core/resources/access.ts"
import { readBody } from "../../core/validation.ts"
import type { DemoWorld } from "./demo-world.ts"

const safeMethods: ReadonlySet<string> = new Set(["GET", "HEAD"])

/**
 * Answers a request to `/api/…` as the server does: same guard, same codes, then the desk itself.
 * Never throws.
 */
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
  const { pathname, search } = new URL(request.url)
  const path = pathname.slice("/api".length)
  guard(request)
  if (path === "/about") return toResponse(success(aboutOf(world)), requestId)
  if (path === "/session" || path.startsWith("/session/")) {
    return toResponse(await handleSession(path, { world, request, requestId }), requestId)
  }
  const { id, name, email, role } = signedIn(world)
  if (path === "/events" && request.method === "GET") return eventStream(world, id)
  const response = await world.desk.handle({
    method: request.method === "HEAD" ? "GET" : request.method,
    path,
    search: search.slice(1),
    body: await readJsonBody(request),
    user: { id, name, email, role },
    requestId,
    source: null,
    header: (name) => request.headers.get(name) ?? undefined,
    signal: request.signal,
  })
  return toResponse(response, requestId)
}

/** @throws AppError 403 `guard_missing` for a change that does not come from the desk's own page */
function guard(request: Request): void {
  if (safeMethods.has(request.method) || request.headers.get("X-Laurel") === "1") return
  throw new AppError({
    status: 403,
    code: "guard_missing",
    message:
      "The request didn’t come from Laurel’s own page. Nothing was done. Reload the page and try again.",
  })
}

function aboutOf({ version, accounts }: DemoWorld): About {
  return {
    version,
    environment: "sandbox",
    set_up_needed: false,
    demo_accounts: accounts.offered().map(demoOfferOf),
  }
}

/**
 * The JSON a request carries; undefined without a body. The same refusals as the server's.
 * @throws AppError 413 `body_too_large`, 400 `bad_request`
 */
async function readJsonBody(request: Request): Promise<unknown> {
  const bytes = await request.arrayBuffer()
  if (bytes.byteLength === 0) return undefined
  if (bytes.byteLength > limits.bodyBytes) {
    throw new AppError({
      status: 413,
      code: "body_too_large",
      message: "A request carries at most 1 MB. Nothing was saved. Send it in parts.",
    })
  }
  if (!/^application\/json\b/i.test(request.headers.get("Content-Type") ?? "")) {
    throw badRequest("The body must be sent as application/json. Nothing was done.")
  }
  try {
    return parseExact(new TextDecoder().decode(bytes))
  } catch {
    throw badRequest("The body isn’t readable JSON. Nothing was done.")
  }
}

function badRequest(message: string): AppError {
  return new AppError({ status: 400, code: "bad_request", message })
}

/** Statuses whose responses carry no body. */
const withoutBody: ReadonlySet<number> = new Set([204, 205, 304])

/** An answer of the desk as the browser receives it. */
function toResponse(answer: ApiResponse, requestId: string): Response {
  const headers = new Headers({ "X-Request-Id": requestId, "Cache-Control": "no-store", ...answer.headers })
  // Nobody reads the response to an abandoned request; a status below 200 or above 599 cannot be made.
  const status = answer.status === 499 ? 503 : answer.status
  if (answer.body === undefined || withoutBody.has(status)) return new Response(null, { status, headers })
  headers.set("Content-Type", "application/json; charset=utf-8")
  return new Response(JSON.stringify(answer.body), { status, headers })
}

/** What a request about the session brings. */
interface SessionRequest {
  readonly world: DemoWorld
  readonly request: Request
  readonly requestId: string
}

/**
 * `/api/session` and what is below it: sign in, who am I, sign out, one-time links.
 * @throws AppError
 */
async function handleSession(path: string, on: SessionRequest): Promise<ApiResponse> {
  const { method } = on.request
  if (path === "/session") {
    if (method === "GET") return sessionResponse(on.world)
    if (method === "POST") return signIn(on)
    if (method === "DELETE") return signOut(on)
    throw methodNotAllowed(["GET", "POST", "DELETE"])
  }
  if (path === "/session/password" && method === "PUT") return changePassword(on)
  const byLink = { "/session/link": readLink, "/session/password": setPassword }[path]
  if (byLink === undefined) throw notFound()
  if (method !== "POST") throw methodNotAllowed(path === "/session/password" ? ["POST", "PUT"] : ["POST"])
  return byLink(on)
}

/** Opens the session of a user and writes it into the audit log. */
export async function openSession(world: DemoWorld, user: AppUser, requestId: string): Promise<void> {
  const before = world.session
  world.session = user.id
  await record(world, "session.sign_in", user, requestId)
  if (before !== null && before !== user.id) world.events.publish({ topic: "session", id: before })
}

/** @throws AppError 401 `session_required` */
function signedIn({ accounts, session }: DemoWorld): AppUser {
  const user = accounts.active(session)
  if (user !== undefined) return user
  throw new AppError({
    status: 401,
    code: "session_required",
    message: "You’re not signed in. Nothing was done. Sign in and try again.",
  })
}

async function sessionResponse(world: DemoWorld): Promise<ApiResponse> {
  const { id, name, email, role } = signedIn(world)
  return success(await world.desk.session({ id, name, email, role }))
}

async function signIn({ world, request, requestId }: SessionRequest): Promise<ApiResponse> {
  const { email, password } = readBody(await readJsonBody(request), signInBody)
  const user = world.accounts.check(email, password)
  if (user === undefined) {
    const action = "session.sign_in_refused"
    await world.desk.record(
      sessionEntry({ action, outcome: "refused", user: undefined, email, requestId, source: null }),
    )
    throw new AppError({
      status: 401,
      code: "wrong_credentials",
      message: "The e-mail or password is wrong, or the account is disabled. You’re not signed in.",
    })
  }
  await openSession(world, user, requestId)
  return sessionResponse(world)
}

async function signOut({ world, requestId }: SessionRequest): Promise<ApiResponse> {
  const user = world.accounts.active(world.session)
  world.session = null
  if (user !== undefined) {
    await record(world, "session.sign_out", user, requestId)
    world.events.publish({ topic: "session", id: user.id })
  }
  return noContent
}

async function readLink({ world, request }: SessionRequest): Promise<ApiResponse> {
  const { token } = readBody(await readJsonBody(request), linkBody)
  const owner = await world.accounts.linkOwner(token)
  if (owner === undefined) throw linkUnknown()
  const purpose: LinkPurpose = { purpose: "password", email: owner.email }
  return success(purpose)
}

async function setPassword({ world, request, requestId }: SessionRequest): Promise<ApiResponse> {
  const { token, password } = readBody(await readJsonBody(request), setPasswordBody)
  const user = await world.accounts.setPassword(token, password)
  if (user === undefined) throw linkUnknown()
  await record(world, "session.password_set", user, requestId)
  await openSession(world, user, requestId)
  return sessionResponse(world)
}

async function changePassword({ world, request, requestId }: SessionRequest): Promise<ApiResponse> {
  const user = signedIn(world)
  const body = readBody(await readJsonBody(request), changePasswordBody)
  if (!world.accounts.changePassword(user.id, body)) {
    throw invalid(422, [
      { field: "current_password", message: "This is not your current password. Nothing was changed." },
    ])
  }
  await record(world, "session.password_change", user, requestId)
  return noContent
}

function linkUnknown(): AppError {
  return notFound(
    "This link no longer works: it was already used, has expired, or was replaced by a newer one. Ask an administrator for a new one.",
  )
}

async function record(
  world: DemoWorld,
  action: AuditAction,
  user: AppUser,
  requestId: string,
): Promise<void> {
  await world.desk.record(
    sessionEntry({ action, outcome: "done", user, email: user.email, requestId, source: null }),
  )
}

/** How long a browser waits before it opens a broken stream again, in ms. */
const retryMs = 2000

/**
 * `GET /api/events`: the bus of this tab as an event stream, as far as the role of who is signed in may hear. It
 * ends with the session.
 */
function eventStream(world: DemoWorld, userId: string): Response {
  // Where a stream cannot be handed to the worker it would never begin: no stream then, pages read by themselves.
  if (!canHandOverStreams()) return new Response(null, { status: 204 })
  const encoder = new TextEncoder()
  let unsubscribe: (() => void) | undefined
  let ended = false
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const write = (text: string) => controller.enqueue(encoder.encode(text))
      const deliver = async (event: AppEvent) => {
        const user = world.session === userId ? world.accounts.active(userId) : undefined
        if (user === undefined) {
          unsubscribe?.()
          ended = true
          controller.close()
          return
        }
        const heard = await eventVisibleTo(user, event, world.jobs)
        if (heard !== undefined && !ended) write(`data: ${JSON.stringify(heard)}\n\n`)
      }
      write(`retry: ${retryMs}\n\n`)
      unsubscribe = world.events.subscribe((event) => void deliver(event))
    },
    cancel: () => {
      ended = true
      unsubscribe?.()
    },
  })
  return new Response(body, {
    headers: { "Content-Type": "text/event-stream; charset=utf-8", "Cache-Control": "no-store" },
  })
}

/** Whether this browser can give a stream to a service worker; Safari could not for long. */
function canHandOverStreams(): boolean {
  try {
    const stream = new ReadableStream()
    const { port1, port2 } = new MessageChannel()
    port1.postMessage(stream, [stream])
    port1.close()
    port2.close()
    return true
  } catch {
    return false
  }
}
