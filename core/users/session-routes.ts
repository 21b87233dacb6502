import type { AuditAction } from "../../contract/audit.ts"
import type { About, Session, SessionUser } from "../../contract/session.ts"
import { changePasswordBody, linkBody, setPasswordBody, signInBody } from "../../contract/users.ts"
import { type AuditLog, type SessionAct, sessionEntry } from "../audit/audit-log.ts"
import type { AppConfig } from "../deps.ts"
import { AppError, invalid, notFound, recorded, stored, unavailable } from "../errors.ts"
import { type ApiRequest, type ApiResponse, noContent, success } from "../http.ts"
import { findRow } from "../match.ts"
import type { EventBus } from "../ports.ts"
import { readBody } from "../validation.ts"
import type { Attempt, Auth, OpenSession, Sessions, SetPasswordRefusal } from "./accounts.ts"

/** A request before sign-in, with what the shell does about its browser. */
export interface SessionRequest extends Pick<
  ApiRequest,
  "method" | "path" | "body" | "requestId" | "source" | "header"
> {
  readonly cookies: string | undefined
  readonly setCookies: (cookies: readonly string[]) => void
  /** Names the session for the shell's own log. */
  readonly onSession: (session: OpenSession) => void
}

interface SessionDeps {
  readonly auth: Auth
  readonly audit: Pick<AuditLog, "record">
  readonly config: Pick<AppConfig, "environment" | "version">
  readonly events: EventBus
  /** The session data of a signed-in person's page. */
  readonly session: (user: SessionUser) => Promise<Session>
  /** Closes the open job of a person who signs out. */
  readonly closeOpenJob: (userId: string) => Promise<void>
}

/**
 * The session of a request's cookies, renewed.
 * @throws AppError 401, also when the request names another user (`X-Laurel-User`), or 503 when the store fails
 */
export async function openSession(
  sessions: Pick<Sessions, "read">,
  request: Pick<SessionRequest, "cookies" | "header" | "setCookies" | "onSession">,
): Promise<OpenSession> {
  const session = await stored(sessions.read(request.cookies, "use"))
  if (session === undefined || session.user.id !== (request.header("x-laurel-user") ?? session.user.id)) {
    throw sessionRequired()
  }
  request.setCookies(session.cookies)
  request.onSession(session)
  return session
}

function sessionRequired(): AppError {
  return new AppError({
    status: 401,
    code: "session_required",
    message: "You’re not signed in. Nothing was done. Sign in and try again.",
  })
}

interface SessionContext extends SessionDeps {
  /** Written to the audit log before the act: without the entry there is no act. */
  readonly auditFirst: (request: SessionRequest, act: Act) => Promise<void>
  readonly auditDone: (request: SessionRequest, act: Act) => Promise<void>
}

type Handler = (
  context: SessionContext,
  request: SessionRequest,
  params: Readonly<Record<string, string>>,
) => Promise<ApiResponse>

/** Handles `/api/about` and everything below `/api/session`: open without a session. @throws AppError */
export function createSessionHandler(deps: SessionDeps): (request: SessionRequest) => Promise<ApiResponse> {
  const record = ({ requestId, source }: SessionRequest, act: Act) =>
    deps.audit.record(sessionEntry({ ...act, requestId, source }))
  const context: SessionContext = {
    ...deps,
    auditFirst: (request, act) => stored(record(request, act)),
    auditDone: (request, act) => recorded(record(request, act)),
  }
  return async (request) => {
    const { row, params } = findRow(rows, request.method, request.path)
    return row.handle(context, request, params)
  }
}

