import * as z from "zod/mini"
import { auditActions, type AuditEntry, auditEntry, type AuditQuery } from "../../contract/audit.ts"
import { counted, formatMoney } from "../lib/format.ts"
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

/** What was done, with how much: "Awarded 250 points", "Resolved a row of 250 points". Card amounts in the program's `currency`. */
export function actionLine(
  { action, changes }: Pick<AuditEntry, "action" | "changes">,
  currency: string,
): string {
  const valueOf = (field: string) =>
    Math.abs(Number(changes.find((change) => change.field === field)?.to ?? NaN))
  const name = actionName(action)
  const points = valueOf("points")
  if (name.endsWith("points") && points >= 0) return name.replace("points", counted(points, "point"))
  const isDecision = action === "job.decide"
  if (isDecision && points >= 0) return `${name} of ${counted(points, "point")}`
  const parcels = valueOf("parcels")
  if (parcels >= 0) return `Shipped ${counted(parcels, "parcel")}`
  const amount = valueOf("amount")
  return (isDecision || action === "card.issue") && amount >= 0
    ? `${name} of ${formatMoney(Math.round(amount * 100), currency)}`
    : name
}
