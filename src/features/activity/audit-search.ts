import { auditActions, auditOutcomes, type AuditAction } from "../../../contract/desk/audit.ts"
import { limits } from "../../../contract/limits.ts"
import type { AuditFilter } from "../../api/audit.ts"
import { z } from "../../lib/z.ts"
import { choiceParam, dayParam, textParam } from "../../list/list-params.ts"
import { momentsOf } from "../../list/zoned-days.ts"

/** Every audited action, as a list for filters. */
export const actionNames: readonly { readonly value: AuditAction; readonly label: string }[] = Object.entries(
  auditActions,
).map(([value, label]) => ({ value: z.parse(actionParam(), value), label }))

/** What acts are about, with the word for people. */
export const auditKinds = { member: "Member", user: "User", settings: "Settings" } as const

/** How often "Load older" works: beyond it the days have to be narrowed. */
export const mostParts = 20

function actionParam() {
  return z.custom<AuditAction>((value) => typeof value === "string" && Object.hasOwn(auditActions, value))
}

/** The audit log's state in the address. Values that make no sense fall back; they never break the page. */
export const auditSearch = z.object({
  action: z.catch(z.optional(actionParam()), undefined),
  outcome: choiceParam(auditOutcomes),
  actor: textParam(limits.shortText),
  kind: choiceParam(["member", "user", "settings"]),
  id: textParam(limits.shortText),
  from: dayParam,
  to: dayParam,
  parts: z._default(z.catch(z.int().check(z.minimum(1), z.maximum(mostParts)), 1), 1),
})
/** The audit log's state in the address. */
export type AuditSearch = z.output<typeof auditSearch>

/** What is left out of the address. */
export const auditDefaults = { parts: 1 } as const

/** The address as the server is asked; days are the program's. */
export function auditFilterOf(search: AuditSearch, timeZone: string): AuditFilter {
  const { action, outcome, actor, kind, id } = search
  const set = Object.entries({ action, outcome, actor, kind, id, ...momentsOf(search, timeZone) })
  return Object.fromEntries(set.filter(([, value]) => value !== undefined))
}

/** Filters to set; undefined takes one away. */
export type AuditFilterChange = { readonly [K in keyof Omit<AuditSearch, "parts">]?: AuditSearch[K] }

/** Another filter starts again at the newest entries. */
export function withFilter(search: AuditSearch, change: AuditFilterChange): AuditSearch {
  return { ...search, ...change, parts: 1 }
}