/** Opens a session after proof of identity; the browser's earlier session ends. */
async function enter(
  context: SessionContext,
  request: SessionRequest,
  opened: OpenSession,
  done?: AuditAction,
): Promise<ApiResponse> {
  const { auth, auditDone, auditFirst, closeOpenJob, events } = context
  const { user } = opened
  const { cookies } = request
  const before = await stored(auth.sessions.end(cookies))
  if (before !== undefined) {
    const note = "Ended by a new sign-in in the same browser."
    await auditFirst(request, { ...doneBy(before.user, "session.sign_out"), note })
    await closeOpenJob(before.user.id)
    events.publish({ topic: "session", id: before.user.id })
  }
  if (done !== undefined) await auditDone(request, doneBy(user, done))
  await auditFirst(request, doneBy(user, "session.sign_in"))
  request.onSession(opened)
  request.setCookies([...opened.cookies, auth.throttle.browserCookie(user.email, cookies)])
  return success(await stored(context.session(user)))
}

const signIn: Handler = async (context, request) => {
  const { auth, auditFirst } = context
  const { email, password } = readBody(request.body, signInBody)
  const attempt = { email, address: addressOf(request), cookieHeader: request.cookies }
  const counted = admitted(await stored(auth.throttle.signIn(attempt)))
  const opened = await stored(auth.sessions.signIn(email, password, request.header("user-agent")))
  if (opened === undefined) {
    await auditFirst(request, {
      action: "session.sign_in_refused",
      outcome: "refused",
      user: undefined,
      email,
    })
    throw new AppError({
      status: 401,
      code: "wrong_credentials",
      message: "The e-mail or password is wrong, or the account is disabled. You’re not signed in.",
    })
  }
  await stored(counted.succeeded())
  return enter(context, request, opened)
}

const signOut: Handler = async ({ auth, auditDone, closeOpenJob, events }, request) => {
  // Without a session there is nothing to end; when the store fails, the session and its cookie stay.
  const ended = await auth.sessions.end(request.cookies).catch(stillSignedIn)
  request.setCookies(await stored(auth.sessions.cleared()))
  if (ended === undefined) return noContent
  const { user } = ended
  request.onSession(ended)
  events.publish({ topic: "session", id: user.id })
  await auditDone(request, doneBy(user, "session.sign_out"))
  await closeOpenJob(user.id)
  return noContent
}

const endOtherSessions: Handler = async ({ auth, auditDone, events }, request, { id }) => {
  const opened = await openSession(auth.sessions, request)
  await stored(auth.sessions.endOtherSessions(opened, id))
  // Pages of the sessions that have just ended read again who is signed in.
  events.publish({ topic: "session", id: opened.user.id })
  await auditDone(request, doneBy(opened.user, "session.end"))
  return success(await stored(auth.sessions.list(opened)))
}

const setPassword: Handler = async (context, request) => {
  const { auth, events } = context
  const body = readBody(request.body, setPasswordBody)
  const counted = admitted(await stored(auth.throttle.link(addressOf(request))))
  const result = await stored(auth.setPassword(body))
  if (typeof result === "string") throw linkRefusals[result]()
  await stored(counted.succeeded())
  if ("weak" in result) throw invalid(422, [{ field: "password", message: result.weak }])
  // Streams of older sessions of this user learn that they ended.
  events.publish({ topic: "session", id: result.userId })
  const browser = request.header("user-agent")
  const opened = await stored(auth.sessions.signIn(result.email, body.password, browser))
  if (opened === undefined) throw sessionRequired()
  return enter(context, request, opened, "session.password_set")
}

const changePassword: Handler = async ({ auth, auditDone, auditFirst, events }, request) => {
  const opened = await openSession(auth.sessions, request)
  const { user } = opened
  const body = readBody(request.body, changePasswordBody)
  const counted = await stored(auth.throttle.ownPassword(user.id))
  if ("waitMs" in counted) {
    const message = `Too many wrong passwords. Wait ${inWords(counted.waitMs)}, then try again.`
    throw invalid(422, [{ field: "current_password", message }])
  }
  const result = await stored(auth.changePassword(opened, body))
  if (result === "wrong_password") {
    await auditFirst(request, { ...doneBy(user, "session.password_change"), outcome: "refused" })
    const message = "This is not your current password. Nothing was changed."
    throw invalid(422, [{ field: "current_password", message }])
  }
  await stored(counted.succeeded())
  if (typeof result === "object") throw invalid(422, [{ field: "new_password", message: result.weak }])
  // Pages of the sessions that have just ended read again who is signed in.
  events.publish({ topic: "session", id: user.id })
  await auditDone(request, doneBy(user, "session.password_change"))
  return noContent
}

