import { createStore } from "zustand"
import { type Carrier, identifiesCarrier } from "../../../../contract/orders.ts"
import { hasWrongCheckDigit } from "../../../../contract/parcel-number.ts"
import { listed } from "../../../lib/format.ts"
import { timeOfDay } from "../../../lib/time.ts"
import {
  changedOrder,
  guardNumber,
  guardOrder,
  meaningOf,
  ordersMeant,
  readNumber,
  readOrder,
  sameId,
  alreadyInOutbox,
} from "./checks.ts"
import {
  currentOrder,
  type FlowPorts,
  type FlowState,
  type FoundNumber,
  type KnownOrder,
  type Refusal,
  type Result,
  type Step,
} from "./flow-state.ts"
import { add, newParcelState, undo, undoneOrders, undoSent } from "./outbox.ts"
import { cleanScan, type Read } from "./scan.ts"

/** How long after its scan a sent parcel can be undone, in ms. After that its order is corrected by hand. */
export const undoFor = 60_000

const firstState: FlowState = { step: { at: "order" }, busy: null, result: null, turn: 0, unread: [] }

/** The ship desk's state machine. Handles scans and commands one at a time, in order. */
export class ShipFlow {
  readonly state = createStore(() => firstState)
  readonly #ports: FlowPorts
  readonly #waiting: { readonly read: Read["type"] | null; readonly run: () => Promise<void> }[] = []
  #isWorking = false
  /** Ends the wait for the pending lookup, on Escape. */
  #endWait: (() => void) | undefined
  /** "Next" waits for the queue to be read; a scan ends that wait. */
  #awaitsQueue = false
  /** What the last text led to, reverted if it turns out to be half a scan. */
  #last: { readonly step: Step; readonly key?: string } | undefined

  constructor(ports: FlowPorts) {
    this.#ports = ports
  }

  /** Handles a scan; scans that arrive during a lookup are queued. */
  readonly take = (read: Read): void => {
    if (this.#awaitsQueue) this.#endWait?.()
    void this.#enqueue(() => this.#handle(read), read.type)
  }

  readonly escape = (): void => {
    this.#cancelPending()
    const step = this.#step
    if (step.at === "order") this.#continueAt(step)
    else if (step.at === "carrier" && step.next !== null)
      this.#refuse({ why: "not-opened", what: step.next }, parcelStep(step.order, true))
    else if ("found" in step) this.#continueAt(parcelStep(step.order, false))
    else this.#setAside(step.order)
  }

  /** Opens the next order of the queue, after the open one. */
  readonly next = (): void => void this.#enqueue(() => this.#openNext())

  readonly pick = (id: string): void => {
    if (this.#awaitsQueue) this.#endWait?.()
    void this.#enqueue(() => this.#handleOrder(id))
  }

  /** Another user changed the open order, at `changedAt` if known: asks as if it were scanned now. */
  readonly changed = (order: KnownOrder, changedAt?: number): void =>
    void this.#enqueue(async () => this.#applyChange(order, changedAt))

  readonly undo = (key: string): void => void this.#enqueue(() => this.#undoOne(key))

  readonly answer = (yes: boolean): void => void this.#enqueue(() => this.#answer(yes))

  /** Sets the number's carrier; null: none. */
  readonly choose = (carrier: Carrier | null): void => void this.#enqueue(() => this.#choose(carrier))

  /** The browser showed the page again from its history: scans may have been lost. */
  readonly restored = (): void => this.#continueAt(uncertainStep(this.#step))

  /** The page is left: a scan in progress is lost with it. */
  readonly leave = (): void => this.#cancelPending()

  // State

  get #step(): Step {
    return this.state.getState().step
  }

  #goTo(step: Step, result: Result | null): void {
    this.state.setState({
      ...this.state.getState(),
      step,
      busy: null,
      result,
      turn: this.state.getState().turn + 1,
    })
  }

