import { type Carrier, identifiesCarrier } from "../../../../contract/orders.ts"
import { hasWrongCheckDigit } from "../../../../contract/parcel-number.ts"
import { listed } from "../../../lib/format.ts"
import { timeOfDay } from "../../../lib/time.ts"
import {
  alreadyInOutbox,
  changedOrder,
  describeNumber,
  guardNumber,
  guardOrder,
  knownIds,
  lookUpHere,
  meaningOf,
  ordersMeant,
  sameId,
  shippedHere,
} from "./checks.ts"
import {
  currentOrder,
  type DeskData,
  type DeskEvent,
  type DeskState,
  type Effect,
  type FoundNumber,
  type Input,
  type KnownOrder,
  type OrderLookup,
  type Refusal,
  type Request,
  type Response,
  type Result,
  type Step,
} from "./desk-state.ts"
import { scannedParcels, undoneOrders } from "./outbox.ts"
import { cleanScan, type Read } from "./scan.ts"

/** How long after its scan a sent parcel can be undone, in ms. After that its order is corrected by hand. */
export const undoFor = 60_000

export const firstState: DeskState = {
  step: { at: "order" },
  pending: null,
  waiting: [],
  result: null,
  turn: 0,
  unread: [],
  last: null,
}

interface Transition {
  readonly state: DeskState
  readonly effects: readonly Effect[]
}

/** The ship desk's state machine: the state after an event, and the effects to run. */
export function reduce(state: DeskState, event: DeskEvent, data: DeskData): Transition {
  return handleWaiting(handleEvent(state, event, data), data)
}

function handleWaiting(transition: Transition, data: DeskData): Transition {
  const { state, effects } = transition
  const [input, ...waiting] = state.waiting
  if (state.pending !== null || input === undefined) return transition
  const next = handleInput({ ...state, waiting }, input, data)
  return handleWaiting({ state: next.state, effects: [...effects, ...next.effects] }, data)
}

function handleEvent(state: DeskState, event: DeskEvent, data: DeskData): Transition {
  if (event.type === "escape") return escape(state)
  if (event.type === "restored") return continueAt(state, uncertainStep(state.step))
  if (event.type === "leave") return stay(cancelPending(state))
  if ("request" in event) {
    // The response to a lookup that was cancelled changes nothing.
    return event.request === state.pending
      ? handleResponse({ ...state, pending: null }, event, data)
      : stay(state)
  }
  const waiting = [...state.waiting, event]
  const endsWait = event.type === "scan" || event.type === "pick"
  return endsWait && state.pending?.type === "read-queue"
    ? continueAt({ ...state, pending: null, waiting }, state.step)
    : stay({ ...state, waiting })
}

function handleInput(state: DeskState, input: Input, data: DeskData): Transition {
  switch (input.type) {
    case "scan":
      return handleScan(state, input.read, data)
    case "pick":
      return openOrder(state, input.id, data)
    case "next":
      return request(state, { type: "read-queue" })
    case "answer":
      return answer(state, input.yes, data)
    case "choose":
      return choose(state, input.carrier)
    case "undo":
      return undo(state, input.key, data)
    case "changed":
      return applyChange(state, input.order, input.changedAt)
    default:
      return applyReread(state, input.known, input.now)
  }
}

function handleResponse(state: DeskState, response: Response, data: DeskData): Transition {
  switch (response.type) {
    case "order-found":
      return applyLookup(state, response.found, response.request, data)
    case "number-checked":
      return numberChecked(state, response, data)
    case "queue-read":
      return openNext(state, data)
    case "saved":
      return parcelSaved(state, response, data)
    default:
      return parcelUndone(state, response)
  }
}

// Transitions

const stay = (state: DeskState): Transition => ({ state, effects: [] })

const request = (state: DeskState, pending: Request): Transition => ({
  state: { ...state, pending },
  effects: [pending],
})

