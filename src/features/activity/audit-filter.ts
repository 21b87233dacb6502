import { auditActions } from "../../../contract/audit.ts"
import type { AuditFilter } from "../../api/audit.ts"
import { momentsOf } from "../../lib/days.ts"
import type { AuditSearch } from "./audit-search.ts"

/** Every audited action with its name, for filters. */
export const actionNames = Object.entries(auditActions).map(([value, label]) => ({ value, label }))

/** The action an address names, when there is such an action. */
export function knownAction(action: string | undefined): string | undefined {
  return action !== undefined && Object.hasOwn(auditActions, action) ? action : undefined
}

/** The address as the server is asked; days are the program's. An action that does not exist narrows nothing. */
export function auditFilterOf(search: AuditSearch, timeZone: string): AuditFilter {
  const { outcome, actor, kind, id } = search
  const action = knownAction(search.action)
  const set = Object.entries({ action, outcome, actor, kind, id, ...momentsOf(search, timeZone) })
  return Object.fromEntries(set.filter(([, value]) => value !== undefined))
}
