import { isRounded, trackingNumber } from "../../../../contract/job-rows.ts"
import type { FlowPorts, FoundNumber, KnownOrder, OrderQuestion, Refusal } from "./flow-state.ts"
import { undoneOrders } from "./outbox.ts"

/** What a guard says about an order that was scanned. */
type OrderVerdict =
  | { readonly type: "go" }
  | { readonly type: "blocked"; readonly why: "cancelled" | "digital" }
  /** A person may go on. */
  | { readonly type: "ask"; readonly why: "shipped" | "numbered" | "unusual" }

/** What a guard says about a tracking number by itself. */
type NumberVerdict =
  | { readonly type: "go" }
  | { readonly type: "blocked"; readonly why: "rounded" | "unfit"; readonly message: string }

/** Whether an order may get a parcel. Moves are never forbidden where the service does not forbid them. */
export function guardOrder({ status, type, tracking_number: number }: KnownOrder): OrderVerdict {
  const word = status.toLowerCase()
  if (word === "cancelled" || word === "canceled") return { type: "blocked", why: "cancelled" }
  if (type?.toLowerCase() === "digital") return { type: "blocked", why: "digital" }
  if (word === "shipped" || word === "completed") return { type: "ask", why: "shipped" }
  if (word !== "pending" && word !== "processing") return { type: "ask", why: "unusual" }
  return number === null ? { type: "go" } : { type: "ask", why: "numbered" }
}

/** Whether a text can be a parcel's number. It is no order's id (`seemsOrder`). */
export function guardNumber(text: string): NumberVerdict {
  if (isRounded(text)) {
    return {
      type: "blocked",
      why: "rounded",
      message: "A spreadsheet rounded this number, so its last digits are lost. Scan the parcel itself.",
    }
  }
  const fit = trackingNumber.safeParse(text)
  if (fit.success && fit.data !== "") return { type: "go" }
  const message = fit.success ? "There is no number in it." : (fit.error.issues[0]?.message ?? "")
  return { type: "blocked", why: "unfit", message }
}

/**
 * Whether a text that was scanned while an order was open is an order's id. `yes`: it is one that is known, or begins as
 * the ids of this service do. `perhaps`: letters and digits stand as in the open order's id, so only a person can tell.
 * @param orderIds ids of orders that are known, the open one first
 */
export function seemsOrder(text: string, orderIds: readonly string[]): "yes" | "perhaps" | "no" {
  const [open = ""] = orderIds
  if (orderIds.some((id) => sameNumber(id, text)) || looksLike(open, text)) return "yes"
  return shapeOf(text) === shapeOf(open) ? "perhaps" : "no"
}

/** Whether two texts are one number: spaces, hyphens and the case of letters say nothing. */
export function sameNumber(one: string, other: string): boolean {
  return plain(one) === plain(other)
}

function plain(text: string): string {
  return text.replace(/[\s-]/g, "").toUpperCase()
}

