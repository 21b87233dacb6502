import { isRounded, trackingNumber } from "../../../../contract/job-rows.ts"
import { isCancelled, isDigital, isWaiting } from "../order-row.tsx"
import type { FlowPorts, FoundNumber, KnownOrder, OrderQuestion, Refusal } from "./flow-state.ts"
import { undoneOrders } from "./outbox.ts"

/** What came of an order's id. */
export type OrderRead =
  | { readonly type: "go"; readonly order: KnownOrder }
  | { readonly type: "ask"; readonly order: KnownOrder; readonly why: OrderQuestion }
  | Refused

type Refused = ReturnType<typeof refused>

const refused = (refusal: Refusal) => ({ type: "refused", refusal }) as const

/** Reads what was scanned as an order, from the loaded ones where it is among them. */
export async function readOrder(text: string, ports: FlowPorts, onWait: () => void): Promise<OrderRead> {
  if (isRounded(text)) {
    const message = "A spreadsheet rounded this, so its last digits are lost. Scan the order itself."
    return refused({ why: "rounded", message })
  }
  const waiting = ports.outbox.data.get().parcels.find(({ order_id }) => sameId(order_id, text))
  if (waiting !== undefined) {
    const { order_id, tracking_number: number, undoes } = waiting
    return refused({ why: "in-outbox", text: order_id, number, undoing: undoes !== undefined })
  }
  const order = await findOrder(text, ports, onWait)
  if (!("id" in order)) return refused(order)
  const verdict = guardOrder(order)
  if (verdict.type === "blocked") return refused({ why: verdict.why, order })
  return { ...verdict, order }
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

/** Whether an order may get a parcel; `ask`: if a person says so. No status change is forbidden that the service allows. */
export function guardOrder({ status, type, tracking_number: number }: KnownOrder) {
  const word = status.toLowerCase()
  if (isCancelled(status)) return { type: "blocked", why: "cancelled" } as const
  if (isDigital(type)) return { type: "blocked", why: "digital" } as const
  if (word === "shipped" || word === "completed") return { type: "ask", why: "shipped" } as const
  if (!isWaiting(status)) return { type: "ask", why: "unusual" } as const
  return number === null ? ({ type: "go" } as const) : ({ type: "ask", why: "numbered" } as const)
}

/** What came of a parcel's number. `other`: the order that has it already. */
export type NumberRead =
  { readonly type: "read"; readonly found: FoundNumber; readonly other: string | undefined } | Refused

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
  if (verdict.type === "blocked") return refused(verdict)
  const server = ports.isOffline() ? offline : await lookUpNumber(text, order, ports, onWait)
  const carrier = server.carrier ?? (server.candidates === undefined ? likelyCarrier(text, ports) : null)
  const unchecked: FoundNumber["unchecked"] = [
    ...(server.looked ? [] : ["number" as const]),
    ...(server.candidates !== undefined || carrier !== null ? [] : ["carrier" as const]),
  ]
  return {
    type: "read",
    found: { number: text, carrier, candidates: server.candidates ?? [], unchecked },
    other: otherOrder(text, order, ports, server),
  }
}

/**
 * What the server knows of a number: `looked`, whether it could say who else has it; without `candidates` it did not
 * say whose number it is.
 */
type ServerLookup = Awaited<ReturnType<typeof lookUpNumber>>

const offline: ServerLookup = { looked: false, other: undefined, carrier: null, candidates: undefined }

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

/**
 * Another order that has the number. One whose parcel is being undone gives it away; and what was shipped here is asked of
 * the server where it can be, which knows of corrections since.
 */
function otherOrder(text: string, order: KnownOrder, ports: FlowPorts, server: ServerLookup) {
  const data = ports.outbox.data.get()
  const free = undoneOrders(data).add(order.id)
  const here = [
    ...data.parcels,
    ...(server.looked ? [] : data.shipped),
    ...ports.loaded().map(({ id, tracking_number }) => ({ order_id: id, tracking_number })),
  ].find(
    ({ order_id, tracking_number: number }) =>
      !free.has(order_id) && number !== null && sameNumber(number, text),
  )
  const there = server.other
  return here?.order_id ?? (there === undefined || free.has(there) ? undefined : there)
}

/** Whose numbers of the same beginning and length were, as far as they went from here; null where they differ. */
function likelyCarrier(text: string, { outbox }: FlowPorts): string | null {
  const { parcels, shipped } = outbox.data.get()
  const alike = [...parcels, ...shipped].filter((each) => beginning(each.tracking_number) === beginning(text))
  const [only, ...others] = new Set(alike.flatMap(({ carrier }) => carrier ?? []))
  return only !== undefined && others.length === 0 ? only : null
}

const beginning = (number: string) => `${number.length} ${number.slice(0, 4).toUpperCase()}`

/** Whether a text can be a parcel's number. It is no order's id (`seemsOrder`). */
export function guardNumber(text: string) {
  if (isRounded(text)) {
    const message = "A spreadsheet rounded this number, so its last digits are lost. Scan the parcel itself."
    return { type: "blocked", why: "rounded", message } as const
  }
  const fit = trackingNumber.safeParse(text)
  if (fit.success && fit.data !== "") return { type: "go" } as const
  const message = fit.success ? "There is no number in it." : (fit.error.issues[0]?.message ?? "")
  return { type: "blocked", why: "unfit", message } as const
}

/**
 * Whether a text that was scanned while an order was open is an order's id. `yes`: it is one that is known, or begins as
 * the ids of this service do. `perhaps`: letters and digits stand as in the open order's id, so only a person can tell.
 * @param orderIds ids of orders that are known, the open one first
 */
export function seemsOrder(text: string, orderIds: readonly string[]): "yes" | "perhaps" | "no" {
  const [open = ""] = orderIds
  // Ids of one service begin alike: letters and a mark (`ord_`) that no carrier's number has.
  const prefix = /^[A-Za-z]+[_:.#]/.exec(open)?.[0]
  const beginsAlike = prefix !== undefined && text.toLowerCase().startsWith(prefix.toLowerCase())
  if (beginsAlike || orderIds.some((id) => sameNumber(id, text))) return "yes"
  return shapeOf(text) === shapeOf(open) ? "perhaps" : "no"
}

const shapeOf = (id: string) => id.replace(/[A-Za-z]/g, "a").replace(/\d/g, "9")

/** Whether two texts are one number: spaces, hyphens and the case of letters say nothing. */
export const sameNumber = (one: string, other: string) => plain(one) === plain(other)

const plain = (text: string) => text.replace(/[\s-]/g, "").toUpperCase()

/** Whether two scans are one order: a scanner with Caps Lock on writes capitals. */
export const sameId = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
