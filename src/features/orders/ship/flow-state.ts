import * as z from "zod/mini"
import type { Carrier, Recognised } from "../../../../contract/orders.ts"
import type { Outbox, Parcel } from "./outbox.ts"

/** An order as the ship desk knows it: read from the service, or cached. It is what a reload keeps, so nothing about people. */
const knownOrder = z.object({
  id: z.string(),
  /** As the service sent it; empty when it sent none. */
  status: z.string(),
  /** `digital`, `physical`, or whatever it is; missing while nobody says. */
  type: z.optional(z.string()),
  tracking_number: z.nullable(z.string()),
  carrier: z.nullable(z.string()),
})
export type KnownOrder = Readonly<z.output<typeof knownOrder>>

const orderQuestion = z.enum(["shipped", "numbered", "unusual"])
/** Why a person is asked about an order. */
export type OrderQuestion = z.output<typeof orderQuestion>

/**
 * What the desk waits for. `uncertain`: a scan was refused, or may have gone unread, since the order was scanned. Nobody
 * knows what it was, so a person is asked about the next number.
 */
export type Step =
  | { readonly at: "order" }
  /** The order can be shipped if a person says so; `from` was open before and is back in the queue. */
  | {
      readonly at: "order-question"
      readonly order: KnownOrder
      readonly why: OrderQuestion
      readonly from: string | null
      readonly uncertain: boolean
    }
  | { readonly at: "parcel"; readonly order: KnownOrder; readonly uncertain: boolean }
  /** Whether the number is for this order at all. */
  | { readonly at: "parcel-question"; readonly order: KnownOrder; readonly number: string }
  /** Another order has the number already. */
  | {
      readonly at: "number-question"
      readonly order: KnownOrder
      readonly found: FoundNumber
      readonly other: string
    }
  | {
      readonly at: "carrier"
      readonly order: KnownOrder
      readonly found: FoundNumber
      readonly choices: readonly Carrier[]
    }

/** A parcel's number and what could be found out about it. */
export interface FoundNumber {
  readonly number: string
  /** Name as it is written into the order; null: not known, or none. */
  readonly carrier: string | null
  /** Codes of those it can be of, where several can; empty: nobody numbers like this, or nobody could look. */
  readonly candidates: readonly string[]
  readonly unchecked: readonly Parcel["unchecked"][number][]
}

/** Why something was refused. Nothing is changed by any of these. */
export type Refusal =
  | { readonly why: "rounded" | "unfit"; readonly message: string }
  | { readonly why: "cancelled" | "digital"; readonly order: KnownOrder }
  | { readonly why: "no-order" | "not-loaded"; readonly text: string }
  /** `undoing`: what waits there takes the number away from the order. */
  | { readonly why: "in-outbox"; readonly text: string; readonly number: string; readonly undoing: boolean }
  | { readonly why: "no-answer"; readonly text: string; readonly error: unknown }
  | { readonly why: "mixed" | "broken" | "nothing-to-undo" | "too-late" | "asks" | "queue-empty" }
  | { readonly why: "not-kept"; readonly error: unknown }

/** What came of the last thing a person did. */
export type Result =
  /** Something, and `dropped` scans after it; the order `putBack` was open and is back in the queue. */
  | {
      readonly type: "refused"
      readonly refusal: Refusal
      readonly dropped: number
      readonly putBack: string | null
    }
  /** Another order was scanned while one was open: that one is back in the queue. */
  | { readonly type: "switched"; readonly order_id: string; readonly from: string }
  /** The open order was scanned again, or was still open when the page was loaded again. */
  | { readonly type: "still-open"; readonly order_id: string; readonly reloaded: boolean }
  /** A parcel stands in the outbox; how it goes on is seen there. */
  | {
      readonly type: "kept"
      readonly key: string
      readonly order: KnownOrder
      readonly number: string
      readonly carrier: string | null
    }
  /** `sent`: it had been sent already, so its undo is sent too. */
  | { readonly type: "undone"; readonly order_id: string; readonly sent: boolean }
  | { readonly type: "put-aside"; readonly order_id: string }