function withEffects({ state, effects }: Transition, ...more: readonly Effect[]): Transition {
  return { state, effects: [...effects, ...more] }
}

const chime = (kind: "saved" | "refused" | "switched"): Effect => ({ type: "chime", kind })

function goTo(state: DeskState, step: Step, result: Result): Transition {
  return stay({ ...state, step, result, turn: state.turn + 1 })
}

/** Keeps the last result in view while the next order is open, unless it is a refusal. */
function continueAt(state: DeskState, step: Step): Transition {
  return stay({ ...state, step, result: state.result?.type === "refused" ? null : state.result })
}

function refuse(
  state: DeskState,
  refusal: Refusal,
  step = state.step,
  requeued: string | null = null,
): Transition {
  const dropped = state.waiting.filter((input) => input.type === "scan" && input.read.type === "text").length
  const after = { ...dropWaiting(state), last: null }
  return withEffects(goTo(after, step, { type: "refused", refusal, dropped, requeued }), chime("refused"))
}

function ask(state: DeskState, step: Step, before: Step): Transition {
  const after = { ...dropWaiting(state), last: { step: before } }
  return withEffects(continueAt(after, step), chime("refused"))
}

function setAside(state: DeskState, { id }: KnownOrder): Transition {
  return goTo(state, { at: "order" }, { type: "put-aside", order_id: id })
}

/** Drops what a person did meanwhile, since it may belong to what was refused; news about orders stays. */
function dropWaiting(state: DeskState): DeskState {
  return { ...state, waiting: state.waiting.filter(isNews) }
}

const isNews = (input: Input) =>
  input.type === "scan" ? input.read.type === "broken" : input.type === "changed" || input.type === "reread"

/** Cancels the pending lookup and the inputs behind it. A parcel that is being saved or undone is not cancelled. */
function cancelPending(state: DeskState): DeskState {
  const { pending } = state
  const isWrite = pending?.type === "save" || pending?.type === "undo"
  return { ...dropWaiting(state), pending: isWrite ? pending : null }
}

function escape(before: DeskState): Transition {
  const state = cancelPending(before)
  const { step } = state
  if (state.pending !== null) return stay(state)
  if (step.at === "order") return continueAt(state, step)
  if (step.at === "carrier" && step.next !== null)
    return refuse(state, { why: "not-opened", what: step.next }, parcelStep(step.order, true))
  return "found" in step ? continueAt(state, parcelStep(step.order, false)) : setAside(state, step.order)
}

// Scans

function handleScan(state: DeskState, read: Read, data: DeskData): Transition {
  if (read.type === "command") return command(state, read.key, data)
  if (read.type === "broken") return revertBrokenScan(state, data)
  if (read.type === "mixed") return refuse(state, { why: "mixed" }, uncertainStep(state.step))
  const text = cleanScan(read.text)
  if (text === "") return stay(state)
  const { step } = state
  const known = knownIds(currentOrder(step), data)
  const meaning = meaningOf(
    text,
    step,
    ordersMeant(text, read.type === "text" && read.by === "hand", known),
    known,
  )
  switch (meaning.means) {
    case "several":
      return refuse(state, { why: "several", what: text, detail: listed([...meaning.ids]) }, { at: "order" })
    case "order":
      return openOrder(state, meaning.text, data)
    case "yes":
      return step.at === "order-question"
        ? openParcel(state, step.order, step.from, false)
        : answer(state, true, data)
    case "nothing":
      return withEffects(stay(state), chime("refused"))
    case "number":
      return checkNumber(state, text, meaning.order, hasWrongCheckDigit(read.text), data)
    default: {
      const again = parcelStep(meaning.order, true)
      const verdict = guardNumber(text)
      if (verdict.type === "blocked") return refuse(state, verdict, again)
      return ask(state, { at: "parcel-question", order: meaning.order, number: text }, again)
    }
  }
}

