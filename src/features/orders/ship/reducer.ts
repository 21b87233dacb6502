import { type Carrier, identifiesCarrier } from "../../../../contract/orders.ts"
import { trackingDoubt } from "../../../../contract/tracking-number.ts"
import { listed } from "../../../lib/format.ts"
import {
  alreadyInOutbox,
  describeNumber,
  guardNumber,
  guardOrder,
  knownIds,
  lookUpHere,
  meaningOf,
  ordersMeant,
  sameId,
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
  closed: null,
  last: null,
}

/** The ship desk's state machine: the state after an event, and the effects to run. */
export function reduce(state: DeskState, event: DeskEvent, data: DeskData) {
  const transition = new Transition(state, data)
  transition.handleEvent(event)
  return { state: transition.state, effects: transition.effects }
}

type ResponseTo<T extends Response["type"]> = Extract<Response, { type: T }>
type ChimeKind = Extract<Effect, { type: "chime" }>["kind"]

class Transition {
  state: DeskState
  readonly effects: Effect[] = []
  readonly #data: DeskData

  constructor(state: DeskState, data: DeskData) {
    this.state = state
    this.#data = data
  }

  handleEvent(event: DeskEvent): void {
    if (event.type === "escape") this.#escape()
    else if (event.type === "restored") this.#continueAt(uncertainStep(this.state.step))
    else if (event.type === "leave") this.#cancelPending()
    else if (!("request" in event)) this.#set({ waiting: [...this.state.waiting, event] })
    // The response to a lookup that was cancelled changes nothing.
    else if (event.request === this.state.pending) {
      this.#set({ pending: null })
      this.#handleResponse(event)
    }
    while (this.state.pending === null) {
      const [input, ...waiting] = this.state.waiting
      if (input === undefined) return
      this.#set({ waiting })
      this.#handleInput(input)
    }
  }

