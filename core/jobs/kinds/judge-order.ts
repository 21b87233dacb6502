import { isAtTarget, orderFields, type OrderFields } from "./order-fields.ts"

/** What is to be done with an order as it is now. */
export type OrderVerdict =
  | { readonly kind: "done" }
  | { readonly kind: "conflict" }
  /** Only these fields go out. */
  | { readonly kind: "go"; readonly send: OrderFields }

/**
 * Compares an order as it is now with what was seen before (docs/decisions/0010-orders.md, Comparing). A field that stands as
 * it was seen, or where it is to be, is in order; any other that was seen has been changed by somebody else.
 * @param seen nothing of what is missing is compared
 */
export function judgeOrder(sides: {
  readonly seen: OrderFields
  readonly now: OrderFields
  readonly wanted: OrderFields
}): OrderVerdict {
  const { seen, now, wanted } = sides
  if (isAtTarget(wanted, now)) return { kind: "done" }
  const changed = orderFields.some(
    (field) =>
      seen[field] !== undefined &&
      now[field] !== undefined &&
      now[field] !== seen[field] &&
      now[field] !== wanted[field],
  )
  if (changed) return { kind: "conflict" }
  const send = orderFields.flatMap((field) =>
    wanted[field] === undefined || wanted[field] === now[field] ? [] : [[field, wanted[field]]],
  )
  return { kind: "go", send: Object.fromEntries(send) }
}

/** What an order shows of a change whose call ended without an answer that says so. */
export type OrderTrace =
  | "done"
  /** Each field is as it was before or where it is to be, and not all of them are there. */
  | "not_done"
  | "changed"
  /** A field that was sent was not told. */
  | "untold"

/** Looks for a change in an order. `base` was read before sending, `send` was sent. */
export function traceInOrder(sides: {
  readonly base: OrderFields
  readonly send: OrderFields
  readonly now: OrderFields
  readonly wanted: OrderFields
}): OrderTrace {
  const { base, send, now, wanted } = sides
  if (isAtTarget(wanted, now)) return "done"
  const sent = orderFields.filter((field) => send[field] !== undefined)
  if (sent.some((field) => now[field] === undefined)) return "untold"
  return sent.every((field) => now[field] === base[field] || now[field] === send[field])
    ? "not_done"
    : "changed"
}
