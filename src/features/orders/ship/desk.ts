import { createStore } from "zustand"
import type { Carrier, Recognised } from "../../../../contract/orders.ts"
import { explain } from "../../../lib/errors.ts"
import type { DeskData, DeskEvent, Effect, KnownOrder, OrderLookup, Request, Response } from "./desk-state.ts"
import {
  add,
  drop,
  newParcelState,
  type Outbox,
  type OutboxData,
  type Parcel,
  undo,
  undoSent,
} from "./outbox.ts"
import { firstState, reduce } from "./reducer.ts"

/** What the desk needs from the page. Lookups throw what `request` throws; the desk sets their timeouts. */
export interface DeskPorts {
  readonly outbox: Pick<Outbox, "data" | "change">
  readonly pageData: () => Omit<DeskData, "outbox" | "now">
  readonly find: (id: string) => Promise<KnownOrder | undefined>
  /** Ids of orders to ship with this name of a member or reward. */
  readonly findByName: (name: string) => Promise<readonly string[]>
  readonly recognise: (number: string) => Promise<Recognised | undefined>
  readonly used: (number: string, except: string) => Promise<string | undefined>
  /** Saves the carrier of numbers like this one; not awaited. */
  readonly remember: (number: string, carrier: Carrier) => void
  /** Leaves out the row of a sent parcel whose job is paused; false: it may be sent. */
  readonly leaveOut: (parcel: Parcel) => Promise<boolean>
  readonly chime: (kind: "saved" | "refused" | "switched") => void
  readonly newKey: () => string
  readonly now: () => number
}

export type ShipDesk = ReturnType<typeof createDesk>

/** The ship desk of a page: its state, and the effects of each event. */
export function createDesk(ports: DeskPorts) {
  const state = createStore(() => firstState)
  function dispatch(event: DeskEvent): void {
    const data = { ...ports.pageData(), outbox: ports.outbox.data.getState(), now: ports.now() }
    const next = reduce(state.getState(), event, data)
    state.setState(next.state, true)
    for (const effect of next.effects) run(effect)
  }
  function run(effect: Effect): void {
    switch (effect.type) {
      case "chime":
        return ports.chime(effect.kind)
      case "remember":
        return ports.remember(effect.number, effect.carrier)
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
      return { type: "order-found", request, found: await findOrder(request.text, ports) }
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
async function inTime<T>(response: Promise<T>, ms: number): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Late()), ms)
  return Promise.race([response, late.promise]).finally(() => clearTimeout(timer))
}

async function findOrder(text: string, ports: DeskPorts): Promise<OrderLookup> {
  try {
    const named = /\d/.test(text) ? [] : await inTime(ports.findByName(text), patience.order)
    if (named.length > 1) return { refusal: { code: "several", what: text, detail: named.join(", ") } }
    const order = await inTime(ports.find(named[0] ?? text), patience.order)
    return order === undefined ? { refusal: { code: "no-order", what: text } } : { order }
  } catch (error) {
    const isLate = error instanceof Late
    const detail = isLate ? "The service hasn’t answered yet. It may be busy." : explain(error).body
    return { refusal: { code: "no-answer", what: text, detail } }
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
  { outbox, leaveOut, newKey, now }: DeskPorts,
): Promise<"unsent" | "sent" | "no"> {
  const before = parcelWith(key, outbox.data.getState())
  const after = parcelWith(key, await outbox.change(undo(key)))
  if (before?.state === "waiting" && after === undefined) return "unsent"
  if (after?.state === "sent" && (await leaveOut(after))) {
    await outbox.change(drop(key))
    return "unsent"
  }
  const undoKey = newKey()
  const data = await outbox.change(undoSent(key, undoKey, now()))
  return parcelWith(undoKey, data) === undefined ? "no" : "sent"
}

function parcelWith(key: string, { parcels, shipped }: OutboxData): Parcel | undefined {
  return [...parcels, ...shipped].find((each) => each.key === key)
}
