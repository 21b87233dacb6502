import express, { Router, type Request, type RequestHandler, type Response } from "express"
import {
  linkBody,
  setPasswordBody,
  signInBody,
  type Session,
  type SessionUser,
} from "../../contract/desk/session.ts"
import type { Auth } from "../auth/auth.ts"
import type { SetPasswordRefusal } from "../auth/set-password.ts"
import type { OpenSession } from "../auth/sessions.ts"
import type { NewAuditEntry } from "../core/audit-log.ts"
import { nothing, success } from "../core/answer.ts"
import { readBody } from "../core/body.ts"
import { DeskFailure, notFound } from "../core/failure.ts"
import type { EventBus } from "../core/ports.ts"
import { recorded, stored } from "../core/stored.ts"
import { sendAnswer } from "./send-answer.ts"
import { sessionEntry, type SessionAct } from "./session-audit.ts"
import { sessionRequired } from "./session-guard.ts"
import { linkLimit, signInLimit, type SignInLimits } from "./sign-in-limit.ts"

/** What signing in needs. */
export interface SessionRouteDeps {
  readonly auth: Auth
  readonly bus: EventBus
  readonly limits: SignInLimits
  /** The session as the browser knows it. */
  session(user: SessionUser): Promise<Session>
  record(entry: NewAuditEntry): Promise<void>
}

/** Credentials and links are short: nobody who is not signed in sends more. */
const bodyLimit = "10kb"

/** `/api/session`: sign in, who am I, sign out, and one-time links. */
export function sessionRoutes(deps: SessionRouteDeps): Router {
  const router = Router()
  const json = express.json({ limit: bodyLimit })
  const byLink = linkLimit(deps.limits)
  router.post("/", json, ...signInLimit(deps.limits), signIn(deps))
  router.get("/", whoAmI(deps))
  router.delete("/", signOut(deps))
  router.post("/link", json, byLink, readLink(deps))
  router.post("/password", json, byLink, setPassword(deps))
  return router
}

function signIn(deps: SessionRouteDeps): RequestHandler {
  return async (req, res) => {
    const { email, password } = readBody(req.body, signInBody)
    const { requestId } = res.locals
    const opened = await stored(deps.auth.sessions.signIn(email, password))
    if (opened === undefined) {
      const action = "session.sign_in_refused"
      await note(deps, { action, outcome: "refused", user: undefined, email, requestId })
      throw new DeskFailure({
        status: 401,
        code: "wrong_credentials",
        message: "The e-mail or password is wrong, or the account is disabled. You’re not signed in.",
      })
    }
    const { user } = opened
    await note(deps, { action: "session.sign_in", outcome: "done", user, email, requestId })
    await answerSession(deps, req, res, opened)
  }
}

function whoAmI(deps: SessionRouteDeps): RequestHandler {
  return async (req, res) => {
    const opened = await stored(deps.auth.sessions.read(req.headers.cookie, "use"))
    if (opened === undefined) throw sessionRequired()
    await answerSession(deps, req, res, opened)
  }
}

function signOut(deps: SessionRouteDeps): RequestHandler {
  return async (req, res) => {
    const opened = await stored(deps.auth.sessions.read(req.headers.cookie, "watch"))
    setCookies(res, await stored(deps.auth.sessions.signOut(req.headers.cookie)))
    if (opened !== undefined) {
      const { user } = opened
      const { requestId } = res.locals
      const action = "session.sign_out"
      deps.bus.publish({ topic: "session", id: user.id })
      await noteDone(deps, { action, outcome: "done", user, email: user.email, requestId })
    }
    await sendAnswer(req, res, nothing)
  }
}

function readLink(deps: SessionRouteDeps): RequestHandler {
  return async (req, res) => {
    const { token } = readBody(req.body, linkBody)
    const purpose = await stored(deps.auth.linkPurpose(token))
    if (purpose === undefined) throw linkUnknown()
    await sendAnswer(req, res, success(purpose))
  }
}

function setPassword(deps: SessionRouteDeps): RequestHandler {
  return async (req, res) => {
    const body = readBody(req.body, setPasswordBody)
    const result = await stored(deps.auth.setPassword(body))
    if (typeof result === "string") throw refusals[result]()
    // Whoever still watches with an older session of this user learns that it has ended.
    deps.bus.publish({ topic: "session", id: result.userId })
    const opened = await stored(deps.auth.sessions.signIn(result.email, body.password))
    if (opened === undefined) throw sessionRequired()
    const { user } = opened
    const { requestId } = res.locals
    const act = { outcome: "done", user, email: user.email, requestId } as const
    await noteDone(deps, { ...act, action: "session.password_set" })
    await note(deps, { ...act, action: "session.sign_in" })
    await answerSession(deps, req, res, opened)
  }
}

function linkUnknown(): DeskFailure {
  return notFound(
    "This link no longer works: it was already used, has expired, or was replaced by a newer one. Ask an administrator for a new one.",
  )
}

const refusals: Readonly<Record<SetPasswordRefusal, () => DeskFailure>> = {
  link_unknown: linkUnknown,
  user_disabled: linkUnknown,
  details_missing: () =>
    new DeskFailure({
      status: 422,
      code: "validation",
      message: "The first administrator needs a name and an e-mail address. The link still works.",
      details: {
        fields: [
          { field: "name", message: "Enter your name." },
          { field: "email", message: "Enter an e-mail address like name@company.com.au." },
        ],
      },
    }),
  email_taken: () =>
    new DeskFailure({
      status: 422,
      code: "validation",
      message: "Another user already has this e-mail. Nothing was created; the link still works.",
      details: { fields: [{ field: "email", message: "Another user already has this e-mail." }] },
    }),
}

/** Writes into the audit log before anybody is let in: what is not written there is not done. */
async function note(deps: SessionRouteDeps, act: SessionAct): Promise<void> {
  await stored(deps.record(sessionEntry(act)))
}

/** Writes what is done already into the audit log. */
async function noteDone(deps: SessionRouteDeps, act: SessionAct): Promise<void> {
  await recorded(deps.record(sessionEntry(act)))
}

async function answerSession(
  deps: SessionRouteDeps,
  req: Request,
  res: Response,
  opened: OpenSession,
): Promise<void> {
  setCookies(res, opened.cookies)
  await sendAnswer(req, res, success(await stored(deps.session(opened.user))))
}

function setCookies(res: Response, cookies: readonly string[]): void {
  for (const cookie of cookies) res.append("Set-Cookie", cookie)
}
