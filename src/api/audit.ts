import * as z from "zod/mini"
import {
  auditActions,
  type AuditChange,
  type AuditEntry,
  auditEntry,
  type AuditQuery,
} from "../../contract/audit.ts"
import { amountLimitLabels } from "../../contract/amount-limits.ts"
import { capital, counted, formatMoney } from "../lib/format.ts"
import { exact } from "../lib/time.ts"
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
function actionName(action: string): string {
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
  const amount = valueOf("amount")
  return (isDecision || action === "card.issue") && amount >= 0
    ? `${name} of ${formatMoney(Math.round(amount * 100), currency)}`
    : name
}

const openOutcomes = { refused: "refused", failed: "not done", unknown: "not confirmed" } as const

/** An entry in one line: "Awarded 150 points: Ana Silva"; "150 points for Ana Silva: not confirmed". */
export function activityText(
  entry: Pick<AuditEntry, "action" | "changes" | "outcome">,
  subject: string,
  currency: string,
): string {
  const { action, outcome } = entry
  const line = actionLine(entry, currency)
  if (outcome === "done") return [line, subject].filter(Boolean).join(": ")
  const [, points] = /^(?:Awarded|Deducted) (\d.*)$/.exec(line) ?? []
  const about =
    points === undefined || subject === ""
      ? [line, subject].filter(Boolean).join(", ")
      : `${points} ${action === "points.award" ? "for" : "from"} ${subject}`
  return `${about}: ${openOutcomes[outcome]}`
}

const fieldLabels: Readonly<Record<string, string>> = {
  ...amountLimitLabels,
  fee_cents: "Fee per card",
  gst_percent: "GST on the fee (%)",
  face_gst_percent: "GST on the face value (%)",
  fund_at: "Fund entered at",
  low_cents: "Fund is low below",
  upstream_id: "Linked record",
}

/** A changed field in words, with its values: money in the program's `currency`, times as elsewhere. */
export function describeChange({ field, from, to }: AuditChange, currency: string) {
  const known = Object.hasOwn(fieldLabels, field) ? fieldLabels[field] : undefined
  const label = known ?? capital(field.replace(/_cents$/, "").replaceAll("_", " "))
  const cents = field.endsWith("_cents") ? 1 : /(^| )(amount|denomination)$/.test(field) ? 100 : undefined
  const valueOf = (value: string | null) => {
    if (value === null) return "None"
    if (field.endsWith("_at")) return exact(value)
    const amount = Number(value)
    return cents === undefined || Number.isNaN(amount)
      ? value
      : formatMoney(Math.round(amount * cents), currency)
  }
  return { label, from: valueOf(from), to: valueOf(to) }
}
