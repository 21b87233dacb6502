import type { JobFilter } from "../../../api/jobs.ts"
import { momentsOf } from "../../../lib/days.ts"
import type { JobsSearch } from "./jobs-search.ts"

/** The address as the server is asked; days are the program's. */
export function jobFilterOf(search: JobsSearch, timeZone: string): JobFilter {
  const { kind, state, person } = search
  const set = Object.entries({ kind, state, created_by: person, ...momentsOf(search, timeZone) })
  return Object.fromEntries(set.filter(([, value]) => value !== undefined))
}
