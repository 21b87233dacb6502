import type { RowListQuery } from "../../../../contract/job-rows.ts"
import type { JobSearch } from "./job-search.ts"

/** The address as the server is asked for rows. */
export function rowsQueryOf({ state, find, page, per_page }: JobSearch): RowListQuery {
  return {
    page,
    per_page,
    ...(state === undefined ? {} : { state }),
    ...(find === undefined ? {} : { search: find }),
  }
}
