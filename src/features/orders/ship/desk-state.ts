import type { Carrier, Recognised } from "../../../../contract/orders.ts"
import type { OutboxChange, OutboxData, Parcel } from "./outbox.ts"
import type { Read } from "./scan.ts"

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
    | ("nothing-to-undo" | "too-late" | "asks" | "queue-empty" | "not-saved" | "not-undone" | "not-opened")
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

/** What a person does, or what changed; handled one at a time, in order. */
export type Input = Readonly<
  | { type: "scan"; read: Read }
  | { type: "pick"; id: string }
  /** Opens the next order of the queue, after the open one. */
  | { type: "next" }
  | { type: "answer"; yes: boolean }
  /** null: no carrier. */
  | { type: "choose"; carrier: Carrier | null }
  | { type: "undo"; key: string }
  /** Another user changed the open order, at `changedAt` if known. */
  | { type: "changed"; order: KnownOrder; changedAt?: number | undefined }
  /** An order of the queue was refetched; `now` undefined: it does not exist any more. */
  | { type: "reread"; known: KnownOrder; now: KnownOrder | undefined }
>

/** An effect whose response the desk awaits. */
export type Request = Readonly<
  | { type: "find-order"; id: string; text: string; from: string | null }
  | { type: "check-number"; number: string; order: KnownOrder; misread: boolean }
  | { type: "read-queue" }
  | { type: "save"; order: KnownOrder; found: FoundNumber; carrier: string | null; next: string | null }
  /** `broken`: the step to return to, when the parcel is undone because its scan was interrupted. */
  | { type: "undo"; key: string; order_id: string; broken: Step | null }
>

/** A scanned order, or why there is none; all undefined: no order has this id. */
export interface OrderLookup {
  readonly order?: KnownOrder
  /** From the queue, which may be minutes old. */
  readonly loaded?: boolean
  /** The order whose parcel's number was scanned. */
  readonly label?: string | undefined
  readonly refusal?: Refusal
}

type RequestOf<T extends Request["type"]> = Extract<Request, { type: T }>

export type Response = Readonly<
  | { type: "order-found"; request: RequestOf<"find-order">; found: OrderLookup }
  /** `used` and `recognised` are undefined if the lookup failed. */
  | {
      type: "number-checked"
      request: RequestOf<"check-number">
      used: { readonly order_id: string | undefined } | undefined
      recognised: Recognised | undefined
    }
  | { type: "queue-read"; request: RequestOf<"read-queue"> }
  /** `other`: the parcel that another tab added for the order; `key` null: the browser could not save it. */
  | { type: "saved"; request: RequestOf<"save">; key: string | null; other: Parcel | undefined }
  | { type: "undone"; request: RequestOf<"undo">; way: "unsent" | "sent" | "no" | "failed" }
>

export type DeskEvent =
  | Input
  | Response
  | { readonly type: "escape" }
  /** The browser shows the page again from its history: scans may have been lost. */
  | { readonly type: "restored" }
  /** The page is left: a scan in progress is lost with it. */
  | { readonly type: "leave" }

export type Effect =
  | Request
  | Readonly<
      | { type: "chime"; kind: "saved" | "refused" | "switched" }
      | { type: "remember"; number: string; carrier: Carrier }
      | { type: "reread"; order: KnownOrder }
      | { type: "change-outbox"; change: OutboxChange }
    >

/** State of the ship desk. Only the outbox outlives the page. */
export interface DeskState {
  readonly step: Step
  /** Inputs wait while a response is awaited. */
  readonly pending: Request | null
  readonly waiting: readonly Input[]
  readonly result: Result | null
  /** Counts results, so that equal texts are announced twice. */
  readonly turn: number
  /** Orders that were not refetched since their scan. */
  readonly unread: readonly string[]
  /** What the last text led to, reverted if it turns out to be half a scan. */
  readonly last: { readonly step: Step; readonly key?: string } | null
}

/** What the desk knows at an event. */
export interface DeskData {
  readonly outbox: OutboxData
  readonly loaded: readonly KnownOrder[]
  readonly carriers: readonly Carrier[]
  /** Whether another user has it open: it is not offered as the next one. */
  readonly isPackedElsewhere: (id: string) => boolean
  readonly isOffline: boolean
  readonly now: number
}

export function currentOrder(step: Step): KnownOrder | undefined {
  return step.at === "order" ? undefined : step.order
}

export function isLookingUp({ pending }: DeskState): boolean {
  return pending !== null && pending.type !== "save" && pending.type !== "undo"
}