/** Ids of one service begin alike: letters and a mark (`ord_`) that no carrier's number has. */
function looksLike(id: string, text: string): boolean {
  const beginning = /^[A-Za-z]+[_:.#]/.exec(id)?.[0]
  return beginning !== undefined && text.toLowerCase().startsWith(beginning.toLowerCase())
}

function shapeOf(text: string): string {
  return text.replace(/[A-Za-z]/g, "a").replace(/\d/g, "9")
}

/** What came of an order's id. */
export type OrderRead =
  | { readonly type: "go"; readonly order: KnownOrder }
  | { readonly type: "ask"; readonly order: KnownOrder; readonly why: OrderQuestion }
  | { readonly type: "refused"; readonly refusal: Refusal }

/** Reads what was scanned as an order, from the loaded ones where it is among them. */
export async function readOrder(text: string, ports: FlowPorts, onWait: () => void): Promise<OrderRead> {
  if (isRounded(text)) {
    const message = "A spreadsheet rounded this, so its last digits are lost. Scan the order itself."
    return { type: "refused", refusal: { why: "rounded", message } }
  }
  const waiting = ports.outbox.data.get().parcels.find(({ order_id }) => sameId(order_id, text))
  if (waiting !== undefined) {
    const { order_id, tracking_number, undoes } = waiting
    return {
      type: "refused",
      refusal: {
        why: "in-outbox",
        text: order_id,
        number: tracking_number,
        undoing: undoes !== undefined,
      },
    }
  }
  const found = await findOrder(text, ports, onWait)
  return "id" in found ? judge(found) : { type: "refused", refusal: found }
}

async function findOrder(text: string, ports: FlowPorts, onWait: () => void): Promise<KnownOrder | Refusal> {
  const shipped = ports.outbox.data.get().shipped.find(({ order_id }) => sameId(order_id, text))
  const loaded = ports.loaded().find(({ id }) => sameId(id, text))
  // What was shipped from here stands in the list as it was before, until that is read again.
  if (loaded !== undefined && shipped === undefined) return loaded
  if (!ports.isOffline()) {
    onWait()
    try {
      return (await ports.find(loaded?.id ?? shipped?.order_id ?? text)) ?? { why: "no-order", text }
    } catch (error) {
      if (shipped === undefined) return { why: "no-answer", text, error }
    }
  }
  if (shipped === undefined) return { why: "not-loaded", text }
  const { order_id: id, tracking_number, carrier } = shipped
  return { id, status: "shipped", type: loaded?.type, tracking_number, carrier }
}

function judge(order: KnownOrder): OrderRead {
  const verdict = guardOrder(order)
  if (verdict.type === "blocked") return { type: "refused", refusal: { why: verdict.why, order } }
  return verdict.type === "ask" ? { type: "ask", order, why: verdict.why } : { type: "go", order }
}

/** Whether two scans are one order: a scanner with Caps Lock on writes capitals. */
export function sameId(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

/** What came of a parcel's number. `other`: the order that has it already. */
type NumberRead =
  | { readonly type: "read"; readonly found: FoundNumber; readonly other: string | undefined }
  | { readonly type: "refused"; readonly refusal: Refusal }

/**
 * Reads what was scanned as a parcel's number. What only the server knows is marked as unchecked when it cannot be
 * asked: it is looked up before the parcel is sent.
 */
export async function readNumber(
  text: string,
  order: KnownOrder,
  ports: FlowPorts,
  onWait: () => void,
): Promise<NumberRead> {
  const verdict = guardNumber(text)
  if (verdict.type === "blocked") return { type: "refused", refusal: verdict }

  const asked = ports.isOffline() ? undefined : await lookUpNumber(text, order, ports, onWait)
  const other = otherOrder(text, order, ports, asked)
  const carrier = asked?.carrier ?? (asked?.candidates === undefined ? likelyCarrier(text, ports) : null)
  const unchecked: FoundNumber["unchecked"] = [
    ...(asked?.looked === true ? [] : ["number" as const]),
    ...(asked?.candidates !== undefined || carrier !== null ? [] : ["carrier" as const]),
  ]
  return {
    type: "read",
    found: { number: text, carrier, candidates: asked?.candidates ?? [], unchecked },
    other,
  }
}

/**
 * Another order that has the number. One whose parcel is being undone gives it away; and what was shipped here is asked of
 * the server where it can be, which knows of corrections since.
 */
function otherOrder(
  text: string,
  order: KnownOrder,
  { outbox, loaded }: FlowPorts,
  asked: Awaited<ReturnType<typeof lookUpNumber>> | undefined,
): string | undefined {
  const data = outbox.data.get()
  const free = undoneOrders(data).add(order.id)
  const here = [
    ...data.parcels,
    ...(asked?.looked === true ? [] : data.shipped),
    ...loaded().map(({ id, tracking_number }) => ({ order_id: id, tracking_number })),
  ].find(
    ({ order_id, tracking_number: number }) =>
      !free.has(order_id) && number !== null && sameNumber(number, text),
  )
  const there = asked?.other
  return here?.order_id ?? (there === undefined || free.has(there) ? undefined : there)
}

/** What the server says. `candidates` undefined: it did not say whose number it is; `looked`: who else has it. */
async function lookUpNumber(text: string, order: KnownOrder, ports: FlowPorts, onWait: () => void) {
  onWait()
  const [used, recognised] = await Promise.allSettled([ports.used(text, order.id), ports.recognise(text)])
  const whose = recognised.status === "fulfilled" ? recognised.value : undefined
  return {
    looked: used.status === "fulfilled",
    other: used.status === "fulfilled" ? used.value : undefined,
    carrier: ports.carriers().find(({ code }) => code === whose?.chosen)?.name ?? null,
    candidates: whose?.carriers,
  }
}

/** Whose numbers of the same beginning and length were, as far as they went from here; null where they differ. */
function likelyCarrier(text: string, { outbox }: FlowPorts): string | null {
  const { parcels, shipped } = outbox.data.get()
  const alike = [...parcels, ...shipped].filter(({ tracking_number: number }) => isAlike(number, text))
  const carriers = new Set(alike.flatMap(({ carrier }) => (carrier === null ? [] : [carrier])))
  const [only] = carriers
  return carriers.size === 1 && only !== undefined ? only : null
}

function isAlike(one: string, other: string): boolean {
  return one.length === other.length && one.slice(0, 4).toUpperCase() === other.slice(0, 4).toUpperCase()
}
