import type * as z from "zod/mini"
import {
  addRowsBody,
  controlJobBody,
  createJobBody,
  editRowsBody,
  type Job,
  jobListQuery,
  type jobSummary,
  type PointsReport,
  pointsReportQuery,
  releaseJobBody,
  repeatsBody,
  retryJobBody,
  reversalQuery,
  reverseJobBody,
  startJobBody,
} from "../../contract/job.ts"
import { decisionBody, rowListQuery } from "../../contract/job-rows.ts"
import { limits } from "../../contract/limits.ts"
import { seesRowsWhole } from "../../contract/redaction.ts"
import { entryOf } from "../audit-log.ts"
import type { CoreContext, Handler } from "../context.ts"
import { AppError, forbidden, notFound, recorded, stored } from "../errors.ts"
import { success, type ApiRequest } from "../http.ts"
import type { JobRecord } from "../jobs/job-store.ts"
import { isoTimeOrNull } from "../runtime.ts"
import { readBody, readQuery } from "../validation.ts"
import { jobScope, requireControl, requireKind, requireSomeKind, seesJob } from "./access.ts"
import { evidenceView, namedRow, rowView, viewJob, viewJobs } from "./job-view.ts"

/** `GET /api/jobs`: newest first, those the person may see. `meta.next` is what the next page asks `before`. */
export const listJobs: Handler = async (context, request) => {
  const { from, to, created_by, per_page, ...filters } = readQuery(request.search, jobListQuery)
  const perPage = per_page ?? limits.perPage.default
  const found = await stored(
    context.store.jobs.list({
      before: filters.before,
      kind: filters.kind,
      state: filters.state,
      fingerprint: filters.fingerprint,
      perPage,
      createdBy: created_by,
      from: from === undefined ? undefined : Date.parse(from),
      to: to === undefined ? undefined : Date.parse(to),
      scope: jobScope(request.user),
    }),
  )
  const jobs = found.slice(0, perPage)
  const next = found.length > perPage ? (jobs.at(-1)?.id ?? null) : null
  return success(await viewJobs(context, jobs), { meta: { per_page: perPage, next } })
}

/** `GET /api/jobs/summary`: how many jobs are active and how many need somebody, of those the person may see. */
export const getJobSummary: Handler = async ({ store }, request) => {
  const { held, looking, ...rest } = await stored(store.jobs.summary(jobScope(request.user)))
  const { found } = await stored(store.restores.get())
  const isShown = found !== null && (held > 0 || !found.read)
  const summary: z.output<typeof jobSummary> = {
    ...rest,
    restore: isShown
      ? {
          sign: found.sign,
          at: new Date(found.at).toISOString(),
          since: isoTimeOrNull(found.since),
          held,
          looking,
        }
      : null,
  }
  return success(summary)
}

/** `POST /api/restore/read`: somebody has read that what was made after the backup is missing here. */
export const confirmRestoreRead: Handler = async ({ store, audit, events }, request) => {
  await stored(store.restores.read())
  events.publish({ topic: "job", id: "all" })
  const on = { kind: "store", id: "restore", label: null }
  await recorded(audit.record(entryOf(request, { action: "store.restore_read", on, outcome: "done" })))
  return success({})
}

export const getJob: Handler = async (context, request, params) =>
  success(await viewJob(context, await seenJob(context, request, params)))

/** `GET /api/jobs/{id}/rows`: by number, as the person's role sees them. */
export const listRows: Handler = async (context, request, params) => {
  const { state, search, ...paging } = readQuery(request.search, rowListQuery)
  const job = await seenJob(context, request, params)
  const { role } = request.user
  if (search !== undefined && !seesRowsWhole(job.kind, role)) {
    throw forbidden(
      "Your role can’t search rows, because people’s data is hidden from it. Nothing was loaded.",
    )
  }
  const page = paging.page ?? 1
  const perPage = paging.per_page ?? limits.perPage.default
  const { rows, total } = await stored(context.store.jobs.rows(job.id, { state, search, page, perPage }))
  return success(
    rows.map((row) => rowView(job.kind, namedRow(context, row), role)),
    { meta: { page, per_page: perPage, total } },
  )
}

/** `GET /api/jobs/{id}/rows/{row}`. */
export const getRow: Handler = async (context, request, params) => {
  const job = await seenJob(context, request, params)
  const row = await stored(context.store.jobs.row(job.id, rowNumber(params)))
  if (row === undefined) throw noSuchRow()
  return success(rowView(job.kind, namedRow(context, row), request.user.role))
}

/** `POST /api/jobs`: the same key and body of one person give the same job and 201, also when they come at once. */
export const createJob: Handler = async (context, request) => {
  requireSomeKind(request.user)
  const key = idempotencyKey(request)
  if (key === undefined) {
    throw badKey(
      "The header Idempotency-Key is missing: without it a repeated request would be a second effect.",
    )
  }
  const body = readBody(request.body, createJobBody)
  requireKind(request.user, body.kind)
  const { job } = await context.jobs.create(request, body, key)
  return success(await viewJob(context, job), { status: 201 })
}

/** `POST /api/jobs/repeats`: which rows of a file repeat earlier ones; nothing is kept or sent. */
export const findRepeats: Handler = async (context, request) => {
  requireSomeKind(request.user)
  const body = readBody(request.body, repeatsBody)
  requireKind(request.user, body.kind)
  return success(await context.jobs.repeats(body))
}

/** `POST /api/jobs/{id}/rows`: adds rows to a draft and answers the job. */
export const addRows: Handler = async (context, request, params) => {
  const job = await seenJob(context, request, params)
  const body = readBody(request.body, addRowsBody)
  requireControl(request.user, job, null)
  requireKind(request.user, job.kind)
  return success(await viewJob(context, await context.jobs.append(job.id, body)))
}

