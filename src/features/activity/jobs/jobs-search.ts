import type { jobKinds, jobStates } from "../../../../contract/job.ts"
import { limits } from "../../../../contract/limits.ts"
import * as z from "zod/mini"
import { choiceParam, dayParam, textParam } from "../../../lists/list-params.ts"

// Named here, not imported: the router needs this file at sign-in already, and the contract would come with it.
const kinds = [
  "award",
  "deduct",
  "member-create",
  "redeem",
  "order-update",
  "giftcard",
] as const satisfies typeof jobKinds
const states = [
  "draft",
  "running",
  "paused",
  "cancelling",
  "cancelled",
  "done",
  "active",
  "attention",
] as const satisfies readonly [...typeof jobStates, "active", "attention"]

/** How often "Load older" works: beyond it the days have to be narrowed. */
export const mostParts = 20

/** The job list's state in the address. Values that make no sense fall back; they never break the page. */
export const jobsSearch = z.object({
  kind: choiceParam(kinds),
  state: choiceParam(states),
  person: textParam(limits.shortText),
  from: dayParam,
  to: dayParam,
  parts: z._default(z.catch(z.int().check(z.minimum(1), z.maximum(mostParts)), 1), 1),
})
/** The job list's state in the address. */
export type JobsSearch = z.output<typeof jobsSearch>

/** What is left out of the address. */
export const jobsDefaults = { parts: 1 } as const

/** Filters to set; undefined takes one away. */
export type JobsFilterChange = { readonly [K in keyof Omit<JobsSearch, "parts">]?: JobsSearch[K] }
