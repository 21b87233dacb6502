import type { Permission } from "../../contract/roles.ts"
import { can, roleNames, roleNeeded } from "../../contract/roles.ts"
import type { DeskContext } from "./context.ts"
import { forbidden, methodNotAllowed, notFound } from "./failure.ts"
import { handleService } from "./gateway/gateway.ts"
import type { DeskAnswer, DeskRequest } from "./http.ts"
import { decodeId } from "./match.ts"
import { listAudit } from "./resources/audit.ts"
import { getNote, saveNote } from "./resources/notes.ts"
import { getSettings, saveSettings } from "./resources/settings-routes.ts"
import { getBudget, getStatus } from "./resources/status.ts"
import { createUser, getUser, linkUser, listUsers, updateUser } from "./resources/users.ts"

/** One of the desk's own requests: parameters of its path, decoded. */
export type OwnHandler = (
  context: DeskContext,
  request: DeskRequest,
  params: Readonly<Record<string, string>>,
) => Promise<DeskAnswer>

interface OwnRoute {
  readonly method: string
  readonly segments: readonly string[]
  /** null: whoever is signed in. */
  readonly permission: Permission | null
  readonly handle: OwnHandler
}

function route(id: string, permission: Permission | null, handle: OwnHandler): OwnRoute {
  const [method = "", path = ""] = id.split(" ")
  return { method, segments: path.split("/").slice(1), permission, handle }
}

/** The desk's own resources, below `/api`. Sessions and events belong to the shells. */
const ownRoutes: readonly OwnRoute[] = [
  route("GET /audit", "audit.read", listAudit),
  route("GET /status", "status.read", getStatus),
  route("GET /status/budget", "status.read", getBudget),
  route("GET /settings/{name}", null, getSettings),
  route("PUT /settings/{name}", "settings.program", saveSettings),
  route("GET /notes/{kind}/{id}", "notes.read", getNote),
  route("PUT /notes/{kind}/{id}", "notes.write", saveNote),
  route("GET /users", "users.manage", listUsers),
  route("POST /users", "users.manage", createUser),
  route("GET /users/{id}", "users.manage", getUser),
  route("PATCH /users/{id}", "users.manage", updateUser),
  route("POST /users/{id}/link", "users.manage", linkUser),
]

/**
 * Finds who answers a request.
 * @throws DeskFailure
 */
export async function handleRequest(context: DeskContext, request: DeskRequest): Promise<DeskAnswer> {
  const segments = request.path.split("/").slice(1)
  if (segments[0] === "program" || segments[0] === "giftcard") {
    context.budget.personHere()
    return handleService(context, request)
  }
  const fitting = ownRoutes.filter((own) => fits(own, segments))
  if (fitting.length === 0) throw notFound()
  const found = fitting.find((own) => own.method === request.method)
  if (found === undefined) throw methodNotAllowed(fitting.map((own) => own.method))
  if (found.permission !== null && !can(request.user.role, found.permission)) {
    throw forbidden(`This needs ${roleNames[roleNeeded(found.permission)]}. Nothing was done.`)
  }
  return found.handle(context, request, paramsOf(found, segments))
}

function fits(own: OwnRoute, segments: readonly string[]): boolean {
  return (
    own.segments.length === segments.length &&
    own.segments.every((name, at) => (name.startsWith("{") ? segments[at] !== "" : name === segments[at]))
  )
}

function paramsOf(own: OwnRoute, segments: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {}
  for (const [at, name] of own.segments.entries()) {
    if (name.startsWith("{")) params[name.slice(1, -1)] = decodeId(segments[at] ?? "")
  }
  return params
}