function revertBrokenScan(state: DeskState, data: DeskData): Transition {
  const { step, key } = state.last ?? { step: state.step }
  const scanned = key === undefined ? undefined : scannedParcels(data.outbox).find((each) => each.key === key)
  return key === undefined || scanned === undefined
    ? refuse(state, { why: "broken" }, uncertainStep(step))
    : request(state, { type: "undo", key, order_id: scanned.order_id, broken: step })
}

function command(state: DeskState, key: string, data: DeskData): Transition {
  const { step } = state
  if (step.at === "carrier") {
    const carrier = key === "0" ? null : step.choices[Number(key) - 1]
    return carrier === undefined ? stay(state) : choose(state, carrier)
  }
  if (step.at !== "order" && step.at !== "parcel") return answer(state, key === "y", data)
  if (key === "u") return undoLast(state, data)
  // Other keys answered a question that is settled since.
  return key === "s" ? request(state, { type: "read-queue" }) : stay(state)
}

function answer(state: DeskState, yes: boolean, data: DeskData): Transition {
  const { step } = state
  switch (step.at) {
    case "order-question":
      return yes
        ? openParcel(state, step.order, step.from, step.uncertain)
        : continueAt(state, { at: "order" })
    case "parcel-question": {
      const { number, order } = step
      return yes
        ? checkNumber(state, number, order, hasWrongCheckDigit(number), data)
        : setAside(state, order)
    }
    case "number-question": {
      const { order, found, misread, other } = step
      if (!yes) return continueAt(state, parcelStep(order, false))
      if (other === undefined) return settleCarrier(state, order, found, data)
      if (misread) return ask(state, { ...step, misread: false }, parcelStep(order, true))
      const unchecked = found.unchecked.filter((each) => each !== "number")
      return settleCarrier(state, order, { ...found, unchecked }, data)
    }
    default:
      return stay(state)
  }
}

// Orders

/**
 * Closes the open order first, whatever this scan leads to: the next label is not for it. An order that has its label
 * and only waits for the carrier stays open.
 */
function openOrder(before: DeskState, text: string, data: DeskData): Transition {
  const { step } = before
  if (step.at === "carrier" && !sameId(step.order.id, text))
    return withEffects(continueAt(before, { ...step, next: text }), chime("refused"))
  const open = step.at === "order-question" ? undefined : currentOrder(step)
  if (open !== undefined && sameId(open.id, text)) {
    // Scanned twice: the next number certainly belongs to it.
    const result = { type: "still-open", order_id: open.id } as const
    return goTo({ ...before, last: { step: { at: "order" } } }, parcelStep(open, false), result)
  }
  const state = open === undefined ? before : continueAt(before, { at: "order" }).state
  const find = { text, from: open?.id ?? null }
  const found = lookUpHere(text, data)
  return found === undefined
    ? request(state, { type: "find-order", ...find, id: shippedHere(text, data)?.id ?? text })
    : applyLookup(state, found, find, data)
}

function applyLookup(
  state: DeskState,
  found: OrderLookup,
  { text, from }: { readonly text: string; readonly from: string | null },
  data: DeskData,
): Transition {
  const { order, label } = found
  // Without a response: the order as it was shipped from here.
  const known = order ?? (found.refusal?.why === "no-answer" ? shippedHere(text, data) : undefined)
  if (known !== undefined) return orderRead(state, known, from, found.loaded === true && !data.isOffline)
  if (label !== undefined) {
    const result = { type: "label-again", order_id: label, number: text } as const
    const after = { ...state, last: { step: { at: "order" } } as const }
    return withEffects(goTo(after, { at: "order" }, result), chime("refused"))
  }
  return refuse(state, found.refusal ?? { why: "no-order", what: text }, { at: "order" }, from)
}

