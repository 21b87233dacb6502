import { isRounded, trackingNumber } from "../../../../contract/kinds/order-update.ts"
import { explain } from "../../../lib/errors.ts"
import { namedOrder, orderFinder } from "../../../lib/order-ids.ts"
import { numberShape, plainNumber, identifiesCarrier } from "../../../../contract/orders.ts"
import { isWaiting } from "../../../../contract/program/order.ts"
import { isCancelled, isDigital } from "../order-row.tsx"
import type { FlowPorts, FoundNumber, KnownOrder, Refusal, Step } from "./flow-state.ts"
import { changeUnsent, type OutboxChange, type Parcel, type ParcelQuestion, undoneOrders } from "./outbox.ts"

/** Maximum wait for lookups during a scan, in ms: an order that is not loaded; a parcel's number. */
const patience = { order: 4000, number: 2000 }

class Late extends Error {}

/** @throws Late when there is no response in time */
export async function inTime<T>(answer: Promise<T>, ms: number): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Late()), ms)
  return Promise.race([answer, late.promise]).finally(() => clearTimeout(timer))
}

const refused = (refusal: Refusal) => ({ type: "refused", refusal }) as const

/** Interprets a scan as an order. Uses the loaded orders first. */
export async function readOrder(text: string, ports: FlowPorts) {
  if (isRounded(text)) {
    const detail = "A spreadsheet rounded this, so its last digits are lost. Scan the order itself."
    return refused({ why: "rounded", detail })
  }
  const waiting = ports.outbox.data.getState().parcels.find(({ order_id }) => sameId(order_id, text))
  if (waiting !== undefined) return refused(alreadyInOutbox(waiting))
  const found = await findOrder(text, ports)
  if ("label" in found) return { type: "label", order_id: found.label } as const
  if (!("order" in found)) return refused(found)
  const verdict = guardOrder(found.order)
  return verdict.type === "blocked"
    ? refused({ why: verdict.why, what: found.order.id })
    : { ...verdict, ...found }
}

export function alreadyInOutbox({ order_id: what, tracking_number: detail, undoes }: Parcel): Refusal {
  return { why: undoes === undefined ? "in-outbox" : "undoing", what, detail }
}

interface FoundOrder {
  readonly order: KnownOrder
  /** From the queue, which may be minutes old. */
  readonly loaded: boolean
}

async function findOrder(text: string, ports: FlowPorts): Promise<FoundOrder | { label: string } | Refusal> {
  const shipped = ports.outbox.data.getState().shipped.find(({ order_id }) => sameId(order_id, text))
  const loaded = ports.loaded().find(({ id }) => sameId(id, text))
  // A loaded order that was shipped from here is outdated until the list is refetched.
  if (loaded !== undefined && shipped === undefined) return { order: loaded, loaded: true }
  const label = shipped === undefined ? orderWithNumber(text, ports) : undefined
  if (label !== undefined) return { label }
  if (!ports.isOffline()) {
    try {
      const order = await inTime(ports.find(shipped?.order_id ?? text), patience.order)
      if (order !== undefined) return { order, loaded: false }
      // Perhaps the label of a parcel that was shipped elsewhere.
      const other = await inTime(ports.used(text, ""), patience.number).catch(() => undefined)
      return other === undefined ? { why: "no-order", what: text } : { label: other }
    } catch (error) {
      if (shipped === undefined) return { why: "no-answer", what: text, detail: whyNoAnswer(error) }
    }
  }
  if (shipped === undefined) return { why: "not-loaded", what: text }
  const { order_id: id, tracking_number, carrier } = shipped
  return { order: { id, status: "shipped", type: loaded?.type, tracking_number, carrier }, loaded: false }
}

const whyNoAnswer = (error: unknown) =>
  error instanceof Late ? "The service hasn’t answered yet. It may be busy." : explain(error).body

/** The order that has a number, as far as this page knows. */
function orderWithNumber(text: string, ports: FlowPorts): string | undefined {
  const { parcels, shipped } = ports.outbox.data.getState()
  const known = [
    ...parcels,
    ...shipped,
    ...ports.loaded().map(({ id, tracking_number }) => ({ order_id: id, tracking_number })),
  ]
  return known.find(({ tracking_number: number }) => number !== null && sameNumber(number, text))?.order_id
}

