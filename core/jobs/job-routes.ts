import type * as z from "zod/mini"
import {
  addRowsBody,
  controlJobBody,
  createJobBody,
  editRowsBody,
  jobListQuery,
  excludeRowsBody,
  releaseJobBody,
  repeatsBody,
  retryJobBody,
  reversalQuery,
  reverseJobBody,
  startJobBody,
} from "../../contract/job.ts"
import {
  decisionBody,
  groupDecisionBody,
  ledgerOriginsBody,
  rowListQuery,
  seesFullRows,
} from "../../contract/job-rows.ts"
import { limits } from "../../contract/limits.ts"
import { timeOf } from "../../contract/program/common.ts"
import type { ShellState } from "../../contract/events.ts"
import { type CoreContext, route, type Route } from "../context.ts"
import { type AppError, badRequest, forbidden, notFound, stored } from "../errors.ts"
import { success, type ApiRequest } from "../http.ts"
import type { JobRecord } from "./job-store.ts"
import { appendRows, makeJob } from "./create.ts"
import { decideGroup } from "./decide-group.ts"
import { decideRow, rowEvidence } from "./decide.ts"
import {
  cancelJob,
  editJob,
  excludeAwaiting,
  excludeFailed,
  type JobAction,
  pauseRunning,
  resumeJob,
  retryJob,
  startDraft,
} from "./job-actions.ts"
import { findRepeats } from "./repeats.ts"
import { releaseJob } from "./restore.ts"
import { makeReversal, previewReversal } from "./reverse.ts"
import { isoTimeOrNull } from "../runtime.ts"
import { readBody, readQuery } from "../validation.ts"
import { jobScope, requireControl, requireKind, requireSomeKind, seesJob } from "./job-access.ts"
import { causesView, evidenceView, ledgerOrigins, namedRow, rowView, viewJob, viewRows } from "./job-view.ts"