/** `rereads`: the order comes from the queue, which may be minutes old; it is refetched without blocking the packer. */
function orderRead(before: DeskState, order: KnownOrder, from: string | null, rereads: boolean): Transition {
  const verdict = guardOrder(order)
  if (verdict.type === "blocked")
    return refuse(before, { why: verdict.why, what: order.id }, { at: "order" }, from)
  const unread = [...before.unread.filter((id) => id !== order.id), order.id]
  const state = rereads ? { ...before, unread } : before
  const next =
    verdict.type === "ask"
      ? ask(state, { at: "order-question", order, why: verdict.why, from, uncertain: false }, { at: "order" })
      : openParcel({ ...state, last: { step: { at: "order" } } }, order, from, false)
  return rereads ? withEffects(next, { type: "reread", order }) : next
}

function openParcel(
  state: DeskState,
  order: KnownOrder,
  from: string | null,
  uncertain: boolean,
): Transition {
  const step = parcelStep(order, uncertain)
  if (from === null) return continueAt(state, step)
  return withEffects(goTo(state, step, { type: "switched", order_id: order.id, from }), chime("switched"))
}

function openNext(state: DeskState, data: DeskData): Transition {
  const open = currentOrder(state.step)?.id
  const offered = data.loaded.filter(({ id }) => id === open || !data.isPackedElsewhere(id))
  const at = offered.findIndex(({ id }) => id === open)
  const following = offered[at + 1] ?? offered[0]
  return following === undefined
    ? refuse(state, { why: "queue-empty" })
    : openOrder(state, following.id, data)
}

/** Applies a refetched order to the open step, or to its unsent parcel. */
function applyReread(before: DeskState, known: KnownOrder, now: KnownOrder | undefined): Transition {
  const { step } = before
  const state = { ...before, unread: before.unread.filter((id) => id !== known.id) }
  const isSame = now?.status === known.status && now.tracking_number === known.tracking_number
  if (step.at === "order" || step.order.id !== known.id)
    return isSame
      ? stay(state)
      : withEffects(stay(state), { type: "change-outbox", change: changedOrder(known, now) })
  if (now === undefined) return refuse(state, { why: "no-order", what: known.id }, { at: "order" })
  return isSame ? stay(state) : applyChange(state, now, undefined)
}

/** Applies the order's current values to the open step, and asks as if it were scanned now. */
function applyChange(state: DeskState, order: KnownOrder, changedAt: number | undefined): Transition {
  const { step } = state
  if (step.at === "order" || step.order.id !== order.id) return stay(state)
  const verdict = guardOrder(order)
  if (verdict.type === "blocked") {
    const why = verdict.why === "cancelled" ? "cancelled-since" : verdict.why
    const detail = changedAt === undefined ? "" : timeOfDay(changedAt)
    return refuse(state, { why, what: order.id, detail }, { at: "order" })
  }
  if (step.at === "order-question") {
    const why = verdict.type === "ask" ? verdict.why : step.why
    return stay({ ...state, step: { ...step, order, why } })
  }
  if (verdict.type === "go") return stay({ ...state, step: { ...step, order } })
  return ask(
    state,
    { at: "order-question", order, why: verdict.why, from: null, uncertain: true },
    { at: "order" },
  )
}

// Parcels

function checkNumber(
  state: DeskState,
  number: string,
  order: KnownOrder,
  misread: boolean,
  data: DeskData,
): Transition {
  const verdict = guardNumber(number)
  if (verdict.type === "blocked") return refuse(state, verdict, parcelStep(order, true))
  const check = { type: "check-number", number, order, misread } as const
  return data.isOffline
    ? numberChecked(
        state,
        { type: "number-checked", request: check, used: undefined, recognised: undefined },
        data,
      )
    : request(state, check)
}

function numberChecked(
  state: DeskState,
  { request: { number, order, misread }, ...lookups }: Extract<Response, { type: "number-checked" }>,
  data: DeskData,
): Transition {
  const { found, other } = describeNumber(number, order, lookups, data)
  if (misread || other !== undefined)
    return ask(state, { at: "number-question", order, found, misread, other }, parcelStep(order, true))
  return settleCarrier(state, order, found, data)
}

