import { Router, type Request, type RequestHandler, type Response } from "express"
import type { AuditAction } from "../../contract/audit.ts"
import {
  changePasswordBody,
  linkBody,
  type Session,
  type SessionUser,
  setPasswordBody,
  signInBody,
} from "../../contract/users.ts"
import { type NewAuditEntry, type SessionAct, sessionEntry } from "../../core/audit-log.ts"
import { AppError, invalid, recorded, stored, unavailable } from "../../core/errors.ts"
import { noContent, success } from "../../core/http.ts"
import type { EventBus } from "../../core/ports.ts"
import { readBody } from "../../core/validation.ts"
import type { Auth } from "../auth/auth.ts"
import type { OpenSession, Sessions } from "../auth/sessions.ts"
import type { SetPasswordRefusal } from "../auth/set-password.ts"
import type { Attempt } from "../auth/sign-in-throttle.ts"
import { jsonBody, sendResponse } from "./api.ts"
import { refusals } from "./refusals.ts"

/** Requires an open session. @throws as `openSession` */
export function requireSession(sessions: Sessions): RequestHandler {
  return async (req, res, next) => {
    await openSession(sessions, req, res)
    next()
  }
}

/**
 * The session of a request's cookie, lengthened.
 * @throws AppError 401, also when the request names another user (`X-Laurel-User`), or 503 when the store fails
 */
export async function openSession(
  sessions: Pick<Sessions, "read">,
  req: Request,
  res: Response,
): Promise<OpenSession> {
  const session = await stored(sessions.read(req.headers.cookie, "use"))
  if (session === undefined || session.user.id !== (req.get("X-Laurel-User") ?? session.user.id))
    throw refusals.sessionRequired()
  setCookies(res, session.cookies)
  res.locals.session = session
  return session
}

function setCookies(res: Response, cookies: readonly string[]): void {
  for (const cookie of cookies) res.append("Set-Cookie", cookie)
}

/** Largest body before sign-in, in bytes: credentials and links are short. */
const bodyLimit = 10_240
const json = jsonBody(bodyLimit)

interface SessionDeps {
  readonly auth: Auth
  readonly bus: EventBus
  session(user: SessionUser): Promise<Session>
  record(entry: NewAuditEntry): Promise<void>
}

type SessionSteps = ReturnType<typeof sessionSteps>

/** Routes under `/api/session`: signing in and out, the user's sessions, links and passwords. */
export function sessionRoutes(deps: SessionDeps): Router {
  const router = Router()
  const steps = sessionSteps(deps)
  addSessionRoutes(router, deps, steps)
  addPasswordRoutes(router, deps, steps)
  return router
}

/** What several of the routes do. */
function sessionSteps({ auth, bus, ...deps }: SessionDeps) {
  /** Written to the audit log before the act: without the entry there is no act. */
  const audit = async (res: Response, act: Act) => stored(deps.record(entryOf(res, act)))
  const auditDone = async (res: Response, act: Act) => recorded(deps.record(entryOf(res, act)))
  const sendSession = async (res: Response, user: SessionUser) =>
    sendResponse(res, success(await stored(deps.session(user))))

  /** Opens a session after proof of identity; the browser's earlier session ends. */
  const enter = async (req: Request, res: Response, opened: OpenSession, done?: AuditAction) => {
    const { user } = opened
    const cookieHeader = req.headers.cookie
    const before = await stored(auth.sessions.end(cookieHeader))
    if (before !== undefined) {
      const note = "Ended by a new sign-in in the same browser."
      await audit(res, { ...doneBy(before.user, "session.sign_out"), note })
      bus.publish({ topic: "session", id: before.user.id })
    }
    if (done !== undefined) await auditDone(res, doneBy(user, done))
    await audit(res, doneBy(user, "session.sign_in"))
    res.locals.session = opened
    setCookies(res, [...opened.cookies, auth.throttle.browserCookie(user.email, cookieHeader)])
    await sendSession(res, user)
  }
  return { audit, auditDone, sendSession, enter }
}

