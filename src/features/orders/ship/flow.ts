import { createStore } from "zustand"
import { type Carrier, identifiesCarrier } from "../../../../contract/orders.ts"
import { hasWrongCheckDigit } from "../../../../contract/parcel-number.ts"
import { listed } from "../../../lib/format.ts"
import { namedOrder, orderFinder } from "../../../lib/order-ids.ts"
import { timeOfDay } from "../../../lib/time.ts"
import {
  changedOrder,
  guardNumber,
  guardOrder,
  readNumber,
  readOrder,
  sameId,
  looksLikeOrder,
  alreadyInOutbox,
} from "./checks.ts"
import {
  currentOrder,
  type FlowPorts,
  type FlowState,
  type FoundNumber,
  toSavedOrder,
  type KnownOrder,
  type Refusal,
  type Result,
  type Step,
} from "./flow-state.ts"
import { add, newParcelState, undo, undoneOrders, undoSent } from "./outbox.ts"
import { cleanScan, type Read } from "./scan.ts"

/** How long after its scan a sent parcel can be undone, in ms. After that its order is corrected by hand. */
export const undoFor = 60_000

export type ShipFlow = ReturnType<typeof createShipFlow>

/** The ship desk's state machine. Handles scans and commands one at a time, in order. */
export function createShipFlow(ports: FlowPorts) {
  const state = createStore(() => firstState(ports))
  const saveOpenOrder = () => ports.savedOrder.write(toSavedOrder(state.getState().step, null))
  state.subscribe(saveOpenOrder)
  const waiting: { readonly read: Read["type"] | null; readonly run: () => Promise<void> }[] = []
  let working = false
  /** Ends the wait for the pending lookup, on Escape. */
  let endWait: (() => void) | undefined
  /** "Next" waits for the queue to be read; a scan ends that wait. */
  let awaitsQueue = false
  /** What the last text led to, reverted if it turns out to be half a scan. */
  let last: { readonly step: Step; readonly key?: string } | undefined

  function goTo(step: Step, result: Result | null): void {
    state.setState({ step, busy: null, result, turn: state.getState().turn + 1 })
  }

  /** Keeps the last result in view while the next order is open, unless it is a refusal. */
  function continueAt(step: Step): void {
    const { result } = state.getState()
    state.setState({ step, busy: null, result: result?.type === "refused" ? null : result })
  }

  function refuse(refusal: Refusal, step = state.getState().step, requeued: string | null = null): void {
    const dropped = dropWaiting()
    last = undefined
    ports.chime("refused")
    goTo(step, { type: "refused", refusal, dropped, requeued })
  }

  // Drops the scans that follow a refused or questioned one, except `broken` ones. Returns the number of dropped
  // scans.
  function dropWaiting(): number {
    const all = waiting.splice(0)
    waiting.push(...all.filter(({ read }) => read === "broken"))
    return all.filter(({ read }) => read === "text").length
  }

  /** Cancels the pending lookup and the scans behind it. */
  function cancelPending(): void {
    endWait?.()
    dropWaiting()
  }

  function question(step: Step, before: Step): void {
    dropWaiting()
    last = { step: before }
    ports.chime("refused")
    continueAt(step)
  }

  async function saveParcel(order: KnownOrder, found: FoundNumber, carrier: string | null): Promise<void> {
    const { id, status, tracking_number, carrier: before, subject } = order
    const key = ports.newKey()
    try {
      const { parcels } = await ports.outbox.change(
        add({
          ...newParcelState,
          key,
          at: ports.now(),
          order_id: id,
          tracking_number: found.number,
          carrier,
          expected: { status, tracking_number, carrier: before },
          unchecked: [...found.unchecked],
          subject,
        }),
      )
      const there = parcels.find(({ order_id }) => order_id === id)
      // Another tab has shipped it meanwhile.
      if (there !== undefined && there.key !== key) return refuse(alreadyInOutbox(there), { at: "order" })
    } catch {
      return refuse({ why: "not-saved" }, uncertainStep(state.getState().step))
    }
    last = { step: parcelStep(order, true), key }
    ports.chime("saved")
    goTo({ at: "order" }, { type: "saved", key, order, number: found.number, carrier })
  }

  async function settleCarrier(order: KnownOrder, found: FoundNumber): Promise<void> {
    const isLikely = ({ code }: Carrier) => found.candidates.includes(code)
    const offered = ports.carriers()
    const choices = [...offered.filter(isLikely), ...offered.filter((each) => !isLikely(each))]
    // Failed lookups are repeated before the parcel is sent, so the packer is not stopped here.
    const isLeft = choices.length === 0 || found.unchecked.includes("carrier")
    if (found.carrier !== null || isLeft) return saveParcel(order, found, found.carrier)
    question({ at: "carrier", order, found, choices, next: null }, parcelStep(order, true))
  }

  /** Result of a lookup; undefined when Escape was pressed meanwhile. */
  async function unlessEscaped<T>(busy: "order" | "number", looking: Promise<T>): Promise<T | undefined> {
    let isEscaped = false
    const escaped = new Promise<undefined>((resolve) => {
      endWait = () => {
        isEscaped = true
        resolve(undefined)
      }
    })
    if (!ports.isOffline()) state.setState({ busy })
    const found = await Promise.race([looking, escaped])
    return isEscaped ? undefined : found
  }

  // The open order is closed first, whatever this scan leads to: the next label is not for it. Exception: an order
  // that has its label and only waits for the carrier stays open.
  async function handleOrder(text: string): Promise<void> {
    const { step } = state.getState()
    if (step.at === "carrier" && !sameId(step.order.id, text)) {
      ports.chime("refused")
      return continueAt({ ...step, next: text })
    }
    const open = step.at === "order-question" ? undefined : currentOrder(step)
    if (open !== undefined && sameId(open.id, text)) {
      // Scanned twice: the next number certainly belongs to it.
      last = { step: { at: "order" } }
      return goTo(parcelStep(open, false), { type: "still-open", order_id: open.id, reloaded: false })
    }
    if (open !== undefined) continueAt({ at: "order" })
    const read = await unlessEscaped("order", readOrder(text, ports))
    if (read === undefined) return
    const from = open?.id ?? null
    if (read.type === "refused") return refuse(read.refusal, { at: "order" }, from)
    if (read.type === "label") {
      last = { step: { at: "order" } }
      ports.chime("refused")
      return goTo({ at: "order" }, { type: "label-again", order_id: read.order_id, number: text })
    }
    const { order } = read
    if (read.loaded) rereadOrder(order)
    if (read.type === "ask")
      return question({ at: "order-question", order, why: read.why, from, uncertain: false }, { at: "order" })
    last = { step: { at: "order" } }
    openOrder(order, from, false)
  }

  /** Refetches an order of the queue, which may be minutes old, without blocking the packer. */
  function rereadOrder(known: KnownOrder): void {
    if (ports.isOffline()) return
    const { unread } = state.getState()
    state.setState({ unread: [...unread.filter((id) => id !== known.id), known.id] })
    ports.find(known.id).then(
      (order) => void enqueue(() => applyRead(known, order)),
      // It is compared again before the parcel is sent.
      () => {},
    )
  }

  /** Applies a refetched order to the open step, or to its unsent parcel. */
  async function applyRead(known: KnownOrder, now: KnownOrder | undefined): Promise<void> {
    const before = state.getState()
    const { step } = before
    state.setState({ ...before, unread: before.unread.filter((id) => id !== known.id) }, true)
    const isSame = now?.status === known.status && now.tracking_number === known.tracking_number
    if (step.at !== "order" && step.order.id === known.id) {
      if (now === undefined) refuse({ why: "no-order", what: known.id }, { at: "order" })
      else if (!isSame) applyChange(now, undefined)
    } else if (!isSame) await ports.outbox.change(changedOrder(known, now))
  }

  function openOrder(order: KnownOrder, from: string | null, uncertain: boolean): void {
    const step = parcelStep(order, uncertain)
    if (from === null) return continueAt(step)
    ports.chime("switched")
    goTo(step, { type: "switched", order_id: order.id, from })
  }

  async function handleNumber(
    text: string,
    order: KnownOrder,
    misread = hasWrongCheckDigit(text),
  ): Promise<void> {
    const read = await unlessEscaped("number", readNumber(text, order, ports))
    if (read === undefined) return
    const again = parcelStep(order, true)
    if (read.type === "refused") return refuse(read.refusal, again)
    const { found, other } = read
    if (misread || other !== undefined)
      return question({ at: "number-question", order, found, misread, other }, again)
    await settleCarrier(order, found)
  }

  async function handleText(typed: string, byHand: boolean, misread: boolean): Promise<void> {
    const { step } = state.getState()
    const [named, ...others] = meantBy(typed, byHand, currentOrder(step))
    const meansOrder = step.at === "order" || step.at === "order-question"
    if (meansOrder && named !== undefined && others.length > 0)
      return refuse({ why: "several", what: typed, detail: listed([named, ...others]) }, { at: "order" })
    const text = meansOrder ? (named ?? typed) : typed
    if (step.at === "order") return handleOrder(text)
    if (step.at === "order-question") {
      // The same code again confirms, for hands that hold only a scanner.
      return sameId(text, step.order.id) ? openOrder(step.order, step.from, false) : handleOrder(text)
    }
    const { order } = step
    const known = knownIds(order)
    const alike = looksLikeOrder(text, known)
    const seems = alike === "no" && named !== undefined && known.includes(named) ? "perhaps" : alike
    if (seems === "yes") {
      // After a refused scan only a key confirms the number: scanning the order again may mean starting over.
      const confirms = step.at === "number-question" && !step.misread && sameId(text, order.id)
      return confirms ? answer(true) : handleOrder(text)
    }
    // It may be the parcel of the order that opens next.
    if (step.at === "carrier" && step.next !== null) return ports.chime("refused")
    // A different number during a question, or after a refused scan, may belong to another parcel.
    const sure =
      step.at === "parcel" ? !step.uncertain : step.at !== "parcel-question" && text === step.found.number
    // Scanning it again does not confirm.
    if (seems === "no" && sure) return handleNumber(text, order, misread)
    const verdict = guardNumber(text)
    if (verdict.type === "blocked") return refuse(verdict, parcelStep(order, true))
    question({ at: "parcel-question", order, number: text }, parcelStep(order, true))
  }

  function knownIds(order: KnownOrder | undefined): string[] {
    const { parcels, shipped } = ports.outbox.data.getState()
    const here = [...parcels, ...shipped].map(({ order_id: id }) => id)
    return [...(order === undefined ? [] : [order.id]), ...ports.loaded().map(({ id }) => id), ...here]
  }

  /** The known orders that an id or its short form (`#20411`) means. Typed digits also name an unknown order. */
  function meantBy(text: string, byHand: boolean, open: KnownOrder | undefined): readonly string[] {
    const known = knownIds(open)
    const meant = orderFinder(known)(text)
    if (meant.length > 0) return meant
    const named = byHand || /^#|^order/i.test(text) ? namedOrder(text, known[0]) : undefined
    return named === undefined ? [] : [named]
  }

  async function revertBrokenScan(): Promise<void> {
    const was = last
    if (was?.key !== undefined) await undoParcel(was.key)
    refuse({ why: "broken" }, uncertainStep(was?.step ?? state.getState().step))
  }

  async function command(key: string): Promise<void> {
    const { step } = state.getState()
    if (step.at === "carrier") {
      const chosen = key === "0" ? null : step.choices[Number(key) - 1]
      return chosen === undefined ? undefined : choose(chosen)
    }
    if (step.at === "order" || step.at === "parcel") return key === "u" ? undoLast() : next()
    return answer(key === "y")
  }

  async function enqueue(run: () => Promise<void>, read: Read["type"] | null = null): Promise<void> {
    waiting.push({ read, run })
    if (working) return
    working = true
    try {
      for (let each = waiting.shift(); each !== undefined; each = waiting.shift()) await each.run()
    } finally {
      working = false
    }
  }

  async function handle(read: Read): Promise<void> {
    if (read.type === "command") return command(read.key)
    if (read.type === "broken") return revertBrokenScan()
    if (read.type === "mixed") return refuse({ why: "mixed" }, uncertainStep(state.getState().step))
    const text = cleanScan(read.text)
    if (text === "") return undefined
    return handleText(text, read.type === "text" && read.by === "hand", hasWrongCheckDigit(read.text))
  }

  async function answer(yes: boolean): Promise<void> {
    const { step } = state.getState()
    if (step.at === "order-question")
      return yes ? openOrder(step.order, step.from, step.uncertain) : continueAt({ at: "order" })
    if (step.at === "parcel-question")
      return yes ? handleNumber(step.number, step.order) : setAside(step.order)
    if (step.at !== "number-question") return undefined
    if (!yes) return continueAt(parcelStep(step.order, false))
    if (step.other === undefined) return settleCarrier(step.order, step.found)
    if (step.misread) return question({ ...step, misread: false }, parcelStep(step.order, true))
    return settleCarrier(step.order, numberChecked(step.found))
  }

  /**
   * Applies the order's current values to the open step. `changedAt`: when it changed, in ms since the epoch, if
   * known.
   */
  function applyChange(order: KnownOrder, changedAt: number | undefined): void {
    const { step } = state.getState()
    if (step.at === "order" || step.order.id !== order.id) return
    const verdict = guardOrder(order)
    if (verdict.type === "blocked") {
      const why = verdict.why === "cancelled" ? "cancelled-since" : verdict.why
      const detail = changedAt === undefined ? "" : timeOfDay(changedAt)
      return refuse({ why, what: order.id, detail }, { at: "order" })
    }
    if (step.at === "order-question") {
      const why = verdict.type === "ask" ? verdict.why : step.why
      return state.setState({ step: { ...step, order, why } })
    }
    if (verdict.type === "go") return state.setState({ step: { ...step, order } })
    question({ at: "order-question", order, why: verdict.why, from: null, uncertain: true }, { at: "order" })
  }

  function setAside({ id }: KnownOrder): void {
    goTo({ at: "order" }, { type: "put-aside", order_id: id })
  }

  async function choose(carrier: Carrier | null): Promise<void> {
    const { step } = state.getState()
    if (step.at !== "carrier") return
    const { order, found, next } = step
    if (carrier !== null && identifiesCarrier(found.number)) ports.remember(found.number, carrier)
    await saveParcel(order, found, carrier?.name ?? null)
    if (next !== null && state.getState().step.at === "order") await handleOrder(next)
  }

  function scanned() {
    const { parcels, shipped } = ports.outbox.data.getState()
    const done = shipped.map((each) => ({ ...each, state: "shipped", at: each.scanned_at ?? 0 }) as const)
    return [...parcels, ...done].toSorted((one, other) => other.at - one.at)
  }

  /** Undoes the last scanned parcel that is not being undone already. */
  async function undoLast(): Promise<void> {
    const undone = undoneOrders(ports.outbox.data.getState())
    const newest = scanned().find(
      ({ key, at, order_id: id }) => key !== undefined && at > 0 && !undone.has(id),
    )
    return newest?.key === undefined ? refuse({ why: "nothing-to-undo" }) : undoOne(newest.key)
  }

  /** Undo requested by a person: any time while unsent, within `undoFor` of the scan once sent. */
  async function undoOne(key: string): Promise<void> {
    const found = scanned().find((each) => each.key === key)
    if (found === undefined) return refuse({ why: "nothing-to-undo" })
    if (found.state === "asks") return refuse({ why: "asks" })
    if (found.state !== "waiting" && ports.now() - found.at > undoFor) return refuse({ why: "too-late" })
    const way = await undoParcel(key)
    if (way === "no") return refuse({ why: "too-late" })
    last = undefined
    goTo(state.getState().step, { type: "undone", order_id: found.order_id, sent: way === "sent" })
  }

  /** Removes an unsent parcel; sends an undo for a sent one. */
  async function undoParcel(key: string): Promise<"unsent" | "sent" | "no"> {
    const waited = holds(ports.outbox.data.getState().parcels, key)
    const without = await ports.outbox.change(undo(key))
    if (waited && !holds(without.parcels, key) && !holds(without.shipped, key)) return "unsent"
    const undoKey = ports.newKey()
    const { parcels } = await ports.outbox.change(undoSent(key, undoKey, ports.now()))
    return holds(parcels, undoKey) ? "sent" : "no"
  }

  async function next(): Promise<void> {
    awaitsQueue = true
    const isRead = await unlessEscaped(
      "order",
      (ports.queueRead?.() ?? Promise.resolve()).then(() => true),
    )
    awaitsQueue = false
    if (isRead === undefined) return continueAt(state.getState().step)
    const open = currentOrder(state.getState().step)?.id
    const loaded = ports.loaded().filter(({ id }) => id === open || !ports.isPackedElsewhere(id))
    const at = loaded.findIndex(({ id }) => id === open)
    const following = loaded[at + 1] ?? loaded[0]
    return following === undefined ? refuse({ why: "queue-empty" }) : handleOrder(following.id)
  }

  return {
    state,
    /** Handles a scan; scans that arrive during a lookup are queued. */
    take: (read: Read) => {
      if (awaitsQueue) endWait?.()
      void enqueue(() => handle(read), read.type)
    },
    escape: () => {
      cancelPending()
      const { step } = state.getState()
      if (step.at === "order") continueAt(step)
      else if (step.at === "carrier" && step.next !== null)
        refuse({ why: "not-opened", what: step.next }, parcelStep(step.order, true))
      else if ("found" in step) continueAt(parcelStep(step.order, false))
      else setAside(step.order)
    },
    /** Opens the next order of the queue, after the open one. */
    next: () => void enqueue(next),
    pick: (id: string) => {
      if (awaitsQueue) endWait?.()
      void enqueue(() => handleOrder(id))
    },
    /** Another user changed the open order, at `changedAt` if known: asks as if it were scanned now. */
    changed: (order: KnownOrder, changedAt?: number) =>
      void enqueue(async () => applyChange(order, changedAt)),
    undo: (key: string) => void enqueue(() => undoOne(key)),
    answer: (yes: boolean) => void enqueue(() => answer(yes)),
    /** Sets the number's carrier; null: none. */
    choose: (carrier: Carrier | null) => void enqueue(() => choose(carrier)),
    /**
     * The page was opened; `restored` from the browser's history, so scans may have been lost. Saves the order
     * without `left_at`: if `leave` is never called, the page has crashed.
     */
    enter: (restored: boolean) =>
      restored ? continueAt(uncertainStep(state.getState().step)) : saveOpenOrder(),
    leave: () => {
      cancelPending()
      // A scan in progress is lost with the page, and may have been another order.
      ports.savedOrder.write(toSavedOrder(state.getState().step, ports.now(), working))
    },
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

/** The longest absence, in ms, after which no scan can have been lost; beyond it the open order is uncertain. */
const awayFor = 10_000

/**
 * Starts with the order that was open when the page was left, unless it was shipped since, perhaps in another tab.
 */
function firstState({ savedOrder, outbox, now }: FlowPorts): FlowState {
  const empty: FlowState = { step: { at: "order" }, busy: null, result: null, turn: 0, unread: [] }
  const was = savedOrder.read()
  if (was === null) return empty
  const { id, tracking_number: number } = was.step.order
  const { parcels, shipped } = outbox.data.getState()
  const isShipped = shipped.some((each) => each.order_id === id && each.tracking_number !== number)
  if (isShipped || parcels.some((each) => each.order_id === id)) return empty
  const isAway = was.left_at === null || now() - was.left_at > awayFor
  const step = toSavedOrder(was.step, null, isAway)?.step ?? empty.step
  return { ...empty, step, result: { type: "still-open", order_id: id, reloaded: true } }
}
