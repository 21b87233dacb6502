import type { Permission } from "../contract/roles.ts"
import { can, roleNames, roleNeeded } from "../contract/roles.ts"
import type { DeskContext } from "./context.ts"
import { requireFlat } from "./validation.ts"
import { forbidden, methodNotAllowed, notFound } from "./errors.ts"
import { handleService } from "./gateway/gateway.ts"
import type { DeskAnswer, DeskRequest } from "./http.ts"
import { decodeId } from "./match.ts"
import { listAudit } from "./resources/audit.ts"
import {
  postAdoptCard,
  postCheckReferences,
  postLookUpCard,
  postRevealCard,
} from "./resources/cards/card-acts.ts"
import { getCard, getCardFacets, getCardFund, listCards } from "./resources/cards/list-cards.ts"
import { deleteChoice, postChoice, postRecognise } from "./resources/carriers.ts"
import { createExport } from "./resources/exports/create-export.ts"
import { handleExportRead } from "./resources/exports/export-read.ts"
import { exportHeader } from "./resources/exports/export-ticket.ts"
import {
  cancelJob,
  editJobRows,
  pauseJob,
  releaseJob,
  resumeJob,
  retryJob,
  startJob,
} from "./resources/jobs/control-job.ts"
import { createJob, findRepeats } from "./resources/jobs/create-job.ts"
import { decideRow, getCandidates } from "./resources/jobs/decide-row.ts"
import { addRows, getRow, listRows } from "./resources/jobs/job-rows.ts"
import { getJob, getJobSummary, listJobs, postRestoreRead } from "./resources/jobs/list-jobs.ts"
import { getReversal, reverseJob } from "./resources/jobs/reverse-job.ts"
import { postMemberNames } from "./resources/member-names.ts"
import { getNote, saveNote } from "./resources/notes.ts"
import {
  getOrderAddress,
  postOrderAddresses,
  postRevealCode,
  postUsedNumbers,
} from "./resources/orders/order-acts.ts"
import { getPointsReport } from "./resources/points-report.ts"
import { getLimits, getSettings, saveSettings } from "./resources/settings.ts"
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
  /** Whether the answer carries data of people: the shell logs who read it. */
  readonly personal: boolean
}

function route(id: string, permission: Permission | null, handle: OwnHandler, about?: "people"): OwnRoute {
  const [method = "", path = ""] = id.split(" ")
  return { method, segments: path.split("/").slice(1), permission, handle, personal: about === "people" }
}

/** The desk's own resources, below `/api`. Sessions and events belong to the shells. */
const ownRoutes: readonly OwnRoute[] = [
  route("GET /audit", "audit.read", listAudit, "people"),
  route("POST /exports", "exports.people", createExport),
  route("GET /reports/points", "ledger.read", getPointsReport),
  // Whose job it is and what its kind needs is decided within (roles table, jobs).
  route("GET /jobs", "jobs.read", listJobs),
  route("POST /jobs", null, createJob),
  route("POST /jobs/repeats", null, findRepeats),
  route("GET /jobs/summary", "jobs.read", getJobSummary),
  route("GET /jobs/{id}", "jobs.read", getJob),
  route("GET /jobs/{id}/rows", "jobs.read", listRows, "people"),
  route("POST /jobs/{id}/rows", "jobs.control", addRows),
  route("PATCH /jobs/{id}/rows", "jobs.control", editJobRows),
  route("POST /jobs/{id}/start", "jobs.control", startJob),
  route("POST /jobs/{id}/pause", "jobs.control", pauseJob),
  route("POST /jobs/{id}/resume", "jobs.control", resumeJob),
  route("POST /jobs/{id}/cancel", "jobs.control", cancelJob),
  route("POST /jobs/{id}/retry", "jobs.control", retryJob),
  route("POST /jobs/{id}/release", "jobs.control", releaseJob),
  route("POST /restore/read", "settings.program", postRestoreRead),
  route("GET /jobs/{id}/reversal", "points.write", getReversal, "people"),
  route("POST /jobs/{id}/reverse", "points.write", reverseJob),
  route("GET /jobs/{id}/rows/{row}", "jobs.read", getRow, "people"),
  route("GET /jobs/{id}/rows/{row}/candidates", "jobs.read", getCandidates, "people"),
  route("POST /jobs/{id}/rows/{row}/decision", "jobs.control", decideRow),
  route("GET /cards", "cards.read", listCards, "people"),
  route("GET /cards/facets", "cards.read", getCardFacets),
  route("GET /cards/fund", "cards.issue", getCardFund),
  route("POST /cards/adopt", "cards.issue", postAdoptCard),
  route("POST /cards/check-references", "cards.issue", postCheckReferences),
  route("GET /cards/{id}", "cards.read", getCard, "people"),
  route("POST /cards/{id}/look-up", "cards.read", postLookUpCard),
  route("POST /cards/{id}/reveal", "secrets.reveal", postRevealCard),
  route("POST /members/names", "members.read", postMemberNames),
  route("POST /orders/addresses", "orders.address", postOrderAddresses),
  route("POST /orders/used-numbers", "orders.read", postUsedNumbers),
  route("GET /orders/{id}/address", "orders.address", getOrderAddress, "people"),
  route("POST /orders/{id}/reveal", "secrets.reveal", postRevealCode),
  route("POST /carriers/recognise", "orders.read", postRecognise),
  route("POST /carriers/choice", "orders.update", postChoice),
  route("DELETE /carriers/choice", "orders.update", deleteChoice),
  route("GET /status", "status.read", getStatus),
  route("GET /status/budget", "status.read", getBudget),
  route("GET /limits", null, getLimits),
  route("GET /settings/{name}", null, getSettings),
  // Which role may save depends on the document.
  route("PUT /settings/{name}", null, saveSettings),
  route("GET /notes/{kind}/{id}", "notes.read", getNote, "people"),
  route("PUT /notes/{kind}/{id}", "notes.write", saveNote),
  route("GET /users", "users.manage", listUsers, "people"),
  route("POST /users", "users.manage", createUser),
  route("GET /users/{id}", "users.manage", getUser, "people"),
  route("PATCH /users/{id}", "users.manage", updateUser),
  route("POST /users/{id}/link", "users.manage", linkUser),
]

/**
 * Finds who answers a request.
 * @throws DeskFailure
 */
export async function handleRequest(context: DeskContext, request: DeskRequest): Promise<DeskAnswer> {
  requireFlat(request.body)
  if (/^\/(?:program|giftcard)(?:\/|$)/.test(request.path)) {
    const ticket = request.header(exportHeader)
    if (ticket !== undefined) return handleExportRead(context, request, ticket)
    context.budget.personActive()
    return await handleService(context, request)
  }
  const segments = request.path.split("/").slice(1)
  const fitting = ownRoutes.filter((own) => fits(own, segments))
  if (fitting.length === 0) throw notFound()
  const found = fitting.find((own) => own.method === request.method)
  if (found === undefined) throw methodNotAllowed(fitting.map((own) => own.method))
  if (found.permission !== null && !can(request.user.role, found.permission)) {
    throw forbidden(`This requires the ${roleNames[roleNeeded(found.permission)]} role. Nothing was done.`)
  }
  const answer = await found.handle(context, request, paramsOf(found, segments))
  return found.personal ? { ...answer, personal: true } : answer
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
