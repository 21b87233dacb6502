import * as z from "zod/mini"
import type { Carrier, Recognised } from "../../../../contract/orders.ts"
import { readStored } from "../../../lib/browser-storage.ts"
import { orderSubject, type Outbox, type Parcel } from "./outbox.ts"

/**
 * An order as the ship desk knows it, read from the service or cached. Saved over a reload, so it has no personal
 * data.
 */
const knownOrder = z.object({
  id: z.string(),
  /** As the service sent it; empty when it sent none. */
  status: z.string(),
  /** `digital`, `physical` or any other value; missing when unknown. */
  type: z.optional(z.string()),
  tracking_number: z.nullable(z.string()),
  carrier: z.nullable(z.string()),
  subject: z.optional(orderSubject),
})
export type KnownOrder = Readonly<z.output<typeof knownOrder>>

const savedStep = z.discriminatedUnion("at", [
  z.object({ at: z.literal("parcel"), order: knownOrder, uncertain: z.boolean() }),
  z.object({ at: z.literal("parcel-question"), order: knownOrder, number: z.string() }),
  // The order can be shipped after confirmation; `from` was open before and is back in the queue.
  z.object({
    at: z.literal("order-question"),
    order: knownOrder,
    why: z.enum(["shipped", "numbered", "unusual"]),
    from: z.nullable(z.string()),
    uncertain: z.boolean(),
  }),
])

const savedOrder = z.object({
  step: savedStep,
  /** When the page was left, in ms since the epoch; null while it is open or after a crash. */
  left_at: z.nullable(z.number()),
})
/** The open order of one tab and its open question, as saved in `sessionStorage`. */
export type SavedOrder = z.output<typeof savedOrder>

/**
 * What the desk waits for. `uncertain`: a scan was refused or lost since the order's scan, so the next number must be
 * confirmed.
 */
export type Step = Readonly<
  | { at: "order" }
  | z.output<typeof savedStep>
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
  /** The open order was scanned again, or was still open after a reload. */
  | { type: "still-open"; order_id: string; reloaded: boolean }
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
  /** The open order, saved over a reload. */
  readonly savedOrder: {
    readonly read: () => SavedOrder | null
    readonly write: (open: SavedOrder | null) => void
  }
  readonly newKey: () => string
  readonly now: () => number
}

const keyOf = (userId: string) => `laurel:ship-order:${userId}`

/** The order that this user had open in this tab; null without one or without storage. */
export function readSavedOrder(userId: string): SavedOrder | null {
  return readStored(keyOf(userId), savedOrder, "sessionStorage") ?? null
}

/** Saves the open order over a reload, if storage is available. Per tab: two tabs may have different orders open. */
export function writeSavedOrder(userId: string, open: SavedOrder | null): void {
  try {
    if (open === null) sessionStorage.removeItem(keyOf(userId))
    else sessionStorage.setItem(keyOf(userId), JSON.stringify(open))
  } catch {
    // Without storage a reload starts with no open order: the order is scanned again.
  }
}

/**
 * What of a step survives a reload; `unread`: a scan may have been lost meanwhile. Lookups of a number are not saved:
 * the page first asks whether it belongs to this order and then repeats them.
 */
export function toSavedOrder(step: Step, left_at: number | null, unread = false): SavedOrder | null {
  switch (step.at) {
    case "order":
      return null
    case "parcel":
    case "order-question":
      return { step: { ...step, uncertain: step.uncertain || unread }, left_at }
    default: {
      const number = step.at === "parcel-question" ? step.number : step.found.number
      return { step: { at: "parcel-question", order: step.order, number }, left_at }
    }
  }
}

export function currentOrder(step: Step): KnownOrder | undefined {
  return step.at === "order" ? undefined : step.order
}
