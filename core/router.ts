import type { CoreContext, Route } from "./context.ts"
import { AppError } from "./errors.ts"
import { notConnected } from "./gateway/caller.ts"
import { renderRead } from "./gateway/reads.ts"
import { planRead } from "./gateway/upstream-read.ts"
import { type ApiRequest, type ApiResponse, readOptionsOf } from "./http.ts"
import { findRow, type Match } from "./match.ts"
import { writeActs } from "./members/member-edits.ts"
import { companyRoutes } from "./members/companies.ts"
import { ledgerRoutes } from "./members/ledger-list.ts"
import { memberRoutes } from "./members/member-routes.ts"
import {
  isPersonal,
  policy,
  queryOf,
  requirePermission,
  type Operation,
  type ReadOperation,
} from "./policy.ts"
import { bookRoutes } from "./books/book-routes.ts"
import { auditRoutes } from "./audit/audit-routes.ts"
import { cardRoutes } from "./gift-cards/card-routes.ts"
import { exportHeader, exportRoutes, readExport } from "./exports/export-routes.ts"
import { jobRoutes } from "./jobs/job-routes.ts"
import { returnRoutes } from "./jobs/return-points.ts"
import { leaderboardRoutes, rankingsRead } from "./leaderboards/board-routes.ts"
import { noticeRoutes } from "./notices/notices.ts"
import { orderRoutes } from "./orders/order-routes.ts"
import { reportRoutes } from "./reports/report-routes.ts"
import { rewardRoutes } from "./rewards/reward-list.ts"
import { noteRoutes } from "./notes/note-routes.ts"
import { settingsRoutes } from "./settings/setting-routes.ts"
import { statusRoutes } from "./status/status-routes.ts"
import { userRoutes } from "./users/user-routes.ts"
import { viewRoutes } from "./views/view-routes.ts"
import { noQuery, requireFlat } from "./validation.ts"

/** Laurel's own resources, below `/api`. Sessions have another handler (`users/session-routes.ts`); events belong to the shells. */
const ownRoutes: readonly Route[] = [
  ...auditRoutes,
  ...bookRoutes,
  ...cardRoutes,
  ...companyRoutes,
  ...ledgerRoutes,
  ...exportRoutes,
  ...jobRoutes,
  ...leaderboardRoutes,
  ...memberRoutes,
  ...noteRoutes,
  ...noticeRoutes,
  ...orderRoutes,
  ...reportRoutes,
  ...returnRoutes,
  ...rewardRoutes,
  ...settingsRoutes,
  ...statusRoutes,
  ...userRoutes,
  ...viewRoutes,
]

/** Answers a request by its row of the policy, for the services' own paths, or of `ownRoutes`. @throws AppError */
export async function handleRequest(context: CoreContext, request: ApiRequest): Promise<ApiResponse> {
  requireFlat(request.body)
  const { method, path, user } = request
  if (/^\/(?:program|giftcard)(?:\/|$)/.test(path)) {
    const ticket = request.header(exportHeader)
    if (ticket === undefined) context.budget.personActive()
    const match = findRow(policy, method, path)
    return ticket === undefined
      ? handleService(context, request, match)
      : readExport(context, request, match, ticket)
  }
  const { row, params } = findRow(ownRoutes, method, path)
  if (row.permission !== null) requirePermission(user.role, row.permission)
  if (!row.has.includes("query")) noQuery(request.search)
  const response = await row.handle(context, request, params)
  return row.has.includes("people") ? { ...response, personal: true } : response
}

async function handleService(
  context: CoreContext,
  request: ApiRequest,
  { row: operation, params }: Match<Operation>,
): Promise<ApiResponse> {
  requirePermission(request.user.role, operation.permission, "Nothing was read and nothing was sent.")
  if (operation.kind === "job") {
    throw new AppError({
      status: 405,
      code: "use_jobs",
      message: `This has to be sent as a job: POST /api/jobs with kind "${operation.job}". Nothing was sent.`,
      details: { jobs: "/api/jobs", kind: operation.job },
      headers: { Allow: "" },
    })
  }
  if (context.config.apis[operation.api] === null) throw notConnected(operation.api)
  if (operation.kind === "read") return handleRead(context, request, operation, params)
  noQuery(request.search)
  return writeActs[operation.act]({ context, request, operation, params })
}

async function handleRead(
  { reads, clock, snapshots }: CoreContext,
  request: ApiRequest,
  operation: ReadOperation,
  params: Match<Operation>["params"],
): Promise<ApiResponse> {
  const { user, search, header } = request
  const plan = planRead(operation, params, queryOf(operation, user.role, search))
  const result = await reads.read(plan, readOptionsOf(request))
  if (operation.id === rankingsRead) {
    snapshots.take(params["leaderboard_id"] ?? "", result.response, plan.query.get("limit"))
  }
  const response = renderRead(result, operation.redacts, {
    role: user.role,
    ifNoneMatch: header("if-none-match"),
    now: clock.monotonic(),
  })
  return isPersonal(operation) ? { ...response, personal: true } : response
}
