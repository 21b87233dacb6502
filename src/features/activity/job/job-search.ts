import type { rowStates } from "../../../../contract/job.ts"
import { limits } from "../../../../contract/limits.ts"
import * as z from "zod/mini"
import { choiceParam, pageParam, perPageParam, textParam } from "../../../lists/list-params.ts"

// Named here, not imported: the router needs this file at sign-in already, and the contract would come with it.
const states = [
  "planned",
  "sent",
  "confirmed",
  "failed",
  "unknown",
  "absent",
  "conflict",
  "excluded",
  "attention",
] as const satisfies readonly [...typeof rowStates, "attention"]

/** What can be open on a job's page: a dialog, or the table of rows to correct, failed ones or those not sent. */
const jobViews = ["pause", "resume", "cancel", "reverse", "results", "fix", "edit"] as const
/** What is open on a job's page. */
export type JobView = (typeof jobViews)[number]

/** A job page's state in the address: which rows, the row that is open, the dialog that is open. */
export const jobSearch = z.object({
  state: choiceParam(states),
  find: textParam(limits.shortText),
  page: pageParam,
  per_page: perPageParam,
  row: z.catch(z.optional(z.int().check(z.minimum(1))), undefined),
  open: choiceParam(jobViews),
})
/** A job page's state in the address. */
export type JobSearch = z.output<typeof jobSearch>

/** What is left out of the address. */
export const jobDefaults = { page: 1, per_page: 25 } as const