/**
 * Whether an order may get a parcel; `ask`: after confirmation. Every status change that the service allows is
 * allowed.
 */
export function guardOrder({ status, type, tracking_number: number }: KnownOrder) {
  if (isCancelled(status)) return { type: "blocked", why: "cancelled" } as const
  if (isDigital(type)) return { type: "blocked", why: "digital" } as const
  if (/^(shipped|completed)$/i.test(status)) return { type: "ask", why: "shipped" } as const
  if (!isWaiting(status)) return { type: "ask", why: "unusual" } as const
  return number === null ? ({ type: "go" } as const) : ({ type: "ask", why: "numbered" } as const)
}

/**
 * Checks a parcel's number; `other` is another order that has it. Failed lookups are `unchecked` and repeated before
 * sending.
 */
export async function readNumber(number: string, order: KnownOrder, ports: FlowPorts) {
  const verdict = guardNumber(number)
  if (verdict.type === "blocked") return refused(verdict)
  // Both are rejected when the server is unreachable.
  const [used, recognised] = await Promise.allSettled(
    ports.isOffline()
      ? []
      : [
          inTime(ports.used(number, order.id), patience.number),
          inTime(ports.recognise(number), patience.number),
        ],
  )
  const isLooked = used?.status === "fulfilled"
  const whose = recognised?.status === "fulfilled" ? recognised.value : undefined
  const chosen = ports.carriers().find(({ code }) => code === whose?.chosen)
  const carrier = chosen?.name ?? (whose === undefined ? likelyCarrier(number, ports) : null)
  const unchecked: FoundNumber["unchecked"] = [
    ...(isLooked ? [] : ["number" as const]),
    ...(whose !== undefined || carrier !== null ? [] : ["carrier" as const]),
  ]
  return {
    type: "read" as const,
    found: { number, carrier, candidates: whose?.carriers ?? [], unchecked } satisfies FoundNumber,
    other: otherOrder(number, order, ports, isLooked ? { order_id: used.value } : undefined),
  }
}

// Another order that has the number. An order whose parcel is being undone is free. The server's result (`there`)
// wins over what was shipped here, since it includes later corrections.
function otherOrder(
  text: string,
  order: KnownOrder,
  ports: FlowPorts,
  there: { readonly order_id: string | undefined } | undefined,
) {
  const data = ports.outbox.data.getState()
  const free = undoneOrders(data).add(order.id)
  const known = [
    ...data.parcels,
    ...(there === undefined ? data.shipped : []),
    ...ports.loaded().map(({ id, tracking_number }) => ({ order_id: id, tracking_number })),
  ]
  const here = known.filter(({ tracking_number: number }) => number !== null && sameNumber(number, text))
  return [...here, there].map((each) => each?.order_id).find((id) => id !== undefined && !free.has(id))
}

/** The carrier of earlier numbers with the same prefix and length; null when they differ. */
function likelyCarrier(text: string, { outbox }: FlowPorts): string | null {
  if (!identifiesCarrier(text)) return null
  const { parcels, shipped } = outbox.data.getState()
  const alike = [...parcels, ...shipped].filter(
    ({ tracking_number: number }) => identifiesCarrier(number) && numberShape(number) === numberShape(text),
  )
  const [only, ...others] = new Set(alike.flatMap(({ carrier }) => carrier ?? []))
  return only !== undefined && others.length === 0 ? only : null
}

/**
 * The outbox change for an unsent parcel whose order is now different from the scanned one; undefined: the order does
 * not exist.
 */
export function changedOrder(known: KnownOrder, now: KnownOrder | undefined): OutboxChange {
  const seen = now && { status: now.status, tracking_number: now.tracking_number, carrier: now.carrier }
  const about = now === undefined ? "No order has this id any more." : aboutChanged(now)
  if (about === undefined) return changeUnsent(known, { ...(seen && { expected: seen }) })
  const question: ParcelQuestion = { kind: "held", code: "order_changed", message: about, seen }
  return changeUnsent(known, { state: "asks", question })
}

/** What a packer must know of an order that changed while it was packed; undefined: nothing. */
function aboutChanged(now: KnownOrder): string | undefined {
  const verdict = guardOrder(now)
  if (verdict.type === "go") return undefined
  if (verdict.why === "cancelled") return "Cancelled while you packed it. Take the parcel back."
  if (verdict.why === "digital") return "It’s a digital code with no parcel. Take the parcel back."
  if (verdict.why === "unusual") return `Its status is “${now.status}” now.`
  const numbered = now.tracking_number === null ? "" : ` with ${now.tracking_number}`
  return verdict.why === "shipped"
    ? `Shipped by someone else${numbered}. Is this a second box?`
    : `It has a number already: ${now.tracking_number ?? ""}. Is this a second box?`
}

