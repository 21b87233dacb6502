import type { Carrier } from "../../../contract/desk/carriers.ts"
import type { KnownOrder } from "../known-order.ts"

/** What the desk waits for. */
export type Step =
  | { readonly at: "order" }
  /** The order can be shipped if a person says so. */
  | { readonly at: "order-question"; readonly order: KnownOrder; readonly why: OrderQuestion }
  | { readonly at: "parcel"; readonly order: KnownOrder }
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
  | { readonly why: "rounded" | "unfit" | "order-id"; readonly message: string }
  | { readonly why: "cancelled" | "digital"; readonly order: KnownOrder }
  | { readonly why: "no-order" | "not-loaded"; readonly text: string }
  | { readonly why: "in-outbox"; readonly text: string; readonly number: string }
  | { readonly why: "no-answer"; readonly text: string; readonly error: unknown }
  | { readonly why: "mixed" | "broken" | "nothing-to-undo" | "too-late" | "queue-empty" }
  | { readonly why: "not-kept"; readonly error: unknown }

/** What came of the last thing a person did. */
export type Result =
  | { readonly type: "refused"; readonly refusal: Refusal; readonly dropped: number }
  /** A parcel stands in the outbox; how it goes on is seen there. */
  | {
      readonly type: "kept"
      readonly key: string
      readonly order: KnownOrder
      readonly number: string
      readonly carrier: string | null
    }
  | { readonly type: "undone"; readonly order_id: string }
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

/** Where it begins. */
export const firstState: FlowState = { step: { at: "order" }, busy: null, result: null, turn: 0 }

/** The order in hand. */
export function orderInHand(step: Step): KnownOrder | undefined {
  return step.at === "order" ? undefined : step.order
}
