import type { auditOutcomes } from "../../../contract/audit.ts"
import { limits } from "../../../contract/limits.ts"
import * as z from "zod/mini"
import { choiceParam, dayParam, textParam } from "../../lists/list-params.ts"

/** What acts are about, with the word for people. */
export const auditKinds = { member: "Member", job: "Job", user: "User", settings: "Settings" } as const

/** How often "Load older" works: beyond it the days have to be narrowed. */
export const mostParts = 20

// Named here, not imported: the router needs this file at sign-in already, and the contract would come with it.
const outcomes = ["done", "refused", "failed", "unknown"] as const satisfies typeof auditOutcomes

/** The audit log's state in the address. Values that make no sense fall back; they never break the page. */
export const auditSearch = z.object({
  action: textParam(limits.shortText),
  outcome: choiceParam(outcomes),
  actor: textParam(limits.shortText),
  kind: choiceParam(["member", "job", "user", "settings"]),
  id: textParam(limits.shortText),
  from: dayParam,
  to: dayParam,
  open: choiceParam(["export"]),
  parts: z._default(z.catch(z.int().check(z.minimum(1), z.maximum(mostParts)), 1), 1),
})
/** The audit log's state in the address. */
export type AuditSearch = z.output<typeof auditSearch>

/** What is left out of the address. */
export const auditDefaults = { parts: 1 } as const

/** Filters to set; undefined takes one away. */
export type AuditFilterChange = { readonly [K in keyof Omit<AuditSearch, "parts" | "open">]?: AuditSearch[K] }

/** Another filter starts again at the newest entries. */
export function withFilter(search: AuditSearch, change: AuditFilterChange): AuditSearch {
  return { ...search, ...change, parts: 1 }
}