export function guardNumber(text: string) {
  if (isRounded(text)) {
    const detail = "A spreadsheet rounded this number, so its last digits are lost. Scan the parcel itself."
    return { type: "blocked", why: "rounded", detail } as const
  }
  const fit = trackingNumber.safeParse(text)
  if (fit.success && fit.data !== "") return { type: "go" } as const
  const detail = fit.success ? "There is no number in it." : (fit.error.issues[0]?.message ?? "")
  return { type: "blocked", why: "unfit", detail } as const
}

/**
 * Whether a text scanned while an order is open is an order id. `yes`: it is one of `orderIds` (the open one first)
 * or has the same prefix. `perhaps`: it has the same pattern of letters and digits as the open order's id.
 */
export function looksLikeOrder(text: string, orderIds: readonly string[]): "yes" | "perhaps" | "no" {
  const [open = ""] = orderIds
  // Ids of one service share a prefix (`ord_`) that no carrier's number has.
  const prefix = /^[A-Za-z]+[_:.#]/.exec(open)?.[0]
  const beginsAlike = prefix !== undefined && text.toLowerCase().startsWith(prefix.toLowerCase())
  if (beginsAlike || orderIds.some((id) => plainId(id) === plainId(text))) return "yes"
  return idPattern(text) === idPattern(open) ? "perhaps" : "no"
}

/** What a scanned or typed text means at a step; `yes` answers the open question. */
type Meaning = Readonly<
  | { means: "yes" | "nothing" }
  | { means: "order"; text: string }
  | { means: "several"; ids: readonly string[] }
  | { means: "number" | "perhaps-number"; order: KnownOrder }
>

/** `named`: the orders that the text may name; `known`: ids of known orders, the open one first. */
export function meaningOf(
  text: string,
  step: Step,
  named: readonly string[],
  known: readonly string[],
): Meaning {
  const [first] = named
  if (step.at === "order" || step.at === "order-question") {
    if (named.length > 1) return { means: "several", ids: named }
    // The same code again confirms, for hands that hold only a scanner.
    const confirms = step.at === "order-question" && sameId(first ?? text, step.order.id)
    return confirms ? { means: "yes" } : { means: "order", text: first ?? text }
  }
  const { order } = step
  const alike = looksLikeOrder(text, known)
  if (alike === "yes") {
    // After a refused scan only a key confirms the number: scanning the order again may mean starting over.
    const confirms = step.at === "number-question" && !step.misread && sameId(text, order.id)
    return confirms ? { means: "yes" } : { means: "order", text }
  }
  // It may be the parcel of the order that opens next.
  if (step.at === "carrier" && step.next !== null) return { means: "nothing" }
  const seemsOrder = alike === "perhaps" || (first !== undefined && known.includes(first))
  return { means: !seemsOrder && isExpected(text, step) ? "number" : "perhaps-number", order }
}

/** A different number during a question, or after a refused scan, may belong to another parcel. */
function isExpected(text: string, step: Exclude<Step, { at: "order" | "order-question" }>): boolean {
  // Scanning it again does not confirm.
  if (step.at === "parcel-question") return false
  return step.at === "parcel" ? !step.uncertain : text === step.found.number
}

/** The known orders that an id or its short form (`#20411`) means. Typed digits also name an unknown order. */
export function ordersMeant(text: string, byHand: boolean, known: readonly string[]): readonly string[] {
  const meant = orderFinder(known)(text)
  if (meant.length > 0) return meant
  const named = byHand || /^#|^order/i.test(text) ? namedOrder(text, known[0]) : undefined
  return named === undefined ? [] : [named]
}

const plainId = (text: string) => text.replace(/[\s-]/g, "").toUpperCase()

const idPattern = (id: string) => id.replace(/[A-Za-z]/g, "a").replace(/\d/g, "9")

const sameNumber = (one: string, other: string) => plainNumber(one) === plainNumber(other)

/** Case-insensitive: a scanner with Caps Lock on writes capitals. */
export const sameId = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
