import { documentedOrder } from "./program/order.ts"
import type { Role } from "./roles.ts"

export type RedactedKind = "member" | "order"

/** `all`, or the list of fields that a role sees and nothing beside it: a field added later stays hidden until decided. */
export type VisibleFields = Readonly<Record<Role, "all" | readonly string[]>>

export const staffSeesAll = { admin: "all", manager: "all" } as const

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
