import type { AuditAction, AuditChange } from "../../contract/audit.ts"
import { type AppUser, type UpdateUserBody, createUserBody, updateUserBody } from "../../contract/users.ts"
import { type Act, auditText } from "../audit/audit-log.ts"
import { type CoreContext, route, type Route } from "../context.ts"
import { type AppError, invalid, notFound, stored } from "../errors.ts"
import { type ApiRequest, success } from "../http.ts"
import { pauseUserJobs } from "../jobs/maker-left.ts"
import type { UserRefusal } from "./accounts.ts"
import { readBody } from "../validation.ts"

export const userRoutes: readonly Route[] = [
  route("GET /users", "users.manage", ["people"], async ({ accounts }) =>
    success(await stored(accounts.list())),
  ),
  // The link that sets the first password is shown this once.
  route("POST /users", "users.manage", [], async (context, request) => {
    const body = readBody(request.body, createUserBody)
    const made = await stored(context.accounts.create(body))
    const action = "user.create"
    if (typeof made === "string")
      throw await refused(context, request, { action, on: onUser({ id: "", email: body.email }) }, made)
    const { user } = made
    const changes = (["name", "email", "role"] as const).map((field) => ({
      field,
      from: null,
      to: user[field],
    }))
    context.events.publish({ topic: "users", id: user.id })
    await context.audit.recordDone(request, { action, on: onUser(user), changes })
    return success(made, { status: 201 })
  }),
  route("GET /users/{id}", "users.manage", ["people"], async (context, _request, params) =>
    success(await userOf(context, params)),
  ),
  // Users cannot disable or demote themselves, and the last administrator stays.
  route("PATCH /users/{id}", "users.manage", [], async (context, request, params) => {
    const body = readBody(request.body, updateUserBody)
    const before = await userOf(context, params)
    const act = { action: actionOf(body, before), on: onUser(before), changes: changesOf(body, before) }
    const after = await stored(context.accounts.update(before.id, body, request.user.id))
    if (typeof after === "string")
      throw await refused(context, request, act, after, body.disabled === true ? "disabled" : "role")
    context.events.publish({ topic: "users", id: after.id })
    // Their open pages read the session again: a changed role applies immediately, even if the log fails.
    context.events.publish({ topic: "session", id: after.id })
    if (after.disabled || after.role !== before.role) await pauseUserJobs(context, request, after)
    await context.audit.recordDone(request, act)
    return success(after)
  }),
  // Earlier links stop working.
  route("POST /users/{id}/link", "users.manage", [], async (context, request, params) => {
    const user = await userOf(context, params)
    const link = await stored(context.accounts.link(user.id))
    const act = { action: "user.link", on: onUser(user) } as const
    if (typeof link === "string") throw await refused(context, request, act, link)
    await context.audit.recordDone(request, act)
    return success(link, { status: 201 })
  }),
]

async function userOf({ accounts }: CoreContext, { id = "" }: { readonly id?: string }): Promise<AppUser> {
  const user = await stored(accounts.get(id))
  if (user === undefined) throw notFound(sentences.not_found)
  return user
}

function onUser({ id, email }: Pick<AppUser, "id" | "email">): Act["on"] {
  return { kind: "user", id, label: email }
}

const sentences: Readonly<Record<UserRefusal, string>> = {
  not_found: "User not found.",
  email_taken: "Another user already has this e-mail. Nothing was saved.",
  last_admin: "This is the last administrator. Make someone else an administrator first. Nothing was saved.",
  self: "You can’t disable yourself or change your own role. Ask another administrator. Nothing was saved.",
}

/** Logs a refusal, and says it at the field it is about. */
async function refused(
  { audit }: CoreContext,
  request: ApiRequest,
  act: Omit<Act, "outcome">,
  reason: UserRefusal,
  field = "role",
): Promise<AppError> {
  const message = sentences[reason]
  await audit.recordFirst(request, { ...act, outcome: "refused", note: message })
  if (reason === "not_found") return notFound(message)
  return invalid(422, [{ field: reason === "email_taken" ? "email" : field, message }])
}

function changesOf(body: UpdateUserBody, before: AppUser): AuditChange[] {
  return (["name", "role", "disabled"] as const)
    .filter((field) => body[field] !== undefined && body[field] !== before[field])
    .map((field) => ({ field, from: auditText(before[field]), to: auditText(body[field]) }))
}

function actionOf(body: UpdateUserBody, before: AppUser): AuditAction {
  if (body.disabled === undefined || body.disabled === before.disabled) return "user.update"
  return body.disabled ? "user.disable" : "user.enable"
}