// Whose job it is and what its kind needs is decided within (roles table, jobs).
export const jobRoutes: readonly Route[] = [
  // Newest first, those the person may see. `meta.next` is what the next page asks `before`.
  route("GET /jobs", "jobs.read", ["query"], async (context, request) => {
    const {
      per_page: perPage = limits.perPage.default,
      created_by: createdBy,
      kind,
      ...filters
    } = readQuery(request.search, jobListQuery)
    const span = { from: timeOf(filters.from), to: timeOf(filters.to) }
    const how = { ...span, kinds: kind && [kind], createdBy, perPage, scope: jobScope(request.user) }
    const found = await stored(context.store.jobs.list({ ...filters, ...how }))
    const jobs = found.slice(0, perPage)
    const next = found.length > perPage ? (jobs.at(-1)?.id ?? null) : null
    return success(await Promise.all(jobs.map((job) => viewJob(context, job))), {
      meta: { per_page: perPage, next },
    })
  }),
  // The same key and body of one person give the same job, or row of their open job, and 201, also in parallel.
  route("POST /jobs", null, [], async (context, request) => {
    requireSomeKind(request.user)
    const key = idempotencyKey(request)
    if (key === undefined) {
      throw badRequest(
        "The header Idempotency-Key is missing: without it a repeated request would be a second effect. Nothing was done.",
      )
    }
    const body = readBody(request.body, createJobBody)
    requireKind(request.user, body.kind)
    const { job, row } = await makeJob(context, request, body, key)
    const view = await viewJob(context, job)
    return success(row === undefined ? view : { ...view, row }, { status: 201 })
  }),
  route("POST /jobs/repeats", null, [], async (context, request) => {
    requireSomeKind(request.user)
    const body = readBody(request.body, repeatsBody)
    requireKind(request.user, body.kind)
    return success(await findRepeats(context, body))
  }),
  route("GET /jobs/summary", "jobs.read", [], async (context, request) =>
    success(await summaryFor(context, jobScope(request.user))),
  ),
  route("GET /jobs/{id}", "jobs.read", [], async (context, request, params) =>
    success(await viewJob(context, await visibleJob(context, request, params))),
  ),
  // By number, as the person's role sees them.
  route("GET /jobs/{id}/rows", "jobs.read", ["people", "query"], async (context, request, params) => {
    const { state, search, ...paging } = readQuery(request.search, rowListQuery)
    const job = await visibleJob(context, request, params)
    const { role } = request.user
    if (search !== undefined && !seesFullRows(job.kind, role)) {
      throw forbidden(
        "Your role can’t search rows, because people’s data is hidden from it. Nothing was loaded.",
      )
    }
    const page = paging.page ?? 1
    const perPage = paging.per_page ?? limits.perPage.default
    const { rows, total } = await stored(context.store.jobs.rows(job.id, { state, search, page, perPage }))
    const meta = { page, per_page: perPage, total }
    return success(await viewRows(context, job, rows, role), { meta })
  }),
  steering("POST /jobs/{id}/rows", "drafts", addRowsBody, appendRows),
  steering("PATCH /jobs/{id}/rows", "sends", editRowsBody, editJob),
  // Refused when the draft has other numbers of rows or repeats than the person saw.
  steering("POST /jobs/{id}/start", "drafts", startJobBody, startDraft),
  steering("POST /jobs/{id}/pause", "stops", controlJobBody, pauseRunning),
  // Also "Send now" for a row that could not be sent in time.
  steering("POST /jobs/{id}/resume", "sends", controlJobBody, resumeJob),
  // What was sent is finished, the rest stays planned.
  steering("POST /jobs/{id}/cancel", "stops", controlJobBody, cancelJob),
  steering("POST /jobs/{id}/retry", "sends", retryJobBody, retryJob),
  // Failed rows that will not be sent need no decision any more.
  steering("POST /jobs/{id}/leave-out", "stops", excludeRowsBody, excludeFailed),
  // Rows that wait for a reversal are not sent.
  steering("POST /jobs/{id}/leave-waiting", "stops", controlJobBody, excludeAwaiting),
  // Releases a job that was held after a restore.
  steering("POST /jobs/{id}/release", "sends", releaseJobBody, releaseJob),
  // Confirms the notice that work after the backup is missing here.
  route("POST /restore/read", "settings.program", [], async ({ store, audit, events }, request) => {
    await stored(store.restores.read())
    events.publish({ topic: "job", id: "all" })
    const on = { kind: "store", id: "restore", label: null }
    await audit.recordDone(request, { action: "store.restore_read", on })
    return success({})
  }),
  route("GET /jobs/{id}/reversal", "points.write", ["people", "query"], async (context, request, params) => {
    const { balances } = readQuery(request.search, reversalQuery)
    const job = await visibleJob(context, request, params)
    requireKind(request.user, job.kind)
    context.budget.personActive()
    return success(await previewReversal(context, request, job.id, balances === "read"))
  }),
  // Makes and starts the job that takes one back.
  route("POST /jobs/{id}/reverse", "points.write", [], async (context, request, params) => {
    const job = await visibleJob(context, request, params)
    const key = idempotencyKey(request)
    const body = readBody(request.body ?? {}, reverseJobBody)
    requireControl(request.user, job, body.reason)
    requireKind(request.user, job.kind)
    const made = await makeReversal(context, request, job.id, body, key)
    return success(await viewJob(context, made), { status: 201 })
  }),
  route("GET /jobs/{id}/rows/{row}", "jobs.read", ["people"], async (context, request, params) => {
    const job = await visibleJob(context, request, params)
    const row = await stored(context.store.jobs.row(job.id, rowNumber(params)))
    if (row === undefined) throw noSuchRow()
    const [view] = await viewRows(context, job, [row], request.user.role)
    return success(view)
  }),
  // Which of Laurel's rows made these ledger entries; entries made elsewhere are left out.
  route("POST /ledger/origins", "ledger.read", [], async (context, request) => {
    const { ids } = readBody(request.body, ledgerOriginsBody)
    return success(await ledgerOrigins(context, request.user, ids))
  }),
  // Everything a person needs to decide a row, read from the service now.
  route(
    "GET /jobs/{id}/rows/{row}/candidates",
    "jobs.control",
    ["people"],
    async (context, request, params) => {
      const job = await visibleJob(context, request, params)
      context.budget.personActive()
      const evidence = await rowEvidence(context, request, job.id, rowNumber(params))
      const named = { ...evidence, row: namedRow(context, evidence.row) }
      return success(evidenceView(job, named, request.user.role))
    },
  ),
  route("POST /jobs/{id}/rows/{row}/decision", "jobs.control", [], async (context, request, params) => {
    const job = await visibleJob(context, request, params)
    const body = readBody(request.body, decisionBody)
    requireControl(request.user, job, body.reason)
    if (body.decision === "resend") requireKind(request.user, job.kind)
    const decided = await decideRow(context, request, job.id, rowNumber(params), body)
    return success(rowView(job, namedRow(context, decided), request.user.role))
  }),
  // Why rows need a person, for deciding those of one cause together.
  route("GET /jobs/{id}/causes", "jobs.read", [], async (context, request, params) => {
    const job = await visibleJob(context, request, params)
    const causes = await stored(context.store.jobs.causes(job.id))
    return success(causesView(job.kind, request.user.role, causes))
  }),
  route("POST /jobs/{id}/decisions", "jobs.control", [], async (context, request, params) => {
    const job = await visibleJob(context, request, params)
    const body = readBody(request.body, groupDecisionBody)
    requireControl(request.user, job, body.reason)
    if (body.decision === "resend") requireKind(request.user, job.kind)
    if (body.decision === "happened") context.budget.personActive()
    const decided = await decideGroup(context, request, job.id, body)
    return success({ ...decided, job: await viewJob(context, decided.job) })
  }),
]

