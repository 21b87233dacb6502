import type { JobKind } from "./job.ts"
import type { Candidate, JobRow } from "./job-rows.ts"
import { documentedOrder } from "./program/order.ts"
import { isRowOutcomeCode, rowOutcomeWords } from "./row-outcomes.ts"
import { can, type Role } from "./roles.ts"

export type RedactedKind = "member" | "order"

/** `all`, or the list of fields that a role sees and nothing beside it: a field added later stays hidden until decided. */
type VisibleFields = Readonly<Record<Role, "all" | readonly string[]>>

const staffSeesAll = { admin: "all", manager: "all" } as const

/** Fields of a record by role. A field that the service adds to an order may be the address or the e-mail. */
export const visibleFields: Readonly<Record<RedactedKind, VisibleFields>> = {
  member: {
    ...staffSeesAll,
    fulfilment: ["id", "first_name", "last_name"],
    viewer: [
      "id",
      "email",
      "first_name",
      "last_name",
      "company",
      "points_balance",
      "tier",
      "status",
      "created_at",
      "updated_at",
    ],
  },
  order: { ...staffSeesAll, fulfilment: documentedOrder, viewer: documentedOrder },
}

/** The record as `role` may see it. The original is not changed. */
export function redact<T extends object>(kind: RedactedKind, role: Role, record: T): T {
  const shown = visibleFields[kind][role]
  if (shown === "all") return record
  const kept = Object.entries(record).filter(([field]) => shown.includes(field))
  return Object.fromEntries(kept) as T
}

export function sees(kind: RedactedKind, role: Role, field: string): boolean {
  return visibleFields[kind][role] === "all" || visibleFields[kind][role].includes(field)
}

/** Fields of a row's input by role. Fulfilment sees no points: an older job of theirs keeps only its members' ids. */
const visibleInput: Readonly<Record<JobKind, VisibleFields>> = {
  award: {
    ...staffSeesAll,
    fulfilment: ["member_id"],
    viewer: ["member_id", "points", "reason", "reference"],
  },
  deduct: { ...staffSeesAll, fulfilment: ["member_id"], viewer: ["member_id", "points", "reason"] },
  "member-create": { ...staffSeesAll, fulfilment: [], viewer: ["company"] },
  redeem: {
    ...staffSeesAll,
    fulfilment: ["member_id", "reward_id", "quantity"],
    viewer: ["member_id", "reward_id", "quantity"],
  },
  // Whoever ships sees all of it, and so may search it.
  "order-update": {
    ...staffSeesAll,
    fulfilment: "all",
    viewer: ["order_id", "status", "tracking_number", "carrier", "expected"],
  },
  giftcard: {
    ...staffSeesAll,
    fulfilment: [],
    viewer: ["denomination", "expiryDays", "cardId", "externalRef"],
  },
}

/** Whether `role` sees a kind's rows whole. Only then may they be searched: a search that finds tells as much. */
export function seesRowsWhole(kind: JobKind, role: Role): boolean {
  return visibleInput[kind][role] === "all"
}

/** Said in place of a service's own words, which may name the e-mail they refused. */
const refusedWords =
  "The service refused this row. Its message may name a person, so it’s hidden from your role."

/** The row as `role` may see it. The original is not changed. */
export function redactRow(kind: JobKind, role: Role, row: JobRow): JobRow {
  const shown = visibleInput[kind][role]
  if (shown === "all") return row
  const { member, outcome } = row
  const code = outcome?.code ?? ""
  // Fulfilment knows members by name, never by e-mail; to viewers a job's people stay unnamed.
  const isNamed = role === "fulfilment" && member?.label?.includes("@") === false
  return {
    ...row,
    input: Object.fromEntries(Object.entries(row.input).filter(([field]) => shown.includes(field))),
    outcome: outcome && { code, message: isRowOutcomeCode(code) ? rowOutcomeWords[code] : refusedWords },
    member: member && { id: member.id, label: isNamed ? member.label : null },
    balance_after: can(role, "ledger.read") ? row.balance_after : null,
  }
}

/** What could be a row's effect, as `role` may see it: texts and references may name people. */
export function redactCandidate(kind: JobKind, role: Role, candidate: Candidate): Candidate {
  if (seesRowsWhole(kind, role)) return candidate
  const points = can(role, "ledger.read") ? candidate.points : null
  return { ...candidate, points, text: null, reference: null }
}
