import * as z from "zod/mini"
import { auditActions, auditEntry, type AuditQuery } from "../../contract/audit.ts"
import { registerTopic } from "./events.ts"
import { partsQuery } from "./paging.ts"

registerTopic("audit", ["audit"])

/** What narrows the audit log. */
export type AuditFilter = Omit<AuditQuery, "before" | "per_page">

/** The newest entries of the audit log that a filter matches, `parts` times 50 of them. */
export function auditQuery(filter: AuditFilter, parts: number) {
  return partsQuery("audit", z.array(auditEntry), filter, parts)
}

/** The name of an audited action for people; one that a newer server writes is shown as it comes. */
export function actionName(action: string): string {
  const names: Readonly<Record<string, string>> = auditActions
  return (Object.hasOwn(names, action) ? names[action] : undefined) ?? action
}
