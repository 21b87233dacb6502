import type { AuditAction, AuditChange } from "../../contract/audit.ts"
import { type AppUser, type UpdateUserBody, createUserBody, updateUserBody } from "../../contract/users.ts"
import { auditText, entryOf } from "../audit-log.ts"
import type { CoreContext, Handler } from "../context.ts"
import { type AppError, invalid, notFound, recorded, stored } from "../errors.ts"
import { type ApiRequest, success } from "../http.ts"
import type { UserRefusal } from "../ports.ts"
import { readBody } from "../validation.ts"

/** `GET /api/users`. */
export const listUsers: Handler = async ({ accounts }) => {
  return success(await stored(accounts.list()))
}

/** `GET /api/users/{id}`. */
export const getUser: Handler = async (context, _request, params) => {
  return success(await userOf(context, params.id ?? ""))
}

/** `POST /api/users`: the new user, and the link that sets the first password. The link is shown this once. */
export const createUser: Handler = async (context, request) => {
  const body = readBody(request.body, createUserBody)
  const made = await stored(context.accounts.create(body))
  if (typeof made === "string") {
    await record(context, request, "user.create", { id: "", label: body.email }, [], made)
    throw refusal(made, {})
  }
  const { user } = made
  const changes = [
    { field: "name", from: null, to: user.name },
    { field: "email", from: null, to: user.email },
    { field: "role", from: null, to: user.role },
  ]
  context.events.publish({ topic: "users", id: user.id })
  await record(context, request, "user.create", { id: user.id, label: user.email }, changes)
  return success(made, { status: 201 })
}

/** `PATCH /api/users/{id}`: nobody disables or demotes themselves, and the last administrator stays. */
export const updateUser: Handler = async (context, request, params) => {
  const body = readBody(request.body, updateUserBody)
  const before = await userOf(context, params.id ?? "")
  const changes = changesOf(body, before)
  const action = actionOf(body, before)
  const on = { id: before.id, label: before.email }
  const after = await stored(context.accounts.update(before.id, body, request.user.id))
  if (typeof after === "string") {
    await record(context, request, action, on, changes, after)
    throw refusal(after, body)
  }
  context.events.publish({ topic: "users", id: after.id })
  // Their open pages ask again who they are: a lesser role or none holds at once, whatever becomes of the log.
  context.events.publish({ topic: "session", id: after.id })
  await record(context, request, action, on, changes)
  return success(after)
}

/** `POST /api/users/{id}/link`: a new one-time password link; earlier ones stop working. */
export const linkUser: Handler = async (context, request, params) => {
  const user = await userOf(context, params.id ?? "")
  const link = await stored(context.accounts.link(user.id))
  const on = { id: user.id, label: user.email }
  if (typeof link === "string") {
    await record(context, request, "user.link", on, [], link)
    throw refusal(link, {})
  }
  await record(context, request, "user.link", on, [])
  return success(link, { status: 201 })
}

async function userOf({ accounts }: CoreContext, id: string): Promise<AppUser> {
  const user = await stored(accounts.get(id))
  if (user === undefined) throw notFound(sentences.not_found)
  return user
}

const sentences: Readonly<Record<UserRefusal, string>> = {
  not_found: "User not found.",
  email_taken: "Another user already has this e-mail. Nothing was saved.",
  last_admin: "This is the last administrator. Make someone else an administrator first. Nothing was saved.",
  self: "You can’t disable yourself or change your own role. Ask another administrator. Nothing was saved.",
}

function refusal(reason: UserRefusal, body: UpdateUserBody): AppError {
  if (reason === "not_found") return notFound(sentences.not_found)
  const lowered = body.disabled === true ? "disabled" : "role"
  return invalid(422, [{ field: reason === "email_taken" ? "email" : lowered, message: sentences[reason] }])
}

function changesOf(body: UpdateUserBody, before: AppUser): AuditChange[] {
  const fields = ["name", "role", "disabled"] as const
  return fields
    .filter((field) => body[field] !== undefined && body[field] !== before[field])
    .map((field) => ({ field, from: auditText(before[field]), to: auditText(body[field]) }))
}

function actionOf(body: UpdateUserBody, before: AppUser): AuditAction {
  if (body.disabled === undefined || body.disabled === before.disabled) return "user.update"
  return body.disabled ? "user.disable" : "user.enable"
}

async function record(
  context: CoreContext,
  request: ApiRequest,
  action: AuditAction,
  on: { readonly id: string; readonly label: string },
  changes: AuditChange[],
  refused?: UserRefusal,
): Promise<void> {
  const outcome = refused === undefined ? "done" : "refused"
  const note = refused === undefined ? null : sentences[refused]
  const entry = entryOf(request, { action, on: { kind: "user", ...on }, outcome, note, changes })
  const written = context.audit.record(entry)
  await (refused === undefined ? recorded(written) : stored(written))
}
