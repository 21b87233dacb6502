import * as z from "zod/mini"
import type { differenceClasses, DifferencesQuery } from "../../../contract/books.ts"
import { limits } from "../../../contract/limits.ts"
import { choiceParam, defined, pagingParams } from "../../lists/list-params.ts"

// Copied, not imported: the router needs this file at sign-in, and would load the contract with it.
const classes = [
  "unexplained",
  "missing",
  "foreign",
  "awaiting",
  "late",
  "brought-in",
  "deleted",
] as const satisfies typeof differenceClasses

/** The search params of a month: which differences are listed, and the dialog over it. */
export const monthSearch = z.object({
  class: choiceParam(classes),
  ...pagingParams,
  open: choiceParam(["close", "export"]),
})
export type MonthSearch = z.output<typeof monthSearch>

/** Values left out of the URL. */
export const monthDefaults = { page: 1, per_page: limits.perPage.default } as const

/** The request for one page of a month's differences. */
export function toDifferencesQuery({ class: only, page, per_page }: MonthSearch): DifferencesQuery {
  return { ...defined({ class: only }), page, per_page }
}