/** `POST /api/jobs/{id}/start`: refused when the draft has other numbers of rows or repeats than the person saw. */
export const startJob: Handler = async (context, request, params) => {
  const job = await seenJob(context, request, params)
  const seen = readBody(request.body ?? {}, startJobBody)
  requireControl(request.user, job, null)
  requireKind(request.user, job.kind)
  return success(await viewJob(context, await context.jobs.start(request, job.id, seen)))
}

/** A request that steers a job and may say why; `sends`: it makes effects of the job's kind happen. */
function steering<Body extends { readonly reason?: string | undefined }>(
  schema: z.ZodMiniType<Body>,
  { sends }: { readonly sends: boolean },
  steer: (jobs: CoreContext["jobs"], request: ApiRequest, id: string, body: Body) => Promise<JobRecord>,
): Handler {
  return async (context, request, params) => {
    const job = await seenJob(context, request, params)
    const body = readBody(request.body ?? {}, schema)
    requireControl(request.user, job, body.reason)
    if (sends) requireKind(request.user, job.kind)
    const view: Job = await viewJob(context, await steer(context.jobs, request, job.id, body))
    return success(view)
  }
}

/** `POST /api/jobs/{id}/pause`. */
export const pauseJob = steering(controlJobBody, { sends: false }, (jobs, request, id, { reason }) =>
  jobs.pause(request, id, reason),
)

/** `POST /api/jobs/{id}/resume`; "Send now" for a row that could not be sent in time. */
export const resumeJob = steering(controlJobBody, { sends: true }, (jobs, request, id, { reason }) =>
  jobs.resume(request, id, reason),
)

/** `POST /api/jobs/{id}/cancel`: what was sent is finished, the rest stays planned. */
export const cancelJob = steering(controlJobBody, { sends: false }, (jobs, request, id, { reason }) =>
  jobs.cancel(request, id, reason),
)

/** `POST /api/jobs/{id}/release`: lets a job go on that was held after a restore. */
export const releaseJob = steering(releaseJobBody, { sends: true }, (jobs, request, id, body) =>
  jobs.release(request, id, body),
)

/** `POST /api/jobs/{id}/retry`: failed rows again, all of them or some, each as it was or corrected. */
export const retryJob = steering(retryJobBody, { sends: true }, (jobs, request, id, body) =>
  jobs.retry(request, id, body),
)

/** `PATCH /api/jobs/{id}/rows`: other inputs for rows of a paused job that were not sent. */
export const editJobRows = steering(editRowsBody, { sends: true }, (jobs, request, id, body) =>
  jobs.edit(request, id, body),
)

/** `GET /api/jobs/{id}/rows/{row}/candidates`: everything a person needs to decide a row, read from the service now. */
export const getCandidates: Handler = async (context, request, params) => {
  const job = await seenJob(context, request, params)
  const row = rowNumber(params)
  context.budget.personActive()
  const evidence = await context.jobs.evidence(request, job.id, row)
  const named = { ...evidence, row: namedRow(context, evidence.row) }
  return success(evidenceView(job.kind, named, request.user.role))
}

/** `POST /api/jobs/{id}/rows/{row}/decision`: what a person decides about a row; answers the row. */
export const decideRow: Handler = async (context, request, params) => {
  const job = await seenJob(context, request, params)
  const row = rowNumber(params)
  const body = readBody(request.body, decisionBody)
  requireControl(request.user, job, body.reason)
  if (body.decision === "resend") requireKind(request.user, job.kind)
  const decided = await context.jobs.decide(request, job.id, row, body)
  return success(rowView(job.kind, namedRow(context, decided), request.user.role))
}

/** `GET /api/jobs/{id}/reversal`: what taking a job of awards back would do. */
export const getReversal: Handler = async (context, request, params) => {
  const { balances } = readQuery(request.search, reversalQuery)
  const job = await seenJob(context, request, params)
  context.budget.personActive()
  return success(await context.jobs.reversal(request, job.id, balances === "read"))
}

/** `POST /api/jobs/{id}/reverse`: makes and starts the job that takes one back, and answers it with 201. */
export const reverseJob: Handler = async (context, request, params) => {
  const job = await seenJob(context, request, params)
  const key = idempotencyKey(request)
  const body = readBody(request.body ?? {}, reverseJobBody)
  requireControl(request.user, job, body.reason)
  const made = await context.jobs.reverse(request, job.id, body, key)
  return success(await viewJob(context, made), { status: 201 })
}

/** `GET /api/reports/points`: what Laurel's own jobs awarded and deducted. */
export const getPointsReport: Handler = async ({ store, settings }, request) => {
  const query = readQuery(request.search, pointsReportQuery)
  const { time_zone } = await settings.get("program")
  const rows = await stored(store.jobs.pointsReport(query, time_zone))
  const sum = (of: (row: PointsReport["total"]) => number) => rows.reduce((all, row) => all + of(row), 0)
  const total = {
    group: "total",
    awarded: sum((row) => row.awarded),
    deducted: sum((row) => row.deducted),
    awards: sum((row) => row.awards),
    deductions: sum((row) => row.deductions),
  }
  return success({ rows, total } satisfies PointsReport)
}

/** The job a request is about. @throws AppError 404 when there is none, or none the person may see */
async function seenJob(
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
function idempotencyKey(request: ApiRequest): string | undefined {
  const key = request.header("idempotency-key")
  if (key === undefined || /^[\x21-\x7e]{1,255}$/.test(key)) return key
  throw badKey("The header Idempotency-Key takes 1 to 255 visible characters without spaces.")
}

function badKey(message: string): AppError {
  return new AppError({ status: 400, code: "bad_request", message: `${message} Nothing was done.` })
}
