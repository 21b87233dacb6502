import type { RowQuery, RowRecord } from "../jobs/job-store.ts"

type Named = Pick<RowRecord, "memberId" | "email" | "label">

/** The text in which a row is searched: member id, e-mail and label in lower case, one in each line. */
export function searchTextOf({ memberId, email, label }: Named): string {
  return [memberId, email, label].map((text) => text?.toLowerCase() ?? "").join("\n")
}

/** What a search looks for: a text in lower case, and a row's number if there are digits only. */
export interface RowSearch {
  readonly text: string
  readonly row: number | undefined
}

/** A search as it was typed; undefined when nothing was. */
export function rowSearchOf({ search }: Pick<RowQuery, "search">): RowSearch | undefined {
  const text = search?.trim().toLowerCase() ?? ""
  if (text === "") return undefined
  return { text, row: /^\d{1,9}$/.test(text) ? Number(text) : undefined }
}
