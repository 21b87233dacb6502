import * as z from "zod/mini"
import type { KnownOrder } from "./known-order.ts"

/** The open order of one tab, as `sessionStorage` holds it: nothing about people, and no secret. */
const heldOrder = z.object({
  order: z.object({
    id: z.string(),
    status: z.string(),
    type: z.optional(z.string()),
    tracking_number: z.nullable(z.string()),
    carrier: z.nullable(z.string()),
  }),
  /** A scan was refused since it was scanned. */
  doubted: z.boolean(),
  /** The question that was open: about a number that was scanned for it, or about the order itself. */
  asks: z.optional(
    z.union([
      z.object({ number: z.string() }),
      z.object({ why: z.enum(["shipped", "numbered", "unusual"]), from: z.nullable(z.string()) }),
    ]),
  ),
  /** When the page was left, in ms since the epoch; null while it is open, and for good when it ended all at once. */
  left_at: z.nullable(z.number()),
})
/** The open order of one tab. */
export type HeldOrder = Omit<z.output<typeof heldOrder>, "order"> & { readonly order: KnownOrder }

const keyOf = (userId: string) => `laurel:ship-order:${userId}`

/** The order that this person had open in this tab; null without one, and where the browser keeps nothing. */
export function readHeldOrder(userId: string): HeldOrder | null {
  try {
    const text = sessionStorage.getItem(keyOf(userId))
    const held = text === null ? undefined : heldOrder.safeParse(JSON.parse(text)).data
    return held === undefined ? null : { ...held, order: { ...held.order, type: held.order.type } }
  } catch {
    return null
  }
}

/** Keeps it over a reload, when the browser lets us. It is each tab's own: two tabs may have two orders open. */
export function keepHeldOrder(userId: string, held: HeldOrder | null): void {
  try {
    if (held === null) sessionStorage.removeItem(keyOf(userId))
    else sessionStorage.setItem(keyOf(userId), JSON.stringify(held))
  } catch {
    // Without storage a reload begins with no order open: the order is scanned again.
  }
}
