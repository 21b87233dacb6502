import { decisionBody } from "../../../contract/job-rows.ts"
import { success } from "../../http.ts"
import { noQuery, readBody } from "../../validation.ts"
import type { OwnHandler } from "../../routes.ts"
import { requireControl, requireKind, seenJob } from "./job-rights.ts"
import { namedRow } from "./named-row.ts"
import { rowNumber } from "./row-number.ts"
import { evidenceView, rowView } from "./row-view.ts"

/** `GET /api/jobs/{id}/rows/{row}/candidates`: everything a person needs to decide a row, read from the service now. */
export const getCandidates: OwnHandler = async (context, request, params) => {
  noQuery(request.search)
  const job = await seenJob(context, request, params.id)
  const row = rowNumber(params.row)
  context.budget.personActive()
  const evidence = await context.jobs.evidence(request, job.id, row)
  const named = { ...evidence, row: namedRow(context, evidence.row) }
  return success(evidenceView(job.kind, named, request.user.role))
}

/** `POST /api/jobs/{id}/rows/{row}/decision`: what a person says about a row; answers the row. */
export const decideRow: OwnHandler = async (context, request, params) => {
  noQuery(request.search)
  const job = await seenJob(context, request, params.id)
  const row = rowNumber(params.row)
  const body = readBody(request.body, decisionBody)
  requireControl(request.user, job, body.reason)
  if (body.decision === "resend") requireKind(request.user, job.kind)
  const decided = await context.jobs.decide(request, job.id, row, body)
  return success(rowView(job.kind, namedRow(context, decided), request.user.role))
}
