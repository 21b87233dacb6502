import type { Permission } from "../contract/roles.ts"
import type { CoreContext, Handler } from "./context.ts"
import { AppError, methodNotAllowed, notFound } from "./errors.ts"
import { notConnected } from "./gateway/caller.ts"
import { renderRead } from "./gateway/reads.ts"
import { planRead } from "./gateway/upstream-read.ts"
import type { ApiResponse, ApiRequest } from "./http.ts"
import { fitsPath, matchOperation, pathParams, type Match } from "./match.ts"
import { writeActs } from "./members/member-edits.ts"
import { isPersonal, requirePermission, type JobOperation, type ReadOperation, queryOf } from "./policy.ts"
import { listAudit } from "./resources/audit.ts"
import {
  getCard,
  getCardFacets,
  getCardFund,
  listCards,
  postAdoptCard,
  postCheckReferences,
  postLookUpCard,
  postRevealCard,
} from "./resources/cards.ts"
import {
  deleteChoice,
  getOrderAddress,
  postChoice,
  postOrderAddresses,
  postRecognise,
  postRevealCode,
  postUsedNumbers,
} from "./resources/orders.ts"
import { createExport, exportHeader, readExport } from "./resources/exports.ts"
import {
  addRows,
  cancelJob,
  confirmRestoreRead,
  createJob,
  decideRow,
  editJobRows,
  findRepeats,
  getCandidates,
  getJob,
  getJobSummary,
  getPointsReport,
  getReversal,
  getRow,
  listJobs,
  listRows,
  pauseJob,
  releaseJob,
  resumeJob,
  retryJob,
  reverseJob,
  startJob,
} from "./resources/jobs.ts"
import { getNote, postMemberNames, saveNote } from "./resources/records.ts"
import { getLimits, getSettings, saveSettings } from "./resources/settings.ts"
import { getBudget, getStatus } from "./resources/status.ts"
import { createUser, getUser, linkUser, listUsers, updateUser } from "./resources/users.ts"
import { noQuery, requireFlat } from "./validation.ts"

/** Answers a request by its row of the policy, for the services' own paths, or of `ownRoutes`. @throws AppError */
export async function handleRequest(context: CoreContext, request: ApiRequest): Promise<ApiResponse> {
  requireFlat(request.body)
  if (/^\/(?:program|giftcard)(?:\/|$)/.test(request.path)) {
    const ticket = request.header(exportHeader)
    if (ticket !== undefined) return readExport(context, request, ticket)
    context.budget.personActive()
    return handleService(context, request)
  }
  const fitting = ownRoutes.filter(({ path }) => fitsPath(path, request.path))
  if (fitting.length === 0) throw notFound()
  const found = fitting.find(({ method }) => method === request.method)
  if (found === undefined) throw methodNotAllowed(fitting.map(({ method }) => method))
  if (found.permission !== null) requirePermission(request.user.role, found.permission)
  if (!found.takesQuery) noQuery(request.search)
  const response = await found.handle(context, request, pathParams(found.path, request.path))
  return found.isPersonal ? { ...response, personal: true } : response
}

async function handleService(context: CoreContext, request: ApiRequest): Promise<ApiResponse> {
  const match = matchOperation(request.method, request.path)
  if ("allowed" in match) {
    throw match.allowed.length === 0 ? notFound() : methodNotAllowed(match.allowed)
  }
  const { operation, params } = match
  requirePermission(request.user.role, operation.permission, "Nothing was read and nothing was sent.")
  if (operation.kind === "job") throw sentAsJob(operation)
  if (context.config.apis[operation.api] === null) throw notConnected(operation.api)
  if (operation.kind === "read") return handleRead(context, request, operation, params)
  noQuery(request.search)
  return writeActs[operation.act]({ context, request, operation, params })
}

async function handleRead(
  { reads, clock }: CoreContext,
  request: ApiRequest,
  operation: ReadOperation,
  params: Match["params"],
): Promise<ApiResponse> {
  const { user, search, signal } = request
  const result = await reads.read(planRead(operation, params, queryOf(operation, user.role, search)), {
    person: user,
    fresh: request.header("cache-control")?.includes("no-cache") === true,
    signal,
  })
  const ifNoneMatch = request.header("if-none-match")
  const response = renderRead(result, operation.redacts, {
    role: user.role,
    ifNoneMatch,
    now: clock.monotonic(),
  })
  return isPersonal(operation) ? { ...response, personal: true } : response
}

function sentAsJob({ job }: JobOperation): AppError {
  return new AppError({
    status: 405,
    code: "use_jobs",
    message: `This has to be sent as a job: POST /api/jobs with kind "${job}". Nothing was sent.`,
    details: { jobs: "/api/jobs", kind: job },
    headers: { Allow: "" },
  })
}

interface OwnRoute {
  readonly method: string
  readonly path: string
  /** null: whoever is signed in. */
  readonly permission: Permission | null
  readonly handle: Handler
  /** The shell logs who read it. */
  readonly isPersonal: boolean
  readonly takesQuery: boolean
}

function route(
  id: string,
  permission: Permission | null,
  handle: Handler,
  ...flags: readonly ("people" | "query")[]
): OwnRoute {
  const [method = "", path = ""] = id.split(" ")
  return {
    method,
    path,
    permission,
    handle,
    isPersonal: flags.includes("people"),
    takesQuery: flags.includes("query"),
  }
}

/** Laurel's own resources, below `/api`. Sessions and events belong to the shells. */
const ownRoutes: readonly OwnRoute[] = [
  route("GET /audit", "audit.read", listAudit, "people", "query"),
  route("POST /exports", "exports.people", createExport),
  route("GET /reports/points", "ledger.read", getPointsReport, "query"),
  // Whose job it is and what its kind needs is decided within (roles table, jobs).
  route("GET /jobs", "jobs.read", listJobs, "query"),
  route("POST /jobs", null, createJob),
  route("POST /jobs/repeats", null, findRepeats),
  route("GET /jobs/summary", "jobs.read", getJobSummary),
  route("GET /jobs/{id}", "jobs.read", getJob),
  route("GET /jobs/{id}/rows", "jobs.read", listRows, "people", "query"),
  route("POST /jobs/{id}/rows", "jobs.control", addRows),
  route("PATCH /jobs/{id}/rows", "jobs.control", editJobRows),
  route("POST /jobs/{id}/start", "jobs.control", startJob),
  route("POST /jobs/{id}/pause", "jobs.control", pauseJob),
  route("POST /jobs/{id}/resume", "jobs.control", resumeJob),
  route("POST /jobs/{id}/cancel", "jobs.control", cancelJob),
  route("POST /jobs/{id}/retry", "jobs.control", retryJob),
  route("POST /jobs/{id}/release", "jobs.control", releaseJob),
  route("POST /restore/read", "settings.program", confirmRestoreRead),
  route("GET /jobs/{id}/reversal", "points.write", getReversal, "people", "query"),
  route("POST /jobs/{id}/reverse", "points.write", reverseJob),
  route("GET /jobs/{id}/rows/{row}", "jobs.read", getRow, "people"),
  route("GET /jobs/{id}/rows/{row}/candidates", "jobs.read", getCandidates, "people"),
  route("POST /jobs/{id}/rows/{row}/decision", "jobs.control", decideRow),
  route("GET /cards", "cards.read", listCards, "people", "query"),
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
