import { createStore } from "zustand"
import type { Carrier, Recognised } from "../../../../contract/orders.ts"
import { explain } from "../../../lib/errors.ts"
import type { DeskData, DeskEvent, Effect, KnownOrder, OrderLookup, Request, Response } from "./desk-state.ts"
import { add, newParcelState, type Outbox, type Parcel, undo, undoSent } from "./outbox.ts"
import { firstState, reduce } from "./reducer.ts"

/** What the desk needs from the page. Lookups throw what `request` throws; the desk sets their timeouts. */
export interface DeskPorts {
  readonly outbox: Pick<Outbox, "data" | "change">
  /** Resolves once the queue is fully read, so that its first order is the oldest. */
  readonly queueRead: () => Promise<unknown>
  readonly loaded: () => readonly KnownOrder[]
  readonly carriers: () => readonly Carrier[]
  readonly isPackedElsewhere: DeskData["isPackedElsewhere"]
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

export type ShipDesk = ReturnType<typeof createDesk>

/** The ship desk of a page: its state, and the effects of each event. */
export function createDesk(ports: DeskPorts) {
  const state = createStore(() => firstState)
  const read = (): DeskData => ({
    outbox: ports.outbox.data.getState(),
    loaded: ports.loaded(),
    carriers: ports.carriers(),
    isPackedElsewhere: ports.isPackedElsewhere,
    isOffline: ports.isOffline(),
    now: ports.now(),
  })
  function dispatch(event: DeskEvent): void {
    const next = reduce(state.getState(), event, read())
    state.setState(next.state, true)
    for (const effect of next.effects) run(effect)
  }
  function run(effect: Effect): void {
    switch (effect.type) {
      case "chime":
        return ports.chime(effect.kind)
      case "remember":
        return ports.remember(effect.number, effect.carrier)
      case "reread":
        // After a failure the order is compared again before its parcel is sent.
        return void ports
          .find(effect.order.id)
          .then((now) => dispatch({ type: "reread", known: effect.order, now }))
          .catch(() => {})
      case "change-outbox":
        return void ports.outbox.change(effect.change).catch(() => {})
      default:
        return void respond(effect, ports).then(dispatch)
    }
  }
  return { state, dispatch }
}

/** Carries out a request. Never rejects: a failure is part of the response. */
async function respond(request: Request, ports: DeskPorts): Promise<Response> {
  switch (request.type) {
    case "find-order":
      return { type: "order-found", request, found: await findOrder(request, ports) }
    case "check-number": {
      const [used, recognised] = await Promise.allSettled([
        inTime(ports.used(request.number, request.order.id), patience.number),
        inTime(ports.recognise(request.number), patience.number),
      ])
      return {
        type: "number-checked",
        request,
        used: used.status === "fulfilled" ? { order_id: used.value } : undefined,
        recognised: recognised.status === "fulfilled" ? recognised.value : undefined,
      }
    }
    case "read-queue":
      await ports.queueRead().catch(() => {})
      return { type: "queue-read", request }
    case "save":
      return { type: "saved", request, ...(await saveParcel(request, ports)) }
    default:
      return {
        type: "undone",
        request,
        way: await undoParcel(request.key, ports).catch(() => "failed" as const),
      }
  }
}

/** Maximum wait for lookups during a scan, in ms: an order that is not loaded; a parcel's number. */
const patience = { order: 4000, number: 2000 }

class Late extends Error {}

/** @throws Late when there is no response in time */
export async function inTime<T>(response: Promise<T>, ms: number): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Late()), ms)
  return Promise.race([response, late.promise]).finally(() => clearTimeout(timer))
}

async function findOrder(
  { id, text }: Extract<Request, { type: "find-order" }>,
  ports: DeskPorts,
): Promise<OrderLookup> {
  try {
    const order = await inTime(ports.find(id), patience.order)
    if (order !== undefined) return { order }
    // Perhaps the label of a parcel that was shipped elsewhere.
    return { label: await inTime(ports.used(text, ""), patience.number).catch(() => undefined) }
  } catch (error) {
    const isLate = error instanceof Late
    const detail = isLate ? "The service hasn’t answered yet. It may be busy." : explain(error).body
    return { refusal: { why: "no-answer", what: text, detail } }
  }
}

async function saveParcel(
  { order, found, carrier }: Extract<Request, { type: "save" }>,
  { outbox, newKey, now }: DeskPorts,
) {
  const { id, status, tracking_number, carrier: before, subject } = order
  const key = newKey()
  const parcel: Parcel = {
    ...newParcelState,
    key,
    at: now(),
    order_id: id,
    tracking_number: found.number,
    carrier,
    expected: { status, tracking_number, carrier: before },
    unchecked: [...found.unchecked],
    subject,
  }
  try {
    const { parcels } = await outbox.change(add(parcel))
    return { key, other: parcels.find((each) => each.order_id === id && each.key !== key) }
  } catch {
    return { key: null, other: undefined }
  }
}

/** Removes an unsent parcel; sends an undo for a sent one. */
async function undoParcel(
  key: string,
  { outbox, newKey, now }: DeskPorts,
): Promise<"unsent" | "sent" | "no"> {
  const waited = has(outbox.data.getState().parcels, key)
  const without = await outbox.change(undo(key))
  if (waited && !has(without.parcels, key) && !has(without.shipped, key)) return "unsent"
  const undoKey = newKey()
  const { parcels } = await outbox.change(undoSent(key, undoKey, now()))
  return has(parcels, undoKey) ? "sent" : "no"
}

function has(parcels: readonly { readonly key?: string | undefined }[], key: string): boolean {
  return parcels.some((each) => each.key === key)
}
