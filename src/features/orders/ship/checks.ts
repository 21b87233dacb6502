import { isRounded, trackingNumber } from "../../../../contract/kinds/order-update.ts"
import { namedOrder, orderFinder } from "../../../lib/order-ids.ts"
import { numberShape, plainNumber, identifiesCarrier } from "../../../../contract/orders.ts"
import { isWaiting } from "../../../../contract/program/order.ts"
import { isCancelled, isDigital } from "../order-row.tsx"
import type { DeskData, FoundNumber, KnownOrder, OrderLookup, Refusal, Response, Step } from "./desk-state.ts"
import { changeUnsent, type OutboxChange, type Parcel, type ParcelQuestion, undoneOrders } from "./outbox.ts"

export function alreadyInOutbox({ order_id: what, tracking_number: detail, undoes }: Parcel): Refusal {
  return { why: undoes === undefined ? "in-outbox" : "undoing", what, detail }
}

/** What the page knows of a scanned order; undefined: it must be looked up. */
export function lookUpHere(text: string, data: DeskData): OrderLookup | undefined {
  if (isRounded(text)) {
    const detail = "A spreadsheet rounded this, so its last digits are lost. Scan the order itself."
    return { refusal: { why: "rounded", detail } }
  }
  const parcel = data.outbox.parcels.find(({ order_id }) => sameId(order_id, text))
  if (parcel !== undefined) return { refusal: alreadyInOutbox(parcel) }
  const shipped = shippedHere(text, data)
  // A loaded order that was shipped from here is outdated until the list is refetched.
  const order = shipped === undefined ? data.loaded.find(({ id }) => sameId(id, text)) : undefined
  if (order !== undefined) return { order, loaded: true }
  const label = shipped === undefined ? orderWithNumber(text, data) : undefined
  if (label !== undefined) return { label }
  return data.isOffline
    ? shipped
      ? { order: shipped }
      : { refusal: { why: "not-loaded", what: text } }
    : undefined
}

/** An order as it was shipped from here. */
export function shippedHere(text: string, { outbox, loaded }: DeskData): KnownOrder | undefined {
  const shipped = outbox.shipped.find(({ order_id }) => sameId(order_id, text))
  if (shipped === undefined) return undefined
  const { order_id: id, tracking_number, carrier } = shipped
  const type = loaded.find((each) => sameId(each.id, text))?.type
  return { id, status: "shipped", type, tracking_number, carrier }
}

/** The order that has a number, as far as this page knows. */
function orderWithNumber(text: string, { outbox, loaded }: DeskData): string | undefined {
  const known = [...outbox.parcels, ...outbox.shipped, ...loaded.map(orderNumber)]
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
 * A number with its carrier from the lookups, and another order that has it. Failed lookups are `unchecked` and
 * repeated before sending.
 */
export function describeNumber(
  number: string,
  order: KnownOrder,
  { used, recognised }: Pick<Extract<Response, { type: "number-checked" }>, "used" | "recognised">,
  data: DeskData,
) {
  const chosen = data.carriers.find(({ code }) => code === recognised?.chosen)
  const carrier = chosen?.name ?? (recognised === undefined ? likelyCarrier(number, data) : null)
  const unchecked: FoundNumber["unchecked"] = [
    ...(used === undefined ? (["number"] as const) : []),
    ...(recognised !== undefined || carrier !== null ? [] : (["carrier"] as const)),
  ]
  const found: FoundNumber = { number, carrier, candidates: recognised?.carriers ?? [], unchecked }
  return { found, other: otherOrder(number, order, used, data) }
}

// Another order that has the number. An order whose parcel is being undone is free. The server's result (`there`)
// wins over what was shipped here, since it includes later corrections.
function otherOrder(
  text: string,
  order: KnownOrder,
  there: { readonly order_id: string | undefined } | undefined,
  { outbox, loaded }: DeskData,
) {
  const free = undoneOrders(outbox).add(order.id)
  const known = [
    ...outbox.parcels,
    ...(there === undefined ? outbox.shipped : []),
    ...loaded.map(orderNumber),
  ]
  const here = known.filter(({ tracking_number: number }) => number !== null && sameNumber(number, text))
  return [...here, there].map((each) => each?.order_id).find((id) => id !== undefined && !free.has(id))
}

/** The carrier of earlier numbers with the same prefix and length; null when they differ. */
function likelyCarrier(text: string, { outbox }: DeskData): string | null {
  if (!identifiesCarrier(text)) return null
  const alike = [...outbox.parcels, ...outbox.shipped].filter(
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

/** The ids that a scan may mean, the open order's first. */
export function knownIds(open: KnownOrder | undefined, { outbox, loaded }: DeskData): string[] {
  const here = [...outbox.parcels, ...outbox.shipped].map(({ order_id: id }) => id)
  return [...(open === undefined ? [] : [open.id]), ...loaded.map(({ id }) => id), ...here]
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

const orderNumber = ({ id, tracking_number }: KnownOrder) => ({ order_id: id, tracking_number })

const sameNumber = (one: string, other: string) => plainNumber(one) === plainNumber(other)

/** Case-insensitive: a scanner with Caps Lock on writes capitals. */
export const sameId = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
