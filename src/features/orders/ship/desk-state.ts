import type { Carrier, Recognised } from "../../../../contract/orders.ts"
import type { OutboxData, Parcel } from "./outbox.ts"
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
  | { at: "order-question"; order: KnownOrder; why: "shipped" | "numbered" | "unusual" }
  // `other`: the order that already has the number; `isUnusual`: a doubt about the number (contract/tracking-number.ts),
  // which is confirmed first.
  | {
      at: "number-question"
      order: KnownOrder
      found: FoundNumber
      isUnusual: boolean
      other: string | undefined
    }
  | { at: "carrier"; order: KnownOrder; found: FoundNumber; choices: readonly Carrier[] }
>

export interface FoundNumber {
  readonly number: string
  /** Carrier name to write into the order; null: unknown or none. */
  readonly carrier: string | null
  /** Codes of the possible carriers when several match; empty: no match or no lookup. */
  readonly candidates: readonly string[]
  readonly unchecked: readonly Parcel["unchecked"][number][]
}

/** Why a scan was refused; nothing is changed then. */
type RefusalCode =
  | ("rounded" | "unfit" | "mixed" | "broken")
  | ("cancelled" | "cancelled-since" | "digital" | "no-order" | "several" | "not-loaded" | "no-answer")
  | ("in-outbox" | "undoing" | "nothing-to-undo" | "too-late" | "asks")
  | ("queue-empty" | "queue-loading" | "not-saved" | "not-undone")

/** `what`: the scan or the order's id; `detail`: a number or the reason. */
export interface Refusal {
  readonly code: RefusalCode
  readonly what?: string
  readonly detail?: string
}

export interface Result {
  /**
   * `saved`: the parcel is in the outbox; `switched`: another order was scanned while one was open; `still-open`: the
   * open one was scanned again; `undo-sent`: the parcel had been sent, so its undo is sent too.
   */
  readonly code: RefusalCode | "saved" | "switched" | "still-open" | "put-aside" | "undone" | "undo-sent"
  readonly what: string
  readonly detail: string
  readonly isRefusal: boolean
  /** The order that was open and is back in the queue. */
  readonly closed: string | null
  /** Number of later scans that were discarded. */
  readonly dropped: number
}

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
  /** The open order's current values; null: it does not exist any more. */
  | { type: "changed"; id: string; order: KnownOrder | null }
>

/** An effect whose response the desk awaits. */
export type Request = Readonly<
  | { type: "find-order"; text: string }
  | { type: "check-number"; number: string; order: KnownOrder; isUnusual: boolean }
  | { type: "save"; order: KnownOrder; found: FoundNumber; carrier: string | null }
  /** `broken`: the step to return to, when the parcel is undone because its scan was interrupted. */
  | { type: "undo"; key: string; order_id: string; broken: Step | null }
>

/** A scanned order, or why there is none. */
export type OrderLookup = { readonly order: KnownOrder } | { readonly refusal: Refusal }

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
    >

/** State of the ship desk. Only the outbox outlives the page. */
export interface DeskState {
  readonly step: Step
  /** Inputs wait while a response is awaited. */
  readonly pending: Request | null
  readonly waiting: readonly Input[]
  readonly result: Result | null
  /** Counts results, so that an equal one is announced again. */
  readonly turn: number
  /** The order that the last scan closed, until another one is open. */
  readonly closed: string | null
  /** What the last text led to, reverted if it turns out to be half a scan. */
  readonly last: { readonly step: Step; readonly key?: string } | null
}

/** What the desk knows at an event. */
export interface DeskData {
  readonly outbox: OutboxData
  /** The queue, oldest first, as far as it is read. */
  readonly loaded: readonly KnownOrder[]
  readonly isQueueLoading: boolean
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
