import { addRowsBody } from "../../../contract/job.ts"
import { rowListQuery } from "../../../contract/job-rows.ts"
import { limits } from "../../../contract/limits.ts"
import { seesRowsWhole } from "../../../contract/redaction.ts"
import { success } from "../../http.ts"
import { noQuery, readBody, readQuery } from "../../validation.ts"
import { forbidden, notFound, stored } from "../../errors.ts"
import type { OwnHandler } from "../../routes.ts"
import { requireControl, requireKind, seenJob } from "./job-rights.ts"
import { viewJob } from "./pace.ts"
import { namedRow } from "./named-row.ts"
import { rowNumber } from "./row-number.ts"
import { rowView } from "./row-view.ts"

/** `GET /api/jobs/{id}/rows`: by number, as the person's role sees them. */
export const listRows: OwnHandler = async (context, request, params) => {
  const query = readQuery(request.search, rowListQuery)
  const job = await seenJob(context, request, params.id)
  const { role } = request.user
  if (query.search !== undefined && !seesRowsWhole(job.kind, role)) {
    throw forbidden(
      "Your role can’t search rows, because people’s data is hidden from it. Nothing was loaded.",
    )
  }
  const page = query.page ?? 1
  const perPage = query.per_page ?? limits.perPage.default
  const { state, search } = query
  const { rows, total } = await stored(context.store.jobs.rows(job.id, { state, search, page, perPage }))
  return success(
    rows.map((row) => rowView(job.kind, namedRow(context, row), role)),
    { meta: { page, per_page: perPage, total } },
  )
}

/** `GET /api/jobs/{id}/rows/{row}`. */
export const getRow: OwnHandler = async (context, request, params) => {
  noQuery(request.search)
  const job = await seenJob(context, request, params.id)
  const row = await stored(context.store.jobs.row(job.id, rowNumber(params.row)))
  if (row === undefined) throw notFound("This job has no row with this number.")
  return success(rowView(job.kind, namedRow(context, row), request.user.role))
}

/** `POST /api/jobs/{id}/rows`: adds rows to a draft and answers the job. */
export const addRows: OwnHandler = async (context, request, params) => {
  noQuery(request.search)
  const job = await seenJob(context, request, params.id)
  const body = readBody(request.body, addRowsBody)
  requireControl(request.user, job, null)
  requireKind(request.user, job.kind)
  return success(await viewJob(context, await context.jobs.append(job.id, body)))
}