function addSessionRoutes(router: Router, { auth, bus }: SessionDeps, steps: SessionSteps): void {
  const { audit, auditDone, sendSession, enter } = steps

  router.post("/", ...json, async (req, res) => {
    const { email, password } = readBody(req.body, signInBody)
    const cookieHeader = req.headers.cookie
    const counted = admitted(
      await stored(auth.throttle.signIn({ email, address: addressOf(res), cookieHeader })),
    )
    const opened = await stored(auth.sessions.signIn(email, password, req.headers["user-agent"]))
    if (opened === undefined) {
      await audit(res, { action: "session.sign_in_refused", outcome: "refused", user: undefined, email })
      throw refusals.wrongCredentials()
    }
    await stored(counted.succeeded())
    await enter(req, res, opened)
  })

  router.get("/", async (req, res) => {
    await sendSession(res, (await openSession(auth.sessions, req, res)).user)
  })

  router.delete("/", async (req, res) => {
    // Without a session there is nothing to end; when the store fails, the session and its cookie stay.
    const ended = await auth.sessions.end(req.headers.cookie).catch(stillSignedIn)
    setCookies(res, await stored(auth.sessions.cleared()))
    if (ended !== undefined) {
      res.locals.session = ended
      bus.publish({ topic: "session", id: ended.user.id })
      await auditDone(res, doneBy(ended.user, "session.sign_out"))
    }
    sendResponse(res, noContent)
  })

  router.get("/list", async (req, res) => {
    const opened = await openSession(auth.sessions, req, res)
    sendResponse(res, success(await stored(auth.sessions.list(opened))))
  })

  router.delete(["/list", "/list/:id"], async (req, res) => {
    const opened = await openSession(auth.sessions, req, res)
    const { id } = req.params
    await stored(auth.sessions.endOtherSessions(opened, typeof id === "string" ? id : undefined))
    // Pages of the sessions that have just ended read again who is signed in.
    bus.publish({ topic: "session", id: opened.user.id })
    await auditDone(res, doneBy(opened.user, "session.end"))
    sendResponse(res, success(await stored(auth.sessions.list(opened))))
  })
}

function addPasswordRoutes(router: Router, { auth, bus }: SessionDeps, steps: SessionSteps): void {
  const { audit, auditDone, enter } = steps

  router.post("/link", ...json, async (req, res) => {
    const { token } = readBody(req.body, linkBody)
    const counted = admitted(await stored(auth.throttle.link(addressOf(res))))
    const purpose = await stored(auth.linkPurpose(token))
    if (purpose === undefined) throw refusals.linkUnknown()
    await stored(counted.succeeded())
    sendResponse(res, success(purpose))
  })

  router.post("/password", ...json, async (req, res) => {
    const body = readBody(req.body, setPasswordBody)
    const counted = admitted(await stored(auth.throttle.link(addressOf(res))))
    const result = await stored(auth.setPassword(body))
    if (typeof result === "string") throw linkRefusals[result]()
    await stored(counted.succeeded())
    if ("weak" in result) throw invalid(422, [{ field: "password", message: result.weak }])
    // Streams of older sessions of this user learn that they ended.
    bus.publish({ topic: "session", id: result.userId })
    const opened = await stored(auth.sessions.signIn(result.email, body.password, req.headers["user-agent"]))
    if (opened === undefined) throw refusals.sessionRequired()
    await enter(req, res, opened, "session.password_set")
  })

  router.put("/password", ...json, async (req, res) => {
    const opened = await openSession(auth.sessions, req, res)
    const { user } = opened
    const body = readBody(req.body, changePasswordBody)
    const counted = await stored(auth.throttle.ownPassword(user.id))
    if ("waitMs" in counted) {
      const message = `Too many wrong passwords. Wait ${inWords(counted.waitMs)}, then try again.`
      throw invalid(422, [{ field: "current_password", message }])
    }
    const result = await stored(auth.changePassword(opened, body))
    if (result === "wrong_password") {
      await audit(res, { ...doneBy(user, "session.password_change"), outcome: "refused" })
      throw refusals.wrongPassword()
    }
    await stored(counted.succeeded())
    if (typeof result === "object") throw invalid(422, [{ field: "new_password", message: result.weak }])
    // Pages of the sessions that have just ended read again who is signed in.
    bus.publish({ topic: "session", id: user.id })
    await auditDone(res, doneBy(user, "session.password_change"))
    sendResponse(res, noContent)
  })
}

function stillSignedIn(cause: unknown): never {
  throw unavailable(
    "You’re still signed in: Laurel’s database isn’t responding, so the session was not ended. Try again in a moment.",
    cause,
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

function addressOf(res: Response): string {
  return res.locals.source ?? "unknown"
}

const linkRefusals: Readonly<Record<SetPasswordRefusal, () => AppError>> = {
  link_unknown: refusals.linkUnknown,
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

function entryOf(res: Response, act: Act): NewAuditEntry {
  const { requestId, source } = res.locals
  return sessionEntry({ ...act, requestId, source })
}
