import type { Carrier } from "../../../../../contract/carriers.ts"
import type { HeldOrder } from "../held-order.ts"
import type { KnownOrder } from "../known-order.ts"

/** What the desk waits for. */
export type Step =
  | { readonly at: "order" }
  /** The order can be shipped if a person says so. */
  | {
      readonly at: "order-question"
      readonly order: KnownOrder
      readonly why: OrderQuestion
      /** Id of the order that was open before: it is back in the queue. */
      readonly from: string | null
      /** The page was away while it was asked: a scan may have gone unread. */
      readonly doubted: boolean
    }
  | {
      readonly at: "parcel"
      readonly order: KnownOrder
      /** A scan was refused since the order was scanned: nobody knows what it was, so a person is asked about the next number. */
      readonly doubted: boolean
    }
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

/** Why a person is asked about an order. */
export type OrderQuestion = "shipped" | "numbered" | "unusual"

/** A parcel's number and what could be found out about it. */
export interface FoundNumber {
  readonly number: string
  /** Name as it is written into the order; null: not known, or none. */
  readonly carrier: string | null
  /** Codes of those it can be of, where several can; empty: nobody numbers like this, or nobody could look. */
  readonly candidates: readonly string[]
  /** What could not be looked up. */
  readonly unchecked: readonly ("number" | "carrier")[]
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
  | {
      readonly type: "refused"
      readonly refusal: Refusal
      readonly dropped: number
      /** Id of the order that was open: it is back in the queue. */
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

/** Where the desk stands. */
export interface FlowState {
  readonly step: Step
  /** What is being looked up. */
  readonly busy: "order" | "number" | null
  readonly result: Result | null
  /** Counts results, so that the same words twice are said twice. */
  readonly turn: number
}

/**
 * Where it begins.
 * @param held the order that was open when the page was left
 */
export function firstState(held: HeldOrder | null): FlowState {
  if (held === null) return { step: { at: "order" }, busy: null, result: null, turn: 0 }
  const result: Result = { type: "still-open", order_id: held.order.id, reloaded: true }
  return { step: firstStep(held), busy: null, result, turn: 1 }
}

function firstStep({ order, doubted, asks }: HeldOrder): Step {
  if (asks === undefined) return { at: "parcel", order, doubted }
  return "number" in asks
    ? { at: "parcel-question", order, number: asks.number }
    : { at: "order-question", order, doubted, ...asks }
}

/**
 * What of a step outlives the page: the open order with the question that is open. What was looked up about a number does
 * not: whatever was asked about it, the page asks first whether it is this order's, and looks it up again.
 */
export function heldIn(step: Step, left_at: number | null): HeldOrder | null {
  switch (step.at) {
    case "order":
      return null
    case "parcel":
      return { order: step.order, doubted: step.doubted, left_at }
    case "order-question": {
      const { order, doubted, why, from } = step
      return { order, doubted, left_at, asks: { why, from } }
    }
    default: {
      const number = step.at === "parcel-question" ? step.number : step.found.number
      return { order: step.order, doubted: true, left_at, asks: { number } }
    }
  }
}

/** The order in hand. */
export function orderInHand(step: Step): KnownOrder | undefined {
  return step.at === "order" ? undefined : step.order
}
