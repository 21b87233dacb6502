import {
  controlJobBody,
  editRowsBody,
  releaseJobBody,
  retryJobBody,
  startJobBody,
} from "../../../contract/job.ts"
import { success } from "../../http.ts"
import { noQuery, readBody } from "../../validation.ts"
import type { OwnHandler } from "../../routes.ts"
import { requireControl, requireKind, seenJob } from "./job-rights.ts"
import { viewJob } from "./pace.ts"

/**
 * `POST /api/jobs/{id}/start`: begins a draft; refused when it has another number of rows, or of rows that repeat
 * earlier ones, than the person saw.
 */
export const startJob: OwnHandler = async (context, request, params) => {
  noQuery(request.search)
  const job = await seenJob(context, request, params.id)
  const seen = readBody(request.body ?? {}, startJobBody)
  requireControl(request.user, job, null)
  requireKind(request.user, job.kind)
  return success(await viewJob(context, await context.jobs.start(request, job.id, seen)))
}

/** `POST /api/jobs/{id}/pause`. */
export const pauseJob: OwnHandler = async (context, request, params) => {
  noQuery(request.search)
  const job = await seenJob(context, request, params.id)
  const { reason } = readBody(request.body ?? {}, controlJobBody)
  requireControl(request.user, job, reason)
  return success(await viewJob(context, await context.jobs.pause(request, job.id, reason)))
}

/** `POST /api/jobs/{id}/resume`; "Send now" for a row that could not be sent in time. */
export const resumeJob: OwnHandler = async (context, request, params) => {
  noQuery(request.search)
  const job = await seenJob(context, request, params.id)
  const { reason } = readBody(request.body ?? {}, controlJobBody)
  requireControl(request.user, job, reason)
  requireKind(request.user, job.kind)
  return success(await viewJob(context, await context.jobs.resume(request, job.id, reason)))
}

/** `POST /api/jobs/{id}/cancel`: what was sent is finished, the rest stays planned. */
export const cancelJob: OwnHandler = async (context, request, params) => {
  noQuery(request.search)
  const job = await seenJob(context, request, params.id)
  const { reason } = readBody(request.body ?? {}, controlJobBody)
  requireControl(request.user, job, reason)
  return success(await viewJob(context, await context.jobs.cancel(request, job.id, reason)))
}

/** `POST /api/jobs/{id}/release`: lets a job go on that was held after a restore. */
export const releaseJob: OwnHandler = async (context, request, params) => {
  noQuery(request.search)
  const job = await seenJob(context, request, params.id)
  const body = readBody(request.body ?? {}, releaseJobBody)
  requireControl(request.user, job, body.reason)
  requireKind(request.user, job.kind)
  return success(await viewJob(context, await context.jobs.release(request, job.id, body)))
}

/** `POST /api/jobs/{id}/retry`: failed rows again, all of them or some, each as it was or mended. */
export const retryJob: OwnHandler = async (context, request, params) => {
  noQuery(request.search)
  const job = await seenJob(context, request, params.id)
  const body = readBody(request.body ?? {}, retryJobBody)
  requireControl(request.user, job, body.reason)
  requireKind(request.user, job.kind)
  return success(await viewJob(context, await context.jobs.retry(request, job.id, body)))
}

/** `PATCH /api/jobs/{id}/rows`: other inputs for rows of a paused job that were not sent. */
export const editJobRows: OwnHandler = async (context, request, params) => {
  noQuery(request.search)
  const job = await seenJob(context, request, params.id)
  const body = readBody(request.body ?? {}, editRowsBody)
  requireControl(request.user, job, body.reason)
  requireKind(request.user, job.kind)
  return success(await viewJob(context, await context.jobs.edit(request, job.id, body)))
}
