import type { Carrier } from "../../../../contract/orders.ts"
import { guardNumber, type OrderRead, readNumber, readOrder, sameId, seemsOrder } from "./checks.ts"
import { externalValue } from "../../../lib/external-value.ts"
import {
  currentOrder,
  firstState,
  type FlowPorts,
  type FlowState,
  type FoundNumber,
  heldOf,
  type HeldOrder,
  type KnownOrder,
  type Refusal,
  type Result,
  type Step,
} from "./flow-state.ts"
import { add, type OutboxData, undo, undoneOrders, undoSent } from "./outbox.ts"
import { cleanScan, type Meaning, type Read } from "./scan.ts"

/** How long after its scan a parcel can be undone once it was sent, in ms. After that its order is corrected by hand. */
export const undoFor = 60_000

/** The ship desk: order, parcel, kept, next. */
export type ShipFlow = ReturnType<typeof createShipFlow>

/** What single keys mean at a step. */
export function meaningAt({ at }: Step): Meaning {
  if (at === "order" || at === "parcel") return { commands: "us", alone: 400 }
  return { commands: at === "carrier" ? "0123456789" : "yn", alone: 160 }
}

/** Runs the ship desk over its ports, one thing after the other in the order a person did them. */
export function createShipFlow(ports: FlowPorts) {
  const state = externalValue<FlowState>(firstState(stillOpen(ports)))
  const keepHeld = () => ports.held.keep(heldOf(state.get().step, null))
  state.subscribe(keepHeld)
  /** What a person did while something was looked up. */
  const waiting: { readonly read: Read["type"] | null; readonly run: () => Promise<void> }[] = []
  let working = false
  /** Grows with each Escape: what was being looked up then is not wanted any more. */
  let escapes = 0
  /** Ends the wait for what is being looked up, so that what comes after Escape need not wait for it. */
  let endWait: (() => void) | undefined
  /** What the last text led to: taken back when it turns out to have been half of one. */
  let last: { readonly step: Step; readonly key?: string } | undefined

  function go(step: Step, result: Result | null = null): void {
    const { turn } = state.get()
    state.set({ step, busy: null, result, turn: turn + 1 })
  }

  /** The last result stays in view while the next order is open. */
  function goOn(step: Step): void {
    state.set({ ...state.get(), step, busy: null })
  }

  /** Nothing is done. An order that stays open is uncertain from here on where a scan was refused. */
  function refuse(refusal: Refusal, step = state.get().step, putBack: string | null = null): void {
    const dropped = dropWaiting()
    last = undefined
    ports.chime("refused")
    go(step, { type: "refused", refusal, dropped, putBack })
  }

  /**
   * Drops what was scanned after what is refused or asked about: it was meant to follow it. That a scan was only half of
   * one is never dropped. Answers how many scans went.
   */
  function dropWaiting(): number {
    const all = waiting.splice(0)
    waiting.push(...all.filter(({ read }) => read === "broken"))
    return all.filter(({ read }) => read === "text").length
  }

  /** Nobody waits any more for what is being looked up and what was scanned after it. */
  function forget(): void {
    escapes += 1
    endWait?.()
    dropWaiting()
  }

  function question(step: Step, before: Step): void {
    dropWaiting()
    last = { step: before }
    ports.chime("refused")
    goOn(step)
  }

  async function keep(order: KnownOrder, found: FoundNumber, carrier: string | null): Promise<void> {
    const { id, status, tracking_number, carrier: before } = order
    const key = ports.newKey()
    try {
      const { parcels } = await ports.outbox.change(
        add({
          key,
          at: ports.now(),
          order_id: id,
          tracking_number: found.number,
          carrier,
          expected: { status, tracking_number, carrier: before },
          unchecked: [...found.unchecked],
          state: "waiting",
          job: null,
          question: null,
        }),
      )
      const there = parcels.find(({ order_id }) => order_id === id)
      if (there !== undefined && there.key !== key) {
        // Another tab has shipped it meanwhile.
        const { tracking_number: number, undoes } = there
        return refuse({ why: "in-outbox", text: id, number, undoing: undoes !== undefined }, { at: "order" })
      }
    } catch (error) {
      return refuse({ why: "not-kept", error }, uncertain(state.get().step))
    }
    last = { step: { at: "parcel", order, uncertain: true }, key }
    ports.chime("kept")
    go({ at: "order" }, { type: "kept", key, order, number: found.number, carrier })
  }

  /** Whose number it is, if nobody has to be asked. */
  async function settleCarrier(order: KnownOrder, found: FoundNumber): Promise<void> {
    if (found.carrier !== null) return keep(order, found, found.carrier)
    const offered = ports.carriers()
    const isLikely = ({ code }: Carrier) => found.candidates.includes(code)
    const others = offered.filter((carrier) => !isLikely(carrier))
    const choices = [...offered.filter(isLikely), ...others].slice(0, 9)
    if (choices.length === 0) return keep(order, found, null)
    question({ at: "carrier", order, found, choices }, { at: "parcel", order, uncertain: true })
  }

  function wait(busy: "order" | "number"): void {
    state.set({ ...state.get(), busy })
  }

  /** What a look-up finds; undefined when Escape was pressed meanwhile: nobody wants it any more. */
  async function unlessEscaped<T>(looking: Promise<T>): Promise<T | undefined> {
    const before = escapes
    const escaped = new Promise<undefined>((resolve) => (endWait = () => resolve(undefined)))
    const found = await Promise.race([looking, escaped])
    return escapes === before ? found : undefined
  }

  /**
   * An order was scanned or chosen. The one that was open is put back first, whatever comes of this one: the next label is
   * not for it.
   */
  async function takeOrder(text: string): Promise<void> {
    const { step } = state.get()
    const open = step.at === "order-question" ? undefined : currentOrder(step)
    if (open !== undefined && sameId(open.id, text)) return openAgain(open)
    const from = open?.id ?? null
    if (open !== undefined) goOn({ at: "order" })
    const read = await unlessEscaped(readOrder(text, ports, () => wait("order")))
    if (read !== undefined) takeRead(read, from)
  }

  function takeRead(read: OrderRead, from: string | null): void {
    if (read.type === "refused") return refuse(read.refusal, { at: "order" }, from)
    const { order } = read
    if (read.type === "ask") {
      const asked: Step = { at: "order-question", order, why: read.why, from, uncertain: false }
      return question(asked, { at: "order" })
    }
    last = { step: { at: "order" } }
    openOrder(order, from)
  }

  function openOrder(order: KnownOrder, from: string | null, isUncertain = false): void {
    const step: Step = { at: "parcel", order, uncertain: isUncertain }
    if (from === null) return goOn(step)
    ports.chime("switched")
    go(step, { type: "switched", order_id: order.id, from })
  }

  /** The open order was scanned once more: the next number is for it without a doubt. */
  function openAgain(order: KnownOrder): void {
    last = { step: { at: "order" } }
    go({ at: "parcel", order, uncertain: false }, { type: "still-open", order_id: order.id, reloaded: false })
  }

  async function takeNumber(text: string, order: KnownOrder): Promise<void> {
    const read = await unlessEscaped(readNumber(text, order, ports, () => wait("number")))
    if (read === undefined) return
    const again: Step = { at: "parcel", order, uncertain: true }
    if (read.type === "refused") return refuse(read.refusal, again)
    if (read.other !== undefined) {
      return question({ at: "number-question", order, found: read.found, other: read.other }, again)
    }
    await settleCarrier(order, read.found)
  }

  async function takeText(text: string): Promise<void> {
    const { step } = state.get()
    if (step.at === "order") return takeOrder(text)
    if (step.at === "order-question") {
      // The same code once more is a yes for hands that hold nothing but a scanner.
      return sameId(text, step.order.id) ? openOrder(step.order, step.from) : takeOrder(text)
    }
    const { order } = step
    const seems = seemsOrder(text, knownIds(order))
    if (seems === "yes") {
      // After a refused scan only a key confirms the number: who scans the order again may begin it anew.
      const confirms = step.at === "number-question" && sameId(text, order.id)
      return confirms ? answer(true) : takeOrder(text)
    }
    // Another number while one is asked about, or after a refused scan, may be another parcel's.
    const sure =
      step.at === "parcel" ? !step.uncertain : step.at !== "parcel-question" && text === step.found.number
    if (seems === "perhaps" || !sure) return askWhoseNumber(text, order)
    // Scanned again it is asked again: that alone says nothing.
    await takeNumber(text, order)
  }

  function askWhoseNumber(number: string, order: KnownOrder): void {
    const verdict = guardNumber(number)
    const again: Step = { at: "parcel", order, uncertain: true }
    if (verdict.type === "blocked") return refuse(verdict, again)
    question({ at: "parcel-question", order, number }, again)
  }

  function knownIds(order: KnownOrder): string[] {
    const { parcels, shipped } = ports.outbox.data.get()
    const here = [...parcels, ...shipped].map(({ order_id: id }) => id)
    return [order.id, ...ports.loaded().map(({ id }) => id), ...here]
  }

  /** The last text was half of a scan: it is as if it had not been there. */
  async function takeBack(): Promise<void> {
    const was = last
    if (was?.key !== undefined) await undoParcel(was.key)
    refuse({ why: "broken" }, uncertain(was?.step ?? state.get().step))
  }

  async function command(key: string): Promise<void> {
    const { step } = state.get()
    if (step.at === "carrier") {
      if (key === "0") return choose(null)
      const chosen = step.choices[Number(key) - 1]
      return chosen === undefined ? undefined : choose(chosen)
    }
    if (step.at === "order" || step.at === "parcel") return key === "u" ? undoLast() : next()
    return answer(key === "y")
  }

  /** One thing after the other, in the order a person did them. */
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
    switch (read.type) {
      case "text": {
        const text = cleanScan(read.text)
        return text === "" ? undefined : takeText(text)
      }
      case "command":
        return command(read.key)
      case "broken":
        return takeBack()
      default:
        return refuse({ why: "mixed" }, uncertain(state.get().step))
    }
  }

  async function answer(yes: boolean): Promise<void> {
    const { step } = state.get()
    switch (step.at) {
      case "order-question":
        return yes ? openOrder(step.order, step.from, step.uncertain) : goOn({ at: "order" })
      case "parcel-question":
        return yes ? takeNumber(step.number, step.order) : putBack(step.order.id)
      case "number-question": {
        if (!yes) return goOn({ at: "parcel", order: step.order, uncertain: false })
        const unchecked = step.found.unchecked.filter((what) => what !== "number")
        return settleCarrier(step.order, { ...step.found, unchecked })
      }
      default:
    }
  }

  function putBack(order_id: string): void {
    go({ at: "order" }, { type: "put-aside", order_id })
  }

  async function choose(carrier: Carrier | null): Promise<void> {
    const { step } = state.get()
    if (step.at !== "carrier") return
    const { order, found } = step
    if (carrier !== null) ports.remember(found.number, carrier)
    const unchecked =
      carrier === null ? found.unchecked : found.unchecked.filter((what) => what !== "carrier")
    await keep(order, { ...found, unchecked }, carrier?.name ?? null)
  }

  /** The parcel that was scanned last, among those that are not being undone already. */
  async function undoLast(): Promise<void> {
    const data = ports.outbox.data.get()
    const gone = undoneOrders(data)
    const [newest] = [...data.parcels, ...data.shipped.map((each) => ({ ...each, at: each.scanned_at ?? 0 }))]
      .filter(({ key, at, order_id }) => key !== undefined && at > 0 && !gone.has(order_id))
      .toSorted((one, other) => other.at - one.at)
    if (newest?.key === undefined) return refuse({ why: "nothing-to-undo" })
    await undoOne(newest.key)
  }

  /** A person's undo: of what was not sent at any time, of what was sent within a minute of its scan. */
  async function undoOne(key: string): Promise<void> {
    const { parcels, shipped } = ports.outbox.data.get()
    const parcel = parcels.find((each) => each.key === key)
    const done = shipped.find((each) => each.key === key)
    const order_id = parcel?.order_id ?? done?.order_id
    if (order_id === undefined) return refuse({ why: "nothing-to-undo" })
    if (parcel?.state === "asks") return refuse({ why: "asks" })
    const late = ports.now() - (parcel?.at ?? done?.scanned_at ?? 0) > undoFor
    if (parcel?.state !== "waiting" && late) return refuse({ why: "too-late" })
    const way = await undoParcel(key)
    if (way === "no") return refuse({ why: "too-late" })
    last = undefined
    go(state.get().step, { type: "undone", order_id, sent: way === "sent" })
  }

  /** Takes it out while it was not sent; sends its undo when it was. */
  async function undoParcel(key: string): Promise<"unsent" | "sent" | "no"> {
    const holds = (data: OutboxData) => data.parcels.some((each) => each.key === key)
    const waited = holds(ports.outbox.data.get())
    const without = await ports.outbox.change(undo(key))
    if (waited && !holds(without) && !without.shipped.some((each) => each.key === key)) return "unsent"
    const undoKey = ports.newKey()
    const after = await ports.outbox.change(undoSent(key, undoKey, ports.now()))
    return after.parcels.some((each) => each.key === undoKey) ? "sent" : "no"
  }

  async function next(): Promise<void> {
    const loaded = ports.loaded()
    const current = currentOrder(state.get().step)
    const at = loaded.findIndex(({ id }) => id === current?.id)
    const following = loaded[at + 1] ?? loaded[0]
    if (following === undefined) return refuse({ why: "queue-empty" })
    await takeOrder(following.id)
  }

  return {
    state,
    /** Something was read; what comes while another is looked up waits for its turn. */
    take: (read: Read) => void enqueue(() => handle(read), read.type),
    /** Escape: puts the open order, or the question, away. */
    escape: () => {
      forget()
      const { step } = state.get()
      if (step.at === "number-question" || step.at === "carrier") {
        goOn({ at: "parcel", order: step.order, uncertain: false })
      } else if (step.at === "order") {
        goOn(step)
      } else {
        putBack(step.order.id)
      }
    },
    /** Opens the next order of the queue, past the one that is open. */
    next: () => void enqueue(next),
    pick: (id: string) => void enqueue(() => takeOrder(id)),
    undo: (key: string) => void enqueue(() => undoOne(key)),
    answer: (yes: boolean) => void enqueue(() => answer(yes)),
    /** Says whose the number is; null: nobody says. */
    choose: (carrier: Carrier | null) => void enqueue(() => choose(carrier)),
    /**
     * The page is open. From here on the kept order says so: what ends without `leave` has crashed, and a scan may be lost.
     * @param restored it comes back from the browser's history, and what was scanned meanwhile went elsewhere
     */
    enter: (restored: boolean) => (restored ? goOn(uncertain(state.get().step)) : keepHeld()),
    /** The page is left: what is being looked up is not wanted any more, and the open order is kept for when it is back. */
    leave: () => {
      forget()
      const held = heldOf(state.get().step, ports.now())
      // What was being read is lost with the page, and may have been another order.
      ports.held.keep(held && { ...held, uncertain: held.uncertain || working })
    },
  }
}

/** The step after a scan that nobody can make sense of: it may have been another order. */
function uncertain(step: Step): Step {
  if (step.at === "order" || step.at === "order-question") return { at: "order" }
  return { at: "parcel", order: step.order, uncertain: true }
}

/** So long may the page be away, in ms, before a scan may have gone to it unread: then the open order is uncertain. */
const awayFor = 10_000

/** The order that was open when the page was left, unless it was shipped since, in another tab perhaps. */
function stillOpen({ held, outbox, now }: FlowPorts): HeldOrder | null {
  const was = held.read()
  if (was === null) return null
  const { id, tracking_number: number } = was.order
  const { parcels, shipped } = outbox.data.get()
  const since = shipped.some((each) => each.order_id === id && each.tracking_number !== number)
  if (since || parcels.some((each) => each.order_id === id)) return null
  const away = was.left_at === null || now() - was.left_at > awayFor
  return { ...was, uncertain: was.uncertain || away }
}
