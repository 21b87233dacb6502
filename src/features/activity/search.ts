import type { auditOutcomes } from "../../../contract/audit.ts"
import type {
  jobKinds,
  jobStates,
  pointsReportGroups,
  PointsReportQuery,
  rowStates,
} from "../../../contract/job.ts"
import type { RowListQuery } from "../../../contract/job-rows.ts"
import { limits } from "../../../contract/limits.ts"
import * as z from "zod/mini"
import type { JobFilter } from "../../api/jobs.ts"
import { momentsOf } from "../../lib/days.ts"
import {
  choiceParam,
  dayParams,
  defined,
  pagingParams,
  partsParam,
  textParam,
} from "../../lists/list-params.ts"

// The state of these pages in the address. Values that make no sense fall back; they never break the page. Values of the
// contract are named here, not imported: the router needs this file at sign-in, and the contract would come with it.

const kinds: typeof jobKinds = ["award", "deduct", "member-create", "redeem", "order-update", "giftcard"]
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
const groups = ["reason", "person", "month"] as const satisfies readonly (typeof pointsReportGroups)[number][]

/** The list of jobs: what narrows it, and how much of it was loaded. */
export const jobsSearch = z.lazy(() =>
  z.object({
    kind: choiceParam(kinds),
    state: choiceParam([...states, "active", "attention", "failed"]),
    person: textParam(limits.shortText),
    ...dayParams,
    parts: partsParam,
  }),
)
export type JobsSearch = z.output<typeof jobsSearch>

/** The list of jobs as the server is asked; days are the program's. */
export function jobFilterOf(search: JobsSearch, timeZone: string): JobFilter {
  const { kind, state, person } = search
  return defined({ kind, state, created_by: person, ...momentsOf(search, timeZone) })
}

/** What can be open on a job's page: a question, a dialog, the table of rows to correct, failed ones or those not sent. */
const controlViews = ["pause", "resume", "cancel", "leave", "release", "unproven"] as const
/** The questions before a job pauses, goes on or ends; `unproven`: what a restore left undecided is sent, too. */
export type ControlView = (typeof controlViews)[number]

const jobViews = [...controlViews, "decide", "reverse", "results", "fix", "fix-left-out", "edit"] as const
export type JobView = (typeof jobViews)[number]
/** Tables of rows to correct, in the place of the rows. */
export type TableView = "fix" | "fix-left-out" | "edit"

export function isTableView(view: JobView | undefined): view is TableView {
  return view === "fix" || view === "fix-left-out" || view === "edit"
}

/** A job: which rows, the row that is open, the dialog that is open. */
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

/** A job's rows as the server is asked for them. */
export function rowsQueryOf({ state, find, page, per_page }: JobSearch): RowListQuery {
  return { page, per_page, ...defined({ state, search: find }) }
}

/** The audit log: what narrows it, and how much of it was loaded. */
export const auditSearch = z.lazy(() =>
  z.object({
    action: textParam(limits.shortText),
    outcome: choiceParam(outcomes),
    actor: textParam(limits.shortText),
    kind: choiceParam(["member", "job", "user", "settings"]),
    id: textParam(limits.shortText),
    ...dayParams,
    open: choiceParam(["export"]),
    parts: partsParam,
  }),
)
export type AuditSearch = z.output<typeof auditSearch>

/** The points report: its groups and days. */
export const reportSearch = z.lazy(() =>
  z.object({
    by: z._default(z.catch(z.enum(groups), "reason"), "reason"),
    ...dayParams,
  }),
)
export type ReportSearch = z.output<typeof reportSearch>

/** The points report as the server is asked; days are the program's. */
export function reportQueryOf(search: ReportSearch, timeZone: string): PointsReportQuery {
  return { by: search.by, ...momentsOf(search, timeZone) }
}

/** What is left out of the address. */
export const listDefaults = { parts: 1 } as const
export const jobDefaults = { page: 1, per_page: 25 } as const
export const reportDefaults = { by: "reason" } as const
