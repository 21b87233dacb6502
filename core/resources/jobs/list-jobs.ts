import type * as z from "zod/mini"
import { jobListQuery, type JobListQuery, type jobSummary } from "../../../contract/job.ts"
import { limits } from "../../../contract/limits.ts"
import { success } from "../../http.ts"
import { entryOf } from "../../audit-log.ts"
import type { SessionUser } from "../../../contract/users.ts"
import type { JobQuery } from "../../jobs/job-store.ts"
import { noQuery, readQuery } from "../../validation.ts"
import type { OwnHandler } from "../../routes.ts"
import { recorded, stored } from "../../errors.ts"
import { jobScope, seenJob } from "./job-rights.ts"
import { isoTimeOrNull } from "./job-view.ts"
import { viewJob, viewJobs } from "./pace.ts"

/** `GET /api/jobs`: newest first, those the person may see. `meta.next` is what the next page asks `before`. */
export const listJobs: OwnHandler = async (context, request) => {
  const query = readQuery(request.search, jobListQuery)
  const perPage = query.per_page ?? limits.perPage.default
  const found = await stored(context.store.jobs.list(storeQuery(query, perPage, request.user)))
  const jobs = found.slice(0, perPage)
  const next = found.length > perPage ? (jobs.at(-1)?.id ?? null) : null
  return success(await viewJobs(context, jobs), { meta: { per_page: perPage, next } })
}

/** `GET /api/jobs/summary`: how many jobs are active and how many need somebody, of those the person may see. */
export const getJobSummary: OwnHandler = async ({ store }, request) => {
  noQuery(request.search)
  const { held, looking, ...rest } = await stored(store.jobs.summary(jobScope(request.user)))
  const { found } = await stored(store.restores.get())
  const isTold = found !== null && (held > 0 || !found.read)
  const summary: z.output<typeof jobSummary> = {
    ...rest,
    restore: isTold
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
export const postRestoreRead: OwnHandler = async ({ store, audit, events }, request) => {
  noQuery(request.search)
  await stored(store.restores.read())
  events.publish({ topic: "job", id: "all" })
  const on = { kind: "store", id: "restore", label: null }
  await recorded(audit.record(entryOf(request, { action: "store.restore_read", on, outcome: "done" })))
  return success({})
}

/** `GET /api/jobs/{id}`. */
export const getJob: OwnHandler = async (context, request, params) => {
  noQuery(request.search)
  return success(await viewJob(context, await seenJob(context, request, params.id)))
}

function storeQuery(query: JobListQuery, perPage: number, user: SessionUser): JobQuery {
  const { before, kind, state, created_by, fingerprint, from, to } = query
  return {
    perPage,
    before,
    kind,
    state,
    createdBy: created_by,
    fingerprint,
    from: from === undefined ? undefined : Date.parse(from),
    to: to === undefined ? undefined : Date.parse(to),
    scope: jobScope(user),
  }
}
