import * as z from "zod/mini"
import type { Carrier, Recognised } from "../../../../contract/orders.ts"
import { readStored } from "../../../lib/external-value.ts"
import { orderSubject, type Outbox, type Parcel } from "./outbox.ts"

/** An order as the ship desk knows it, read from the service or cached. A reload keeps it, so nothing about people. */
const knownOrder = z.object({
  id: z.string(),
  /** As the service sent it; empty when it sent none. */
  status: z.string(),
  /** `digital`, `physical`, or whatever it is; missing while nobody says. */
  type: z.optional(z.string()),
  tracking_number: z.nullable(z.string()),
  carrier: z.nullable(z.string()),
  subject: z.optional(orderSubject),
})
export type KnownOrder = Readonly<z.output<typeof knownOrder>>

const savedStep = z.discriminatedUnion("at", [
  z.object({ at: z.literal("parcel"), order: knownOrder, uncertain: z.boolean() }),
  z.object({ at: z.literal("parcel-question"), order: knownOrder, number: z.string() }),
  // The order can be shipped if a person says so; `from` was open before and is back in the queue.
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
  /** When the page was left, in ms since the epoch; null while it is open, and for good when it ended all at once. */
  left_at: z.nullable(z.number()),
})
/** The open order of one tab with the question that is open, as `sessionStorage` holds it. */
export type SavedOrder = z.output<typeof savedOrder>

/** What the desk waits for. `uncertain`: a scan was refused or went unread since the order's, so the next number is asked about. */
export type Step = Readonly<
  | { at: "order" }
  | z.output<typeof savedStep>
  // `other`: the order that has the number already; `misread`: its check digit is wrong, which is asked about first.
  | {
      at: "number-question"
      order: KnownOrder
      found: FoundNumber
      misread: boolean
      other: string | undefined
    }
  /** `next`: the order that was scanned meanwhile. It opens once this parcel is kept. */
  | { at: "carrier"; order: KnownOrder; found: FoundNumber; choices: readonly Carrier[]; next: string | null }
>

export interface FoundNumber {
  readonly number: string
  /** Name as it is written into the order; null: not known, or none. */
  readonly carrier: string | null
  /** Codes of those it can be of, where several can; empty: nobody numbers like this, or nobody could look. */
  readonly candidates: readonly string[]
  readonly unchecked: readonly Parcel["unchecked"][number][]
}

/** Why something was refused; nothing is changed then. `what`: the scan or the order's id; `detail`: a number, or why. */
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
    | ("nothing-to-undo" | "too-late" | "asks" | "queue-empty" | "not-kept" | "not-opened")
  readonly what?: string
  readonly detail?: string
}

export type Result = Readonly<
  /** Something, and `dropped` scans after it; the order `putBack` was open and is back in the queue. */
  | { type: "refused"; refusal: Refusal; dropped: number; requeued: string | null }
  /** Another order was scanned while one was open: that one is back in the queue. */
  | { type: "switched"; order_id: string; from: string }
  /** The open order was scanned again, or was still open when the page was loaded again. */
  | { type: "still-open"; order_id: string; reloaded: boolean }
  | { type: "kept"; key: string; order: KnownOrder; number: string; carrier: string | null }
  /** `sent`: it had been sent already, so its undo is sent too. */
  | { type: "undone"; order_id: string; sent: boolean }
  | { type: "put-aside"; order_id: string }
  /** A label was scanned that is on an order already, while none was open. */
  | { type: "label-again"; order_id: string; number: string }
>

/**
 * Where the desk stands, and what is being looked up. `turn` counts results: the same words twice are said twice.
 * `unread`: orders that the service has not been heard about since their scan.
 */
export interface FlowState {
  readonly step: Step
  readonly busy: "order" | "number" | null
  readonly result: Result | null
  readonly turn: number
  readonly unread: readonly string[]
}

/** What the ship desk's flow needs of the page. Lookups throw what `request` throws; how long they may take is up to the flow. */
export interface FlowPorts {
  readonly outbox: Pick<Outbox, "data" | "change">
  /** Resolves once the queue was read to its end, so that the first one is the oldest. */
  readonly queueRead?: () => Promise<void>
  readonly loaded: () => readonly KnownOrder[]
  readonly carriers: () => readonly Carrier[]
  /** Whether somebody else has it open: it is not offered as the next one. */
  readonly isPackedElsewhere: (id: string) => boolean
  readonly isOffline: () => boolean
  readonly find: (id: string) => Promise<KnownOrder | undefined>
  readonly recognise: (number: string) => Promise<Recognised | undefined>
  readonly used: (number: string, except: string) => Promise<string | undefined>
  /** Has it remembered whose numbers like this are; not waited for. */
  readonly remember: (number: string, carrier: Carrier) => void
  readonly chime: (kind: "kept" | "refused" | "switched") => void
  /** The order that was open when the page was left, and where the open one is kept over a reload. */
  readonly savedOrder: {
    readonly read: () => SavedOrder | null
    readonly write: (open: SavedOrder | null) => void
  }
  readonly newKey: () => string
  readonly now: () => number
}

const keyOf = (userId: string) => `laurel:ship-order:${userId}`

/** The order that this person had open in this tab; null without one, and where the browser keeps nothing. */
export function readSavedOrder(userId: string): SavedOrder | null {
  return readStored(keyOf(userId), savedOrder, "sessionStorage") ?? null
}

/** Keeps it over a reload, when the browser lets us. It is each tab's own: two tabs may have two orders open. */
export function writeSavedOrder(userId: string, open: SavedOrder | null): void {
  try {
    if (open === null) sessionStorage.removeItem(keyOf(userId))
    else sessionStorage.setItem(keyOf(userId), JSON.stringify(open))
  } catch {
    // Without storage a reload begins with no order open: the order is scanned again.
  }
}

/**
 * What of a step outlives the page; `unread`: a scan may have been lost meanwhile. What was looked up about a number does
 * not: whatever was asked about it, the page asks first whether it is this order's, and looks it up again.
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
