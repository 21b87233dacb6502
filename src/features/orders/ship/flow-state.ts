import type { Carrier, Recognised } from "../../../../contract/orders.ts"
import type { Outbox, Parcel } from "./outbox.ts"

/** An order as the ship desk knows it, read from the service or cached. */
export interface KnownOrder {
  readonly id: string
  /** As the service sent it; empty when it sent none. */
  readonly status: string
  /** `digital`, `physical` or any other value; missing when unknown. */
  readonly type?: string | undefined
  readonly tracking_number: string | null
  readonly carrier: string | null
  readonly subject?: Parcel["subject"]
}

/**
 * What the desk waits for. `uncertain`: a scan was refused or lost since the order's scan, so the next number must be
 * confirmed.
 */
export type Step = Readonly<
  | { at: "order" }
  | { at: "parcel"; order: KnownOrder; uncertain: boolean }
  | { at: "parcel-question"; order: KnownOrder; number: string }
  // The order can be shipped after confirmation; `from` was open before and is back in the queue.
  | {
      at: "order-question"
      order: KnownOrder
      why: "shipped" | "numbered" | "unusual"
      from: string | null
      uncertain: boolean
    }
  // `other`: the order that already has the number; `misread`: the check digit is wrong, which must be confirmed
  // first.
  | {
      at: "number-question"
      order: KnownOrder
      found: FoundNumber
      misread: boolean
      other: string | undefined
    }
  /** `next`: an order that was scanned meanwhile. It opens once this parcel is saved. */
  | { at: "carrier"; order: KnownOrder; found: FoundNumber; choices: readonly Carrier[]; next: string | null }
>

export interface FoundNumber {
  readonly number: string
  /** Carrier name to write into the order; null: unknown or none. */
  readonly carrier: string | null
  /** Codes of the possible carriers when several match; empty: no match or no lookup. */
  readonly candidates: readonly string[]
  readonly unchecked: readonly Parcel["unchecked"][number][]
}

/**
 * Why a scan was refused; nothing is changed then. `what`: the scan or the order's id; `detail`: a number or the
 * reason.
 */
export interface Refusal {
  readonly why:
    | ("rounded" | "unfit" | "mixed" | "broken")
    | (
        | "cancelled"
        | "cancelled-since"
        | "digital"
        | "no-order"
        | "several"
        | "not-loaded"
        | "no-answer"
        | "in-outbox"
        | "undoing"
      )
    | ("nothing-to-undo" | "too-late" | "asks" | "queue-empty" | "not-saved" | "not-opened")
  readonly what?: string
  readonly detail?: string
}

export type Result = Readonly<
  /**
   * `dropped`: number of later scans that were discarded; `requeued`: the order that was open and is back in the
   * queue.
   */
  | { type: "refused"; refusal: Refusal; dropped: number; requeued: string | null }
  /** Another order was scanned while one was open; `from` is back in the queue. */
  | { type: "switched"; order_id: string; from: string }
  /** The open order was scanned again. */
  | { type: "still-open"; order_id: string }
  | { type: "saved"; key: string; order: KnownOrder; number: string; carrier: string | null }
  /** `sent`: the parcel had already been sent, so its undo is sent too. */
  | { type: "undone"; order_id: string; sent: boolean }
  | { type: "put-aside"; order_id: string }
  /** The scanned label belongs to an order already, while none was open. */
  | { type: "label-again"; order_id: string; number: string }
>

/**
 * The current step and the pending lookup. `turn` counts results, so that equal texts are announced twice. `unread`:
 * orders that were not refetched since their scan.
 */
export interface FlowState {
  readonly step: Step
  readonly busy: "order" | "number" | null
  readonly result: Result | null
  readonly turn: number
  readonly unread: readonly string[]
}

/** What the flow needs from the page. Lookups throw what `request` throws; the flow sets their timeouts. */
export interface FlowPorts {
  readonly outbox: Pick<Outbox, "data" | "change">
  /** Resolves once the queue is fully read, so that its first order is the oldest. */
  readonly queueRead?: () => Promise<void>
  readonly loaded: () => readonly KnownOrder[]
  readonly carriers: () => readonly Carrier[]
  /** Whether another user has it open: it is not offered as the next one. */
  readonly isPackedElsewhere: (id: string) => boolean
  readonly isOffline: () => boolean
  readonly find: (id: string) => Promise<KnownOrder | undefined>
  readonly recognise: (number: string) => Promise<Recognised | undefined>
  readonly used: (number: string, except: string) => Promise<string | undefined>
  /** Saves the carrier of numbers like this one; not awaited. */
  readonly remember: (number: string, carrier: Carrier) => void
  readonly chime: (kind: "saved" | "refused" | "switched") => void
  readonly newKey: () => string
  readonly now: () => number
}

export function currentOrder(step: Step): KnownOrder | undefined {
  return step.at === "order" ? undefined : step.order
}