  #handleInput(input: Input): void {
    switch (input.type) {
      case "scan":
        return this.#scan(input.read)
      case "pick":
        return this.#openOrder(input.id)
      case "next":
        return this.#openNext()
      case "answer":
        return this.#answer(input.yes)
      case "choose":
        return this.#choose(input.carrier)
      case "undo":
        return this.#undo(input.key)
      default:
        return this.#applyChange(input)
    }
  }

  #handleResponse(response: Response): void {
    switch (response.type) {
      case "order-found":
        return this.#openFound(response.found)
      case "number-checked":
        return this.#numberChecked(response)
      case "saved":
        return this.#saved(response)
      default:
        return this.#undone(response)
    }
  }

  // Changes of the state

  #set(change: Partial<DeskState>): void {
    this.state = { ...this.state, ...change }
  }

  #request(pending: Request): void {
    this.#set({ pending })
    this.effects.push(pending)
  }

  #chime(kind: ChimeKind): void {
    this.effects.push({ type: "chime", kind })
  }

  #show(step: Step, result: Result): void {
    this.#set({ step, result, turn: this.state.turn + 1, closed: null })
  }

  #showMessage(step: Step, code: Result["code"], what: string, detail = ""): void {
    const { closed } = this.state
    this.#show(step, { code, what, detail, isRefusal: false, closed, dropped: 0 })
  }

  #refuse({ code, what = "", detail = "" }: Refusal, step = this.state.step): void {
    const { closed, waiting } = this.state
    const dropped = waiting.filter((input) => input.type === "scan" && input.read.type === "text").length
    this.#dropWaiting()
    this.#set({ last: null })
    this.#show(step, { code, what, detail, isRefusal: true, closed, dropped })
    this.#chime("refused")
  }

  /** Keeps the last result in view while the next order is open, unless it is a refusal. */
  #continueAt(step: Step): void {
    const { result } = this.state
    this.#set({ step, result: result?.isRefusal === true ? null : result, closed: null })
  }

  #ask(step: Step, before: Step): void {
    const { closed } = this.state
    this.#dropWaiting()
    this.#continueAt(step)
    this.#set({ closed, last: { step: before } })
    this.#chime("refused")
  }

  /** Drops what a person did meanwhile, since it may belong to what was refused; news about orders stays. */
  #dropWaiting(): void {
    this.#set({ waiting: this.state.waiting.filter(isNews) })
  }

  /** Cancels the pending lookup and the inputs behind it. A parcel that is being saved or undone is not cancelled. */
  #cancelPending(): void {
    const { pending } = this.state
    this.#dropWaiting()
    if (pending?.type !== "save" && pending?.type !== "undo") this.#set({ pending: null })
  }

  #escape(): void {
    this.#cancelPending()
    const { step, pending } = this.state
    if (pending !== null) return
    if (step.at === "order") this.#continueAt(step)
    else if ("found" in step) this.#continueAt(parcelStep(step.order, false))
    else this.#showMessage({ at: "order" }, "put-aside", step.order.id)
  }

  // Scans

  #scan(read: Read): void {
    const { step } = this.state
    if (read.type === "command") return this.#command(read.key)
    if (read.type === "broken") return this.#revertBrokenScan()
    if (read.type === "mixed") return this.#refuse({ code: "mixed" }, uncertainStep(step))
    const text = cleanScan(read.text)
    if (text === "") return undefined
    const known = knownIds(currentOrder(step), this.#data)
    const meaning = meaningOf(
      text,
      step,
      ordersMeant(text, read.type === "text" && read.by === "hand", known),
      known,
    )
    if (meaning.means === "several")
      return this.#refuse({ code: "several", what: text, detail: listed([...meaning.ids]) }, { at: "order" })
    if (meaning.means === "order") return this.#openOrder(meaning.text)
    if (meaning.means === "yes") return this.#answer(true)
    const { order } = meaning
    if (meaning.means === "number") return this.#checkNumber(text, order, needsCheck(read.text))
    const again = parcelStep(order, true)
    const refusal = guardNumber(text)
    return refusal === undefined
      ? this.#ask({ at: "parcel-question", order, number: text }, again)
      : this.#refuse(refusal, again)
  }

  #revertBrokenScan(): void {
    const { step, key } = this.state.last ?? { step: this.state.step, key: undefined }
    const scanned = scannedParcels(this.#data.outbox).find((each) => each.key === key)
    if (scanned === undefined) this.#refuse({ code: "broken" }, uncertainStep(step))
    else this.#request({ type: "undo", key: scanned.key, order_id: scanned.order_id, broken: step })
  }

  /** Other keys than a step's commands answered a question that is settled since. */
  #command(key: string): void {
    const { step } = this.state
    if (step.at === "carrier") {
      const carrier = key === "0" ? null : step.choices[Number(key) - 1]
      if (carrier !== undefined) this.#choose(carrier)
    } else if (step.at !== "order" && step.at !== "parcel") this.#answer(key === "y")
    else if (key === "u") this.#undoLast()
    else if (key === "s") this.#openNext()
  }

  #answer(yes: boolean): void {
    const { step } = this.state
    if (step.at === "order-question")
      return yes ? this.#openParcel(step.order) : this.#continueAt({ at: "order" })
    if (step.at === "parcel-question") {
      const { number, order } = step
      return yes
        ? this.#checkNumber(number, order, needsCheck(number))
        : this.#showMessage({ at: "order" }, "put-aside", order.id)
    }
    if (step.at !== "number-question") return undefined
    const { order, found, isUnusual, other } = step
    if (!yes) return this.#continueAt(parcelStep(order, false))
    if (other === undefined) return this.#settleCarrier(order, found)
    if (isUnusual) return this.#ask({ ...step, isUnusual: false }, parcelStep(order, true))
    return this.#settleCarrier(order, {
      ...found,
      unchecked: found.unchecked.filter((each) => each !== "number"),
    })
  }

  // Orders

  /**
   * Closes the open order first, whatever this scan leads to: the next label is not for it. An order that has its
   * label and only waits for the carrier is saved first; the outbox requests its carrier.
   */
  #openOrder(text: string): void {
    const { step, waiting } = this.state
    if (step.at === "carrier" && !sameId(step.order.id, text)) {
      const found: FoundNumber = { ...step.found, unchecked: [...step.found.unchecked, "carrier"] }
      this.#set({ waiting: [{ type: "pick", id: text }, ...waiting] })
      return this.#request({ type: "save", order: step.order, found, carrier: null })
    }
    const open = step.at === "order-question" ? undefined : currentOrder(step)
    if (open !== undefined && sameId(open.id, text)) {
      // Scanned twice: the next number certainly belongs to it.
      this.#set({ last: { step: { at: "order" } } })
      return this.#showMessage(parcelStep(open, false), "still-open", open.id)
    }
    if (open !== undefined) this.#continueAt({ at: "order" })
    this.#set({ closed: open?.id ?? null })
    const found = lookUpHere(text, this.#data)
    return found === undefined ? this.#request({ type: "find-order", text }) : this.#openFound(found)
  }

  #openFound(found: OrderLookup): void {
    if ("refusal" in found) return this.#refuse(found.refusal, { at: "order" })
    const { order } = found
    const verdict = guardOrder(order)
    if (verdict.type === "blocked")
      return this.#refuse({ code: verdict.why, what: order.id }, { at: "order" })
    if (verdict.type === "ask")
      return this.#ask({ at: "order-question", order, why: verdict.why }, { at: "order" })
    this.#set({ last: { step: { at: "order" } } })
    return this.#openParcel(order)
  }

  #openParcel(order: KnownOrder): void {
    const step = parcelStep(order, false)
    if (this.state.closed === null) return this.#continueAt(step)
    this.#showMessage(step, "switched", order.id)
    return this.#chime("switched")
  }

  #openNext(): void {
    const { loaded, isQueueLoading, isPackedElsewhere } = this.#data
    if (isQueueLoading) return this.#refuse({ code: "queue-loading" })
    const open = currentOrder(this.state.step)?.id
    const free = loaded.filter(({ id }) => id === open || !isPackedElsewhere(id))
    // One with a number already has its label: it is offered after those without.
    const unlabelled = free.filter(({ id, tracking_number: number }) => id === open || number === null)
    const offered = unlabelled.some(({ id }) => id !== open) ? unlabelled : free
    const following = offered[offered.findIndex(({ id }) => id === open) + 1] ?? offered[0]
    return following === undefined ? this.#refuse({ code: "queue-empty" }) : this.#openOrder(following.id)
  }

  /** Applies the open order's current values, and asks as if it were scanned now. */
  #applyChange({ id, order }: Extract<Input, { type: "changed" }>): void {
    const { step } = this.state
    if (step.at === "order" || step.order.id !== id) return undefined
    if (order === null) return this.#refuse({ code: "no-order", what: id }, { at: "order" })
    const verdict = guardOrder(order)
    if (verdict.type === "blocked") {
      const code = verdict.why === "cancelled" ? "cancelled-since" : verdict.why
      return this.#refuse({ code, what: id }, { at: "order" })
    }
    if (step.at === "order-question") {
      const why = verdict.type === "ask" ? verdict.why : step.why
      return this.#set({ step: { ...step, order, why } })
    }
    return verdict.type === "go"
      ? this.#set({ step: { ...step, order } })
      : this.#ask({ at: "order-question", order, why: verdict.why }, { at: "order" })
  }

  // Parcels

  #checkNumber(number: string, order: KnownOrder, isUnusual: boolean): void {
    const refusal = guardNumber(number)
    if (refusal !== undefined) return this.#refuse(refusal, parcelStep(order, true))
    const request = { type: "check-number", number, order, isUnusual } as const
    return this.#data.isOffline
      ? this.#numberChecked({ type: "number-checked", request, used: undefined, recognised: undefined })
      : this.#request(request)
  }

  #numberChecked({ request, ...lookups }: ResponseTo<"number-checked">): void {
    const { number, order, isUnusual } = request
    const { found, other } = describeNumber(number, order, lookups, this.#data)
    if (isUnusual || other !== undefined)
      this.#ask({ at: "number-question", order, found, isUnusual, other }, parcelStep(order, true))
    else this.#settleCarrier(order, found)
  }

  #settleCarrier(order: KnownOrder, found: FoundNumber): void {
    const isLikely = ({ code }: Carrier) => found.candidates.includes(code)
    const { carriers } = this.#data
    const choices = [...carriers.filter(isLikely), ...carriers.filter((each) => !isLikely(each))]
    // Failed lookups are repeated before the parcel is sent, so the packer is not stopped here.
    const isLater = choices.length === 0 || found.unchecked.includes("carrier")
    if (found.carrier !== null || isLater)
      this.#request({ type: "save", order, found, carrier: found.carrier })
    else this.#ask({ at: "carrier", order, found, choices }, parcelStep(order, true))
  }

  /** Sets the number's carrier; null: none. */
  #choose(carrier: Carrier | null): void {
    const { step } = this.state
    if (step.at !== "carrier") return
    const { order, found } = step
    this.#request({ type: "save", order, found, carrier: carrier?.name ?? null })
    if (carrier !== null && identifiesCarrier(found.number))
      this.effects.push({ type: "remember", number: found.number, carrier })
  }

  #saved({ request: { order, found, carrier }, key, other }: ResponseTo<"saved">): void {
    if (key === null) return this.#refuse({ code: "not-saved" }, uncertainStep(this.state.step))
    if (other !== undefined) return this.#refuse(alreadyInOutbox(other), { at: "order" })
    this.#set({ last: { step: parcelStep(order, true), key } })
    this.#showMessage({ at: "order" }, "saved", order.id, `${carrier ?? ""} ${found.number}`.trim())
    return this.#chime("saved")
  }

  // Undo

  /** Undoes the last scanned parcel that is not being undone already. */
  #undoLast(): void {
    const undone = undoneOrders(this.#data.outbox)
    const newest = scannedParcels(this.#data.outbox).find(({ order_id: id }) => !undone.has(id))
    if (newest === undefined) this.#refuse({ code: "nothing-to-undo" })
    else this.#undo(newest.key)
  }

  /** Undo requested by a person: any time while unsent, within `undoFor` of the scan once sent. */
  #undo(key: string): void {
    const { outbox, now } = this.#data
    const parcel = scannedParcels(outbox).find((each) => each.key === key)
    if (parcel === undefined) this.#refuse({ code: "nothing-to-undo" })
    else if (parcel.state === "asks") this.#refuse({ code: "asks" })
    else if (parcel.state !== "waiting" && now - parcel.at > undoFor) this.#refuse({ code: "too-late" })
    else this.#request({ type: "undo", key, order_id: parcel.order_id, broken: null })
  }

  #undone({ request: { order_id, broken }, way }: ResponseTo<"undone">): void {
    const { step } = this.state
    if (way === "failed") return this.#refuse({ code: "not-undone" }, uncertainStep(step))
    if (broken !== null) return this.#refuse({ code: "broken" }, uncertainStep(broken))
    if (way === "no") return this.#refuse({ code: "too-late" })
    this.#set({ last: null })
    return this.#showMessage(step, way === "sent" ? "undo-sent" : "undone", order_id)
  }
}

const parcelStep = (order: KnownOrder, uncertain: boolean): Step => ({ at: "parcel", order, uncertain })

/** The step after an unreadable scan: it may have been another order. */
function uncertainStep(step: Step): Step {
  return step.at === "order" || step.at === "order-question" ? { at: "order" } : parcelStep(step.order, true)
}

const needsCheck = (number: string) => trackingDoubt(number) !== undefined

const isNews = (input: Input) =>
  input.type === "scan" ? input.read.type === "broken" : input.type === "changed"
