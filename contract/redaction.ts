import { documentedFulfilment, documentedOrder } from "./program/order.ts"
import { memberFieldsSeenBy } from "./program/member-fields.ts"
import { rawValue } from "./reading.ts"
import type { Role } from "./roles.ts"

export type RedactedKind = "member" | "order"

/**
 * `all`, or the list of the only fields that a role sees: a field added later stays hidden until decided.
 * Of a nested record only the fields named by path, such as `fulfillment.carrier`, are seen.
 */
export type VisibleFields = Readonly<Record<Role, "all" | readonly string[]>>

const staffSeesAll = { admin: "all", manager: "all" } as const

const shippedOrder: readonly string[] = documentedOrder.flatMap((field) =>
  field === "fulfillment" ? documentedFulfilment.map((inner) => `fulfillment.${inner}`) : [field],
)

/** Fields of a record by role. A field that the service adds to an order may be the address or the e-mail. */
export const visibleFields: Readonly<Record<RedactedKind, VisibleFields>> = {
  member: {
    ...staffSeesAll,
    fulfilment: memberFieldsSeenBy("fulfilment"),
    viewer: memberFieldsSeenBy("viewer"),
  },
  order: { ...staffSeesAll, fulfilment: shippedOrder, viewer: shippedOrder },
}

/** Nested records of a documented form. Other values in one may be a secret, such as a second code. */
const nestedFields: Readonly<Record<RedactedKind, Readonly<Record<string, readonly string[]>>>> = {
  member: {},
  order: { fulfillment: documentedFulfilment },
}

/** Sent in place of an undocumented value inside a nested record to everyone but administrators. */
export const hiddenValue = "••••••"

/** The record as `role` may see it. The original is not changed. */
export function redact<T extends object>(kind: RedactedKind, role: Role, record: T): T {
  if (role === "admin") return record
  const shown = visibleFields[kind][role]
  if (shown === "all") return maskNested(kind, record)
  const shownFields = Object.entries(record).flatMap(([field, value]) => {
    // Text converted from a record may contain anything.
    if (shown.includes(field))
      return isNested(value) || isNested(rawValue(record, field)) ? [] : [[field, value]]
    const inner = isNested(value) ? pickNested(value, field, shown) : []
    return inner.length > 0 ? [[field, Object.fromEntries(inner)]] : []
  })
  return Object.fromEntries(shownFields) as T
}

function pickNested(value: object, field: string, shown: readonly string[]) {
  return Object.entries(value).filter(
    ([inner, content]) => shown.includes(`${field}.${inner}`) && !isNested(content),
  )
}

function maskNested<T extends object>(kind: RedactedKind, record: T): T {
  const masked = Object.entries(nestedFields[kind]).flatMap(([field, documented]) => {
    const value: unknown = Reflect.get(record, field)
    if (!isNested(value) || Object.keys(value).every((inner) => documented.includes(inner))) return []
    const inner = Object.entries(value).map(([name, content]): [string, unknown] => [
      name,
      documented.includes(name) || content === null || content === "" ? content : hiddenValue,
    ])
    return [[field, Object.fromEntries(inner)] as const]
  })
  return masked.length === 0 ? record : { ...record, ...Object.fromEntries(masked) }
}

function isNested(value: unknown): value is object {
  return typeof value === "object" && value !== null
}

export function sees(kind: RedactedKind, role: Role, field: string): boolean {
  return visibleFields[kind][role] === "all" || visibleFields[kind][role].includes(field)
}