function settleCarrier(
  state: DeskState,
  order: KnownOrder,
  found: FoundNumber,
  { carriers }: DeskData,
): Transition {
  const isLikely = ({ code }: Carrier) => found.candidates.includes(code)
  const choices = [...carriers.filter(isLikely), ...carriers.filter((each) => !isLikely(each))]
  // Failed lookups are repeated before the parcel is sent, so the packer is not stopped here.
  const isLeft = choices.length === 0 || found.unchecked.includes("carrier")
  if (found.carrier !== null || isLeft)
    return request(state, { type: "save", order, found, carrier: found.carrier, next: null })
  return ask(state, { at: "carrier", order, found, choices, next: null }, parcelStep(order, true))
}

/** Sets the number's carrier; null: none. */
function choose(state: DeskState, carrier: Carrier | null): Transition {
  const { step } = state
  if (step.at !== "carrier") return stay(state)
  const { order, found, next } = step
  const save = request(state, { type: "save", order, found, carrier: carrier?.name ?? null, next })
  return carrier !== null && identifiesCarrier(found.number)
    ? withEffects(save, { type: "remember", number: found.number, carrier })
    : save
}

function parcelSaved(
  state: DeskState,
  { request: { order, found, carrier, next }, key, other }: Extract<Response, { type: "saved" }>,
  data: DeskData,
): Transition {
  if (key === null) return refuse(state, { why: "not-saved" }, uncertainStep(state.step))
  const result = { type: "saved", key, order, number: found.number, carrier } as const
  const saved =
    other === undefined
      ? withEffects(
          goTo({ ...state, last: { step: parcelStep(order, true), key } }, { at: "order" }, result),
          chime("saved"),
        )
      : refuse(state, alreadyInOutbox(other), { at: "order" })
  if (next === null) return saved
  const opened = openOrder(saved.state, next, data)
  return { ...opened, effects: [...saved.effects, ...opened.effects] }
}

// Undo

/** Undoes the last scanned parcel that is not being undone already. */
function undoLast(state: DeskState, data: DeskData): Transition {
  const undone = undoneOrders(data.outbox)
  const newest = scannedParcels(data.outbox).find(
    ({ key, at, order_id: id }) => key !== undefined && at > 0 && !undone.has(id),
  )
  return newest?.key === undefined ? refuse(state, { why: "nothing-to-undo" }) : undo(state, newest.key, data)
}

/** Undo requested by a person: any time while unsent, within `undoFor` of the scan once sent. */
function undo(state: DeskState, key: string, data: DeskData): Transition {
  const parcel = scannedParcels(data.outbox).find((each) => each.key === key)
  if (parcel === undefined) return refuse(state, { why: "nothing-to-undo" })
  if (parcel.state === "asks") return refuse(state, { why: "asks" })
  if (parcel.state !== "waiting" && data.now - parcel.at > undoFor) return refuse(state, { why: "too-late" })
  return request(state, { type: "undo", key, order_id: parcel.order_id, broken: null })
}

function parcelUndone(
  state: DeskState,
  { request: { order_id, broken }, way }: Extract<Response, { type: "undone" }>,
): Transition {
  if (way === "failed") return refuse(state, { why: "not-undone" }, uncertainStep(state.step))
  if (broken !== null) return refuse(state, { why: "broken" }, uncertainStep(broken))
  if (way === "no") return refuse(state, { why: "too-late" })
  return goTo({ ...state, last: null }, state.step, { type: "undone", order_id, sent: way === "sent" })
}

const parcelStep = (order: KnownOrder, uncertain: boolean): Step => ({ at: "parcel", order, uncertain })

/** The step after an unreadable scan: it may have been another order. */
function uncertainStep(step: Step): Step {
  return step.at === "order" || step.at === "order-question" ? { at: "order" } : parcelStep(step.order, true)
}
