import type { auditOutcomes } from "../../../contract/audit.ts"
import type { jobStates, rowStates } from "../../../contract/job.ts"
import type { RowListQuery } from "../../../contract/job-rows.ts"
import { limits } from "../../../contract/limits.ts"
import * as z from "zod/mini"
import {
  choiceParam,
  dayParams,
  defined,
  pagingParams,
  partsParam,
  textParam,
} from "../../lists/list-params.ts"

// Search params of these pages. Invalid values fall back and never break the page. Values of the contract are copied,
// not imported: the router needs this file at sign-in, and would load the contract with it.

const states: typeof jobStates = ["draft", "running", "paused", "cancelling", "cancelled", "done"]
const rows: typeof rowStates = [
  "planned",
  "sent",
  "confirmed",
  "failed",
  "unknown",
  "absent",
  "conflict",
  "excluded",
]
const outcomes: typeof auditOutcomes = ["done", "refused", "failed", "unknown"]

/** The list of jobs: filters and the number of loaded parts. */
export const jobsSearch = z.lazy(() =>
  z.object({
    kind: textParam(limits.shortText),
    state: choiceParam([...states, "active", "attention", "failed"]),
    person: textParam(limits.shortText),
    ...dayParams,
    parts: partsParam,
  }),
)
export type JobsSearch = z.output<typeof jobsSearch>

/** What can be open on a job's page: a question, a dialog, or the table of failed or unsent rows. */
const controlViews = ["pause", "resume", "cancel", "leave", "release", "unproven"] as const
/**
 * Confirmations before a job is paused, resumed or ended; `unproven`: rows left undecided by a restore are sent too.
 */
export type ControlView = (typeof controlViews)[number]

const jobViews = [...controlViews, "decide", "reverse", "results", "fix", "fix-left-out", "edit"] as const
export type JobView = (typeof jobViews)[number]
/** Tables of rows to correct, shown in place of the rows. */
export type TableView = "fix" | "fix-left-out" | "edit"

export function isTableView(view: JobView | undefined): view is TableView {
  return view === "fix" || view === "fix-left-out" || view === "edit"
}

/** A job: row filter, open row, open dialog. */
export const jobSearch = z.lazy(() =>
  z.object({
    state: choiceParam([...rows, "attention"]),
    find: textParam(limits.shortText),
    ...pagingParams,
    row: z.catch(z.optional(z.int().check(z.minimum(1))), undefined),
    open: choiceParam(jobViews),
  }),
)
export type JobSearch = z.output<typeof jobSearch>

/** The query for a job's rows as sent to the server. */
export function toRowsQuery({ state, find, page, per_page }: JobSearch): RowListQuery {
  return { page, per_page, ...defined({ state, search: find }) }
}

/** What entries of the audit log can be filtered by: the kind of their record. */
export const auditKinds = [
  "member",
  "order",
  "card",
  "job",
  "month",
  "export",
  "user",
  "settings",
  "server",
] as const

/** The audit log: filters and the number of loaded parts. */
export const auditSearch = z.lazy(() =>
  z.object({
    action: textParam(limits.shortText),
    outcome: choiceParam(outcomes),
    actor: textParam(limits.shortText),
    kind: choiceParam(auditKinds),
    id: textParam(limits.shortText),
    ...dayParams,
    open: choiceParam(["export"]),
    parts: partsParam,
  }),
)
export type AuditSearch = z.output<typeof auditSearch>

/** Values left out of the URL. */
export const listDefaults = { parts: 1 } as const
export const jobDefaults = { page: 1, per_page: 25 } as const
