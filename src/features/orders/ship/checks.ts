import { namedOrder, orderFinder } from "../../../lib/order-ids.ts"
import { plainNumber } from "../../../../contract/orders.ts"
import { isWaiting } from "../../../../contract/program/order.ts"
import { isRounded, orderRefusal, trackingNumber } from "../../../../contract/tracking-number.ts"
import { isCancelled, isDigital } from "../order-row.tsx"
import type { DeskData, FoundNumber, KnownOrder, OrderLookup, Refusal, Response, Step } from "./desk-state.ts"
import { type Parcel, undoneOrders } from "./outbox.ts"

export function alreadyInOutbox({ order_id: what, tracking_number: detail, undoes }: Parcel): Refusal {
  return { code: undoes === undefined ? "in-outbox" : "undoing", what, detail }
}

/** What the page knows of a scanned order; undefined: it must be looked up. */
export function lookUpHere(text: string, data: DeskData): OrderLookup | undefined {
  if (isRounded(text)) {
    const detail = "A spreadsheet rounded this, so its last digits are lost. Scan the order itself."
    return { refusal: { code: "rounded", detail } }
  }
  const parcel = data.outbox.parcels.find(({ order_id }) => sameId(order_id, text))
  if (parcel !== undefined) return { refusal: alreadyInOutbox(parcel) }
  const order = data.loaded.find(({ id }) => sameId(id, text))
  if (order !== undefined) return { order }
  return data.isOffline ? { refusal: { code: "not-loaded", what: text } } : undefined
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
  const carrier = data.carriers.find(({ code }) => code === recognised?.chosen)?.name ?? null
  const unchecked: FoundNumber["unchecked"] = [
    ...(used === undefined ? (["number"] as const) : []),
    ...(recognised === undefined ? (["carrier"] as const) : []),
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
    ...loaded.map(({ id, tracking_number }) => ({ order_id: id, tracking_number })),
  ]
  const here = known.filter(({ tracking_number: number }) => number !== null && sameNumber(number, text))
  return [...here, there].map((each) => each?.order_id).find((id) => id !== undefined && !free.has(id))
}

/** Why a text cannot be a tracking number; undefined: it can. */
export function guardNumber(text: string): Refusal | undefined {
  if (isRounded(text)) {
    const detail = "A spreadsheet rounded this number, so its last digits are lost. Scan the parcel itself."
    return { code: "rounded", detail }
  }
  const fit = trackingNumber.safeParse(text)
  if (fit.success && fit.data !== "") return undefined
  return { code: "unfit", detail: fit.error?.issues[0]?.message ?? "There is no number in it." }
}

/**
 * Whether a text scanned while an order is open is an order id. `yes`: it is one of `orderIds` (the open one first)
 * or has the same prefix. `perhaps`: it has the same pattern of letters and digits as the open order's id.
 */
export function resemblesOrder(text: string, orderIds: readonly string[]): "yes" | "perhaps" | "no" {
  const [open = ""] = orderIds
  if (orderRefusal(text, open) !== undefined || orderIds.some((id) => plainId(id) === plainId(text)))
    return "yes"
  return idPattern(text) === idPattern(open) ? "perhaps" : "no"
}

/** What a scanned or typed text means at a step; `yes` answers the open question. */
type Meaning = Readonly<
  | { means: "yes" }
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
  const alike = resemblesOrder(text, known)
  if (alike === "yes") {
    // After a refused scan only a key confirms the number: scanning the order again may mean starting over.
    const confirms = step.at === "number-question" && !step.isUnusual && sameId(text, order.id)
    return confirms ? { means: "yes" } : { means: "order", text }
  }
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

const sameNumber = (one: string, other: string) => plainNumber(one) === plainNumber(other)

/** Case-insensitive: a scanner with Caps Lock on writes capitals. */
export const sameId = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