/** The summary of all jobs in a scope. */
export async function summaryFor(
  { store }: CoreContext,
  scope: ReturnType<typeof jobScope>,
): Promise<NonNullable<ShellState["jobs"]>> {
  const { held, looking, ...rest } = await stored(store.jobs.summary(scope))
  const { found } = await stored(store.restores.get())
  const isShown = found !== null && (held > 0 || !found.read)
  const restore = isShown && {
    sign: found.sign,
    at: new Date(found.at).toISOString(),
    since: isoTimeOrNull(found.since),
    held,
    looking,
  }
  return { ...rest, restore: restore || null }
}

/**
 * A request that steers a job, perhaps with a reason. `sends`: it makes effects of the job's kind happen; `drafts`: only
 * of a job that the person may touch without one.
 */
function steering<Body extends object>(
  id: Parameters<typeof route>[0],
  does: "stops" | "sends" | "drafts",
  schema: z.ZodMiniType<Body>,
  act: JobAction<Body>,
): Route {
  return route(id, "jobs.control", [], async (context, request, params) => {
    const job = await visibleJob(context, request, params)
    const body = readBody(request.body ?? {}, schema)
    const reason = "reason" in body && typeof body.reason === "string" ? body.reason : undefined
    requireControl(request.user, job, does === "drafts" ? null : reason)
    if (does !== "stops") requireKind(request.user, job.kind)
    return success(await viewJob(context, await act(context, request, job.id, body)))
  })
}

/** The job a request is about. @throws AppError 404 when there is none, or none the person may see */
export async function visibleJob(
  { store }: CoreContext,
  { user }: ApiRequest,
  { id = "" }: Readonly<Record<string, string>>,
): Promise<JobRecord> {
  const found = await stored(store.jobs.get(id))
  if (found === undefined || !seesJob(user, found)) throw notFound("Job not found.")
  return found
}

function rowNumber({ row = "" }: Readonly<Record<string, string>>): number {
  if (!/^[1-9]\d{0,8}$/.test(row)) throw noSuchRow()
  return Number(row)
}

function noSuchRow(): AppError {
  return notFound("This job has no row with this number.")
}

/** The key by which a repeated request is recognised. @throws AppError 400 when no header can hold it */
export function idempotencyKey(request: ApiRequest): string | undefined {
  const key = request.header("idempotency-key")
  if (key === undefined || /^[\x21-\x7e]{1,255}$/.test(key)) return key
  throw badRequest(
    "The header Idempotency-Key takes 1 to 255 visible characters without spaces. Nothing was done.",
  )
}
