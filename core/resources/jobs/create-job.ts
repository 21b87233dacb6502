import { createJobBody, repeatsBody } from "../../../contract/job.ts"
import { success } from "../../http.ts"
import { noQuery, readBody } from "../../validation.ts"
import type { OwnHandler } from "../../routes.ts"
import { requestKey } from "./request-key.ts"
import { requireKind, requireSomeKind } from "./job-rights.ts"
import { viewJob } from "./pace.ts"

/**
 * `POST /api/jobs`: makes a job and, unless it is a draft, starts it. The same key and body of one person give the
 * same job and the same 201, also when they come at once.
 */
export const createJob: OwnHandler = async (context, request) => {
  noQuery(request.search)
  requireSomeKind(request.user)
  const key = requestKey(request, "needed")
  const body = readBody(request.body, createJobBody)
  requireKind(request.user, body.kind)
  const { job } = await context.jobs.create(request, body, key)
  return success(await viewJob(context, job), { status: 201 })
}

/** `POST /api/jobs/repeats`: which rows of a file repeat earlier ones; nothing is kept or sent. */
export const findRepeats: OwnHandler = async (context, request) => {
  noQuery(request.search)
  requireSomeKind(request.user)
  const body = readBody(request.body, repeatsBody)
  requireKind(request.user, body.kind)
  return success(await context.jobs.repeats(body))
}
