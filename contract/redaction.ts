import type { Role } from "./roles.ts"

/** Records whose fields depend on who looks. */
export type RedactedKind = "member" | "order"

/** What the document lists of an order (docs/api/program.md, Order). */
const documentedOrder = [
  "order_id",
  "member_id",
  "reward_id",
  "reward_name",
  "points_spent",
  "status",
  "fulfillment",
  "new_balance",
  "tracking_number",
  "carrier",
  "created_at",
  "shipped_at",
]

/**
 * Fields of a record that a role sees: `all`, or a list and nothing beside it. It is a list of what is shown, not
 * of what is hidden, so a field the service adds tomorrow stays hidden until somebody decides. An order's documented
 * fields carry no person's data; one that the service adds may be the address or the e-mail.
 */
export const visibleFields: Readonly<
  Record<RedactedKind, Readonly<Record<Role, "all" | readonly string[]>>>
> = {
  member: {
    admin: "all",
    manager: "all",
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
  order: { admin: "all", manager: "all", fulfilment: documentedOrder, viewer: documentedOrder },
}

/** The record as `role` may see it. The original is not changed. */
export function redact<T extends object>(kind: RedactedKind, role: Role, record: T): T {
  const shown = visibleFields[kind][role]
  if (shown === "all") return record
  const kept = Object.entries(record).filter(([field]) => shown.includes(field))
  return Object.fromEntries(kept) as T
}

/** Whether `role` sees `field`. */
export function sees(kind: RedactedKind, role: Role, field: string): boolean {
  const shown = visibleFields[kind][role]
  return shown === "all" || shown.includes(field)
}