  /** Keeps the last result in view while the next order is open, unless it is a refusal. */
  #continueAt(step: Step): void {
    const { result } = this.state.getState()
    const shown = result?.type === "refused" ? null : result
    this.state.setState({ ...this.state.getState(), step, busy: null, result: shown })
  }

  #refuse(refusal: Refusal, step = this.#step, requeued: string | null = null): void {
    const dropped = this.#dropWaiting()
    this.#last = undefined
    this.#ports.chime("refused")
    this.#goTo(step, { type: "refused", refusal, dropped, requeued })
  }

  #question(step: Step, before: Step): void {
    this.#dropWaiting()
    this.#last = { step: before }
    this.#ports.chime("refused")
    this.#continueAt(step)
  }

  #setAside({ id }: KnownOrder): void {
    this.#goTo({ at: "order" }, { type: "put-aside", order_id: id })
  }

  // Waiting scans

  async #enqueue(run: () => Promise<void>, read: Read["type"] | null = null): Promise<void> {
    this.#waiting.push({ read, run })
    if (this.#isWorking) return
    this.#isWorking = true
    try {
      for (let each = this.#waiting.shift(); each !== undefined; each = this.#waiting.shift())
        await each.run()
    } finally {
      this.#isWorking = false
    }
  }

  // Drops the scans that follow a refused or questioned one, except `broken` ones. Returns the number of dropped
  // scans.
  #dropWaiting(): number {
    const all = this.#waiting.splice(0)
    this.#waiting.push(...all.filter(({ read }) => read === "broken"))
    return all.filter(({ read }) => read === "text").length
  }

  /** Cancels the pending lookup and the scans behind it. */
  #cancelPending(): void {
    this.#endWait?.()
    this.#dropWaiting()
  }

  /** Result of a lookup; undefined when Escape was pressed meanwhile. */
  async #unlessEscaped<T>(busy: "order" | "number", lookup: Promise<T>): Promise<T | undefined> {
    let isEscaped = false
    const escaped = new Promise<undefined>((resolve) => {
      this.#endWait = () => {
        isEscaped = true
        resolve(undefined)
      }
    })
    if (!this.#ports.isOffline()) this.state.setState({ ...this.state.getState(), busy })
    const found = await Promise.race([lookup, escaped])
    return isEscaped ? undefined : found
  }

  // Scans

  async #handle(read: Read): Promise<void> {
    if (read.type === "command") return this.#command(read.key)
    if (read.type === "broken") return this.#revertBrokenScan()
    if (read.type === "mixed") return this.#refuse({ why: "mixed" }, uncertainStep(this.#step))
    const text = cleanScan(read.text)
    if (text === "") return undefined
    return this.#handleText(text, read.type === "text" && read.by === "hand", hasWrongCheckDigit(read.text))
  }

  async #handleText(typed: string, byHand: boolean, misread: boolean): Promise<void> {
    const step = this.#step
    const known = this.#knownIds(currentOrder(step))
    const meaning = meaningOf(typed, step, ordersMeant(typed, byHand, known), known)
    switch (meaning.means) {
      case "several":
        return this.#refuse(
          { why: "several", what: typed, detail: listed([...meaning.ids]) },
          { at: "order" },
        )
      case "order":
        return this.#handleOrder(meaning.text)
      case "yes":
        return step.at === "order-question"
          ? this.#openOrder(step.order, step.from, false)
          : this.#answer(true)
      case "nothing":
        return this.#ports.chime("refused")
      case "number":
        return this.#handleNumber(typed, meaning.order, misread)
      case "perhaps-number": {
        const again = parcelStep(meaning.order, true)
        const verdict = guardNumber(typed)
        if (verdict.type === "blocked") return this.#refuse(verdict, again)
        return this.#question({ at: "parcel-question", order: meaning.order, number: typed }, again)
      }
    }
  }

  #knownIds(order: KnownOrder | undefined): string[] {
    const { parcels, shipped } = this.#ports.outbox.data.getState()
    const here = [...parcels, ...shipped].map(({ order_id: id }) => id)
    return [...(order === undefined ? [] : [order.id]), ...this.#ports.loaded().map(({ id }) => id), ...here]
  }

  async #revertBrokenScan(): Promise<void> {
    const was = this.#last
    if (was?.key !== undefined) await this.#undoParcel(was.key)
    this.#refuse({ why: "broken" }, uncertainStep(was?.step ?? this.#step))
  }

  async #command(key: string): Promise<void> {
    const step = this.#step
    if (step.at === "carrier") {
      const chosen = key === "0" ? null : step.choices[Number(key) - 1]
      return chosen === undefined ? undefined : this.#choose(chosen)
    }
    if (step.at === "order" || step.at === "parcel") return key === "u" ? this.#undoLast() : this.#openNext()
    return this.#answer(key === "y")
  }

  async #answer(yes: boolean): Promise<void> {
    const step = this.#step
    if (step.at === "order-question")
      return yes ? this.#openOrder(step.order, step.from, step.uncertain) : this.#continueAt({ at: "order" })
    if (step.at === "parcel-question")
      return yes ? this.#handleNumber(step.number, step.order) : this.#setAside(step.order)
    if (step.at !== "number-question") return undefined
    if (!yes) return this.#continueAt(parcelStep(step.order, false))
    if (step.other === undefined) return this.#settleCarrier(step.order, step.found)
    if (step.misread) return this.#question({ ...step, misread: false }, parcelStep(step.order, true))
    return this.#settleCarrier(step.order, numberChecked(step.found))
  }

  // Orders

  // The open order is closed first, whatever this scan leads to: the next label is not for it. Exception: an order
  // that has its label and only waits for the carrier stays open.
  async #handleOrder(text: string): Promise<void> {
    const step = this.#step
    if (step.at === "carrier" && !sameId(step.order.id, text)) {
      this.#ports.chime("refused")
      return this.#continueAt({ ...step, next: text })
    }
    const open = step.at === "order-question" ? undefined : currentOrder(step)
    if (open !== undefined && sameId(open.id, text)) {
      // Scanned twice: the next number certainly belongs to it.
      this.#last = { step: { at: "order" } }
      return this.#goTo(parcelStep(open, false), { type: "still-open", order_id: open.id })
    }
    if (open !== undefined) this.#continueAt({ at: "order" })
    const read = await this.#unlessEscaped("order", readOrder(text, this.#ports))
    if (read === undefined) return
    const from = open?.id ?? null
    if (read.type === "refused") return this.#refuse(read.refusal, { at: "order" }, from)
    if (read.type === "label") {
      this.#last = { step: { at: "order" } }
      this.#ports.chime("refused")
      return this.#goTo({ at: "order" }, { type: "label-again", order_id: read.order_id, number: text })
    }
    const { order } = read
    if (read.loaded) this.#rereadOrder(order)
    if (read.type === "ask") {
      const question = { at: "order-question", order, why: read.why, from, uncertain: false } as const
      return this.#question(question, { at: "order" })
    }
    this.#last = { step: { at: "order" } }
    this.#openOrder(order, from, false)
  }

  #openOrder(order: KnownOrder, from: string | null, uncertain: boolean): void {
    const step = parcelStep(order, uncertain)
    if (from === null) return this.#continueAt(step)
    this.#ports.chime("switched")
    this.#goTo(step, { type: "switched", order_id: order.id, from })
  }

  async #openNext(): Promise<void> {
    this.#awaitsQueue = true
    const read = (this.#ports.queueRead?.() ?? Promise.resolve()).then(() => true)
    const isRead = await this.#unlessEscaped("order", read)
    this.#awaitsQueue = false
    if (isRead === undefined) return this.#continueAt(this.#step)
    const open = currentOrder(this.#step)?.id
    const offered = this.#ports.loaded().filter(({ id }) => id === open || !this.#ports.isPackedElsewhere(id))
    const at = offered.findIndex(({ id }) => id === open)
    const following = offered[at + 1] ?? offered[0]
    return following === undefined ? this.#refuse({ why: "queue-empty" }) : this.#handleOrder(following.id)
  }

  /** Refetches an order of the queue, which may be minutes old, without blocking the packer. */
  #rereadOrder(known: KnownOrder): void {
    if (this.#ports.isOffline()) return
    const { unread } = this.state.getState()
    this.state.setState({
      ...this.state.getState(),
      unread: [...unread.filter((id) => id !== known.id), known.id],
    })
    this.#ports.find(known.id).then(
      (order) => void this.#enqueue(() => this.#applyRead(known, order)),
      // It is compared again before the parcel is sent.
      () => {},
    )
  }

  /** Applies a refetched order to the open step, or to its unsent parcel. */
  async #applyRead(known: KnownOrder, now: KnownOrder | undefined): Promise<void> {
    const { step, unread } = this.state.getState()
    this.state.setState({ ...this.state.getState(), unread: unread.filter((id) => id !== known.id) })
    const isSame = now?.status === known.status && now.tracking_number === known.tracking_number
    if (step.at !== "order" && step.order.id === known.id) {
      if (now === undefined) this.#refuse({ why: "no-order", what: known.id }, { at: "order" })
      else if (!isSame) this.#applyChange(now, undefined)
    } else if (!isSame) await this.#ports.outbox.change(changedOrder(known, now))
  }

  /**
   * Applies the order's current values to the open step. `changedAt`: when it changed, in ms since the epoch, if
   * known.
   */
  #applyChange(order: KnownOrder, changedAt: number | undefined): void {
    const step = this.#step
    if (step.at === "order" || step.order.id !== order.id) return
    const verdict = guardOrder(order)
    if (verdict.type === "blocked") {
      const why = verdict.why === "cancelled" ? "cancelled-since" : verdict.why
      const detail = changedAt === undefined ? "" : timeOfDay(changedAt)
      return this.#refuse({ why, what: order.id, detail }, { at: "order" })
    }
    if (step.at === "order-question") {
      const why = verdict.type === "ask" ? verdict.why : step.why
      return this.state.setState({ ...this.state.getState(), step: { ...step, order, why } })
    }
    if (verdict.type === "go")
      return this.state.setState({ ...this.state.getState(), step: { ...step, order } })
    const question = { at: "order-question", order, why: verdict.why, from: null, uncertain: true } as const
    this.#question(question, { at: "order" })
  }

  // Parcels

  async #handleNumber(text: string, order: KnownOrder, misread = hasWrongCheckDigit(text)): Promise<void> {
    const read = await this.#unlessEscaped("number", readNumber(text, order, this.#ports))
    if (read === undefined) return
    const again = parcelStep(order, true)
    if (read.type === "refused") return this.#refuse(read.refusal, again)
    const { found, other } = read
    if (misread || other !== undefined)
      return this.#question({ at: "number-question", order, found, misread, other }, again)
    await this.#settleCarrier(order, found)
  }

  async #settleCarrier(order: KnownOrder, found: FoundNumber): Promise<void> {
    const isLikely = ({ code }: Carrier) => found.candidates.includes(code)
    const offered = this.#ports.carriers()
    const choices = [...offered.filter(isLikely), ...offered.filter((each) => !isLikely(each))]
    // Failed lookups are repeated before the parcel is sent, so the packer is not stopped here.
    const isLeft = choices.length === 0 || found.unchecked.includes("carrier")
    if (found.carrier !== null || isLeft) return this.#saveParcel(order, found, found.carrier)
    this.#question({ at: "carrier", order, found, choices, next: null }, parcelStep(order, true))
  }

  async #choose(carrier: Carrier | null): Promise<void> {
    const step = this.#step
    if (step.at !== "carrier") return
    const { order, found, next } = step
    if (carrier !== null && identifiesCarrier(found.number)) this.#ports.remember(found.number, carrier)
    await this.#saveParcel(order, found, carrier?.name ?? null)
    if (next !== null && this.#step.at === "order") await this.#handleOrder(next)
  }

  async #saveParcel(order: KnownOrder, found: FoundNumber, carrier: string | null): Promise<void> {
    const { id, status, tracking_number, carrier: before, subject } = order
    const key = this.#ports.newKey()
    const parcel = {
      ...newParcelState,
      key,
      at: this.#ports.now(),
      order_id: id,
      tracking_number: found.number,
      carrier,
      expected: { status, tracking_number, carrier: before },
      unchecked: [...found.unchecked],
      subject,
    }
    try {
      const { parcels } = await this.#ports.outbox.change(add(parcel))
      const there = parcels.find(({ order_id }) => order_id === id)
      // Another tab has shipped it meanwhile.
      if (there !== undefined && there.key !== key)
        return this.#refuse(alreadyInOutbox(there), { at: "order" })
    } catch {
      return this.#refuse({ why: "not-saved" }, uncertainStep(this.#step))
    }
    this.#last = { step: parcelStep(order, true), key }
    this.#ports.chime("saved")
    this.#goTo({ at: "order" }, { type: "saved", key, order, number: found.number, carrier })
  }

  // Undo

  #scanned() {
    const { parcels, shipped } = this.#ports.outbox.data.getState()
    const done = shipped.map((each) => ({ ...each, state: "shipped", at: each.scanned_at ?? 0 }) as const)
    return [...parcels, ...done].toSorted((one, other) => other.at - one.at)
  }

  /** Undoes the last scanned parcel that is not being undone already. */
  async #undoLast(): Promise<void> {
    const undone = undoneOrders(this.#ports.outbox.data.getState())
    const newest = this.#scanned().find(
      ({ key, at, order_id: id }) => key !== undefined && at > 0 && !undone.has(id),
    )
    return newest?.key === undefined ? this.#refuse({ why: "nothing-to-undo" }) : this.#undoOne(newest.key)
  }

  /** Undo requested by a person: any time while unsent, within `undoFor` of the scan once sent. */
  async #undoOne(key: string): Promise<void> {
    const found = this.#scanned().find((each) => each.key === key)
    if (found === undefined) return this.#refuse({ why: "nothing-to-undo" })
    if (found.state === "asks") return this.#refuse({ why: "asks" })
    if (found.state !== "waiting" && this.#ports.now() - found.at > undoFor)
      return this.#refuse({ why: "too-late" })
    const way = await this.#undoParcel(key)
    if (way === "no") return this.#refuse({ why: "too-late" })
    this.#last = undefined
    this.#goTo(this.#step, { type: "undone", order_id: found.order_id, sent: way === "sent" })
  }

  /** Removes an unsent parcel; sends an undo for a sent one. */
  async #undoParcel(key: string): Promise<"unsent" | "sent" | "no"> {
    const { outbox, newKey, now } = this.#ports
    const waited = holds(outbox.data.getState().parcels, key)
    const without = await outbox.change(undo(key))
    if (waited && !holds(without.parcels, key) && !holds(without.shipped, key)) return "unsent"
    const undoKey = newKey()
    const { parcels } = await outbox.change(undoSent(key, undoKey, now()))
    return holds(parcels, undoKey) ? "sent" : "no"
  }
}

function holds(parcels: readonly { readonly key?: string | undefined }[], key: string): boolean {
  return parcels.some((each) => each.key === key)
}

const parcelStep = (order: KnownOrder, uncertain: boolean): Step => ({ at: "parcel", order, uncertain })

/** The step after an unreadable scan: it may have been another order. */
function uncertainStep(step: Step): Step {
  return step.at === "order" || step.at === "order-question" ? { at: "order" } : parcelStep(step.order, true)
}

function numberChecked(found: FoundNumber): FoundNumber {
  return { ...found, unchecked: found.unchecked.filter((each) => each !== "number") }
}
