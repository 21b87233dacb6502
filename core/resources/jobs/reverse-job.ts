import { reversalQuery, reverseJobBody } from "../../../contract/job.ts"
import { success } from "../../http.ts"
import { noQuery, readBody, readQuery } from "../../validation.ts"
import type { OwnHandler } from "../../routes.ts"
import { requireControl, seenJob } from "./job-rights.ts"
import { viewJob } from "./pace.ts"
import { requestKey } from "./request-key.ts"

/** `GET /api/jobs/{id}/reversal`: what taking a job of awards back would do. */
export const getReversal: OwnHandler = async (context, request, params) => {
  const { balances } = readQuery(request.search, reversalQuery)
  const job = await seenJob(context, request, params.id)
  context.budget.personActive()
  return success(await context.jobs.reversal(request, job.id, balances === "read"))
}

/** `POST /api/jobs/{id}/reverse`: makes and starts the job that takes one back, and answers it with 201. */
export const reverseJob: OwnHandler = async (context, request, params) => {
  noQuery(request.search)
  const job = await seenJob(context, request, params.id)
  const key = requestKey(request, "optional")
  const body = readBody(request.body ?? {}, reverseJobBody)
  requireControl(request.user, job, body.reason)
  const made = await context.jobs.reverse(request, job.id, body, key)
  return success(await viewJob(context, made), { status: 201 })
}
