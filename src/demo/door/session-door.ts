import {
  changePasswordBody,
  type DeskUser,
  linkBody,
  type LinkPurpose,
  setPasswordBody,
  signInBody,
} from "../../../contract/users.ts"
import type { AuditAction } from "../../../contract/audit.ts"
import { type DeskAnswer, noContent, success } from "../../../core/http.ts"
import { readBody } from "../../../core/validation.ts"
import { DeskFailure, invalid, methodNotAllowed, notFound } from "../../../core/errors.ts"
import { sessionEntry } from "../../../core/audit-log.ts"
import type { DemoWorld } from "../demo-world.ts"
import { readJsonBody } from "./read-body.ts"

/** What a request about the session brings. */
interface SessionRequest {
  readonly world: DemoWorld
  readonly request: Request
  readonly requestId: string
}

/**
 * `/api/session` and what is below it: sign in, who am I, sign out, one-time links.
 * @throws DeskFailure
 */
export async function sessionDoor(path: string, on: SessionRequest): Promise<DeskAnswer> {
  const { method } = on.request
  if (path === "/session") {
    if (method === "GET") return sessionAnswer(on.world)
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
export async function openSession(world: DemoWorld, user: DeskUser, requestId: string): Promise<void> {
  const before = world.session
  world.session = user.id
  await record(world, "session.sign_in", user, requestId)
  if (before !== null && before !== user.id) world.events.publish({ topic: "session", id: before })
}

/** @throws DeskFailure 401 `session_required` */
export function signedIn({ accounts, session }: DemoWorld): DeskUser {
  const user = accounts.active(session)
  if (user !== undefined) return user
  throw new DeskFailure({
    status: 401,
    code: "session_required",
    message: "You’re not signed in. Nothing was done. Sign in and try again.",
  })
}

async function sessionAnswer(world: DemoWorld): Promise<DeskAnswer> {
  const { id, name, email, role } = signedIn(world)
  return success(await world.desk.session({ id, name, email, role }))
}

async function signIn({ world, request, requestId }: SessionRequest): Promise<DeskAnswer> {
  const { email, password } = readBody(await readJsonBody(request), signInBody)
  const user = world.accounts.check(email, password)
  if (user === undefined) {
    const action = "session.sign_in_refused"
    await world.desk.record(
      sessionEntry({ action, outcome: "refused", user: undefined, email, requestId, source: null }),
    )
    throw new DeskFailure({
      status: 401,
      code: "wrong_credentials",
      message: "The e-mail or password is wrong, or the account is disabled. You’re not signed in.",
    })
  }
  await openSession(world, user, requestId)
  return sessionAnswer(world)
}

async function signOut({ world, requestId }: SessionRequest): Promise<DeskAnswer> {
  const user = world.accounts.active(world.session)
  world.session = null
  if (user !== undefined) {
    await record(world, "session.sign_out", user, requestId)
    world.events.publish({ topic: "session", id: user.id })
  }
  return noContent
}

async function readLink({ world, request }: SessionRequest): Promise<DeskAnswer> {
  const { token } = readBody(await readJsonBody(request), linkBody)
  const owner = await world.accounts.linkOwner(token)
  if (owner === undefined) throw linkUnknown()
  const purpose: LinkPurpose = { purpose: "password", email: owner.email }
  return success(purpose)
}

async function setPassword({ world, request, requestId }: SessionRequest): Promise<DeskAnswer> {
  const { token, password } = readBody(await readJsonBody(request), setPasswordBody)
  const user = await world.accounts.setPassword(token, password)
  if (user === undefined) throw linkUnknown()
  await record(world, "session.password_set", user, requestId)
  await openSession(world, user, requestId)
  return sessionAnswer(world)
}

async function changePassword({ world, request, requestId }: SessionRequest): Promise<DeskAnswer> {
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

function linkUnknown(): DeskFailure {
  return notFound(
    "This link no longer works: it was already used, has expired, or was replaced by a newer one. Ask an administrator for a new one.",
  )
}

async function record(
  world: DemoWorld,
  action: AuditAction,
  user: DeskUser,
  requestId: string,
): Promise<void> {
  await world.desk.record(
    sessionEntry({ action, outcome: "done", user, email: user.email, requestId, source: null }),
  )
}