const readLink: Handler = async ({ auth }, request) => {
  const { token } = readBody(request.body, linkBody)
  const counted = admitted(await stored(auth.throttle.link(addressOf(request))))
  const purpose = await stored(auth.linkPurpose(token))
  if (purpose === undefined) throw linkRefusals.link_unknown()
  await stored(counted.succeeded())
  return success(purpose)
}

const about: Handler = async ({ auth, config: { environment, version } }) => {
  const body: About = { version, environment, ...(await auth.signInHelp()) }
  return success(body)
}

const rows: readonly { readonly method: string; readonly address: string; readonly handle: Handler }[] = [
  { method: "GET", address: "/about", handle: about },
  {
    method: "GET",
    address: "/session",
    handle: async ({ auth, session }, request) =>
      success(await stored(session((await openSession(auth.sessions, request)).user))),
  },
  { method: "POST", address: "/session", handle: signIn },
  { method: "DELETE", address: "/session", handle: signOut },
  {
    method: "GET",
    address: "/session/list",
    handle: async ({ auth }, request) =>
      success(await stored(auth.sessions.list(await openSession(auth.sessions, request)))),
  },
  { method: "DELETE", address: "/session/list", handle: endOtherSessions },
  { method: "DELETE", address: "/session/list/{id}", handle: endOtherSessions },
  { method: "POST", address: "/session/link", handle: readLink },
  { method: "POST", address: "/session/password", handle: setPassword },
  { method: "PUT", address: "/session/password", handle: changePassword },
]

function stillSignedIn(cause: unknown): never {
  throw unavailable(
    "You’re still signed in: Laurel’s database isn’t responding, so the session was not ended. Try again in a moment.",
    { cause },
  )
}

/** @throws AppError 429 for an attempt that comes too early */
function admitted(counted: Attempt) {
  if ("succeeded" in counted) return counted
  throw new AppError({
    status: 429,
    code: "too_many_attempts",
    message: `Too many failed attempts. This one was not checked. Try again in ${inWords(counted.waitMs)}, or ask an administrator for a new password link.`,
    headers: { "Retry-After": String(Math.max(1, Math.ceil(counted.waitMs / 1000))) },
  })
}

function inWords(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000))
  if (seconds < 90) return seconds === 1 ? "a second" : `${seconds} seconds`
  return `${Math.ceil(seconds / 60)} minutes`
}

function addressOf({ source }: SessionRequest): string {
  return source ?? "unknown"
}

const linkRefusals: Readonly<Record<SetPasswordRefusal, () => AppError>> = {
  link_unknown: () =>
    notFound(
      "This link no longer works: it was already used, has expired, or was replaced by a newer one. Ask an administrator for a new one.",
    ),
  details_missing: () =>
    invalidDetails("The first administrator needs a name and an e-mail address. The link still works.", {
      name: "Enter your name.",
      email: "Enter an e-mail address like name@company.com.au.",
    }),
  email_taken: () =>
    invalidDetails("Another user already has this e-mail. Nothing was created; the link still works.", {
      email: "Another user already has this e-mail.",
    }),
}

function invalidDetails(message: string, problems: Readonly<Record<string, string>>): AppError {
  const fields = Object.entries(problems).map(([field, message]) => ({ field, message }))
  return new AppError({ status: 422, code: "validation", message, details: { fields } })
}

type Act = Omit<SessionAct, "requestId" | "source">

function doneBy(user: SessionUser, action: AuditAction): Act {
  return { action, outcome: "done", user, email: user.email }
}