/** Where the desk stands, and what is being looked up. */
export interface FlowState {
  readonly step: Step
  readonly busy: "order" | "number" | null
  readonly result: Result | null
  /** Counts results, so that the same words twice are said twice. */
  readonly turn: number
}

/** What the ship desk's flow needs of the world. */
export interface FlowPorts {
  readonly outbox: Pick<Outbox, "data" | "change">
  /** Orders that were loaded, the oldest first. */
  readonly loaded: () => readonly KnownOrder[]
  /** Those that can be chosen. */
  readonly carriers: () => readonly Carrier[]
  readonly isOffline: () => boolean
  /** Reads an order at the service; undefined: there is none. @throws what `request` throws */
  readonly find: (id: string) => Promise<KnownOrder | undefined>
  /** @throws what `request` throws, or when it takes too long */
  readonly recognise: (number: string) => Promise<Recognised | undefined>
  /** Another order that has the number. @throws as `recognise` */
  readonly used: (number: string, except: string) => Promise<string | undefined>
  /** Has it remembered whose numbers like this are; not waited for. */
  readonly remember: (number: string, carrier: Carrier) => void
  readonly chime: (kind: "kept" | "refused" | "switched") => void
  /** The order that was open when the page was left, and where the open one is kept over a reload. */
  readonly held: { readonly read: () => HeldOrder | null; readonly keep: (held: HeldOrder | null) => void }
  readonly newKey: () => string
  /** ms since the epoch. */
  readonly now: () => number
}

const heldOrder = z.object({
  order: knownOrder,
  uncertain: z.boolean(),
  /** The question that was open: about a number that was scanned for it, or about the order itself. */
  asks: z.optional(
    z.union([
      z.object({ number: z.string() }),
      z.object({ why: orderQuestion, from: z.nullable(z.string()) }),
    ]),
  ),
  /** When the page was left, in ms since the epoch; null while it is open, and for good when it ended all at once. */
  left_at: z.nullable(z.number()),
})
/** The open order of one tab, as `sessionStorage` holds it. */
export type HeldOrder = z.output<typeof heldOrder>

const keyOf = (userId: string) => `laurel:ship-order:${userId}`

/** The order that this person had open in this tab; null without one, and where the browser keeps nothing. */
export function readHeldOrder(userId: string): HeldOrder | null {
  try {
    const text = sessionStorage.getItem(keyOf(userId))
    return text === null ? null : (heldOrder.safeParse(JSON.parse(text)).data ?? null)
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

/** Where it begins. @param held the order that was open when the page was left */
export function firstState(held: HeldOrder | null): FlowState {
  if (held === null) return { step: { at: "order" }, busy: null, result: null, turn: 0 }
  const { order, uncertain, asks } = held
  const step: Step =
    asks === undefined
      ? { at: "parcel", order, uncertain }
      : "number" in asks
        ? { at: "parcel-question", order, number: asks.number }
        : { at: "order-question", order, uncertain, ...asks }
  const result: Result = { type: "still-open", order_id: order.id, reloaded: true }
  return { step, busy: null, result, turn: 1 }
}

/**
 * What of a step outlives the page: the open order with the question that is open. What was looked up about a number does
 * not: whatever was asked about it, the page asks first whether it is this order's, and looks it up again.
 */
export function heldOf(step: Step, left_at: number | null): HeldOrder | null {
  switch (step.at) {
    case "order":
      return null
    case "parcel":
      return { order: step.order, uncertain: step.uncertain, left_at }
    case "order-question": {
      const { order, uncertain, why, from } = step
      return { order, uncertain, left_at, asks: { why, from } }
    }
    default: {
      const number = step.at === "parcel-question" ? step.number : step.found.number
      return { order: step.order, uncertain: true, left_at, asks: { number } }
    }
  }
}

/** The order that is open. */
export function currentOrder(step: Step): KnownOrder | undefined {
  return step.at === "order" ? undefined : step.order
}
