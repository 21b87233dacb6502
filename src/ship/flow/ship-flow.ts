import type { Carrier } from "../../../contract/desk/carriers.ts"
import { externalValue, type ExternalValue } from "../../lib/external-value.ts"
import type { KnownOrder } from "../known-order.ts"
import { add, undo } from "../outbox/outbox-changes.ts"
import { cleanScan } from "../scan/clean-scan.ts"
import type { Meaning, Read } from "../scan/reading.ts"
import type { FlowPorts } from "./flow-ports.ts"
import {
  firstState,
  orderInHand,
  type FlowState,
  type FoundNumber,
  type Refusal,
  type Result,
  type Step,
} from "./flow-state.ts"
import { readNumber } from "./read-number.ts"
import { readOrder } from "./read-order.ts"

/** The ship desk: order, parcel, kept, next. */
export interface ShipFlow {
  readonly state: ExternalValue<FlowState>
  /** Something was read; what comes while another is looked up waits for its turn. */
  readonly take: (read: Read) => void
  /** Escape: puts the order in hand, or the question, away. */
  readonly escape: () => void
  /** Takes the next order of the queue in hand, past the one that is. */
  readonly next: () => void
  /** Takes an order in hand by its id. */
  readonly pick: (id: string) => void
  /** Takes the last parcel back. */
  readonly undoLast: () => void
  /** Answers the question. */
  readonly answer: (yes: boolean) => void
  /** Says whose the number is; null: nobody says. */
  readonly choose: (carrier: Carrier | null) => void
}

/** What single keys mean at a step. */
export function meaningAt({ at }: Step): Meaning {
  if (at === "carrier") return { commands: "0123456789", alone: 160 }
  if (at === "order-question" || at === "number-question") return { commands: "yn", alone: 160 }
  return { commands: "us", alone: 400 }
}

/** Makes one. */
export function createShipFlow(ports: FlowPorts): ShipFlow {
  const state = externalValue<FlowState>(firstState)
  /** What a person did while something was looked up. */
  const waiting: { readonly read: Read["type"] | null; readonly run: () => Promise<void> }[] = []
  let working = false
  /** Grows with each Escape: what was being looked up then is not wanted any more. */
  let escapes = 0
  /** What the last text led to: taken back when it turns out to have been half of one. */
  let last: { readonly step: Step; readonly key?: string } | undefined

  function go(step: Step, result: Result | null = null): void {
    const { turn } = state.get()
    state.set({ step, busy: null, result, turn: turn + 1 })
  }

  /** The last result stays in view while the next order is in hand. */
  function goOn(step: Step): void {
    state.set({ ...state.get(), step, busy: null })
  }

  function refuse(refusal: Refusal, step = state.get().step): void {
    const dropped = dropWaiting()
    last = undefined
    ports.chime("refused")
    go(step, { type: "refused", refusal, dropped })
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
      await ports.outbox.change(
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
    } catch (error) {
      refuse({ why: "not-kept", error })
      return
    }
    last = { step: { at: "parcel", order }, key }
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
    question({ at: "carrier", order, found, choices }, { at: "parcel", order })
  }

  function wait(busy: "order" | "number"): void {
    state.set({ ...state.get(), busy })
  }

  async function takeOrder(text: string): Promise<void> {
    const before = escapes
    const read = await readOrder(text, ports, () => wait("order"))
    if (escapes !== before) return
    if (read.type === "refused") return refuse(read.refusal, { at: "order" })
    if (read.type === "ask") {
      return question({ at: "order-question", order: read.order, why: read.why }, { at: "order" })
    }
    last = { step: { at: "order" } }
    goOn({ at: "parcel", order: read.order })
  }

  async function takeNumber(text: string, order: KnownOrder): Promise<void> {
    const before = escapes
    const read = await readNumber(text, order, ports, () => wait("number"))
    if (escapes !== before) return
    if (read.type === "refused") return refuse(read.refusal, { at: "parcel", order })
    if (read.other !== undefined) {
      const step: Step = { at: "number-question", order, found: read.found, other: read.other }
      return question(step, { at: "parcel", order })
    }
    await settleCarrier(order, read.found)
  }

  async function takeText(text: string): Promise<void> {
    const { step } = state.get()
    switch (step.at) {
      case "order":
        return takeOrder(text)
      case "order-question":
        // The same code once more is a yes for hands that hold nothing but a scanner.
        return text.toLowerCase() === step.order.id.toLowerCase() ? answer(true) : takeOrder(text)
      case "number-question":
        return text === step.found.number ? answer(true) : takeNumber(text, step.order)
      default:
        return takeNumber(text, step.order)
    }
  }

  /** The last text was half of a scan: it is as if it had not been there. */
  async function takeBack(): Promise<void> {
    const was = last
    if (was?.key !== undefined) await ports.outbox.change(undo(was.key))
    refuse({ why: "broken" }, was?.step)
  }

  async function command(key: string): Promise<void> {
    const { step } = state.get()
    if (step.at === "carrier") {
      if (key === "0") return choose(null)
      const chosen = step.choices[Number(key) - 1]
      return chosen === undefined ? undefined : choose(chosen)
    }
    if (step.at === "order-question" || step.at === "number-question") return answer(key === "y")
    return key === "u" ? undoLast() : next()
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
        return refuse({ why: "mixed" })
    }
  }

  async function answer(yes: boolean): Promise<void> {
    const { step } = state.get()
    if (step.at === "order-question") return goOn(yes ? { at: "parcel", order: step.order } : { at: "order" })
    if (step.at !== "number-question") return
    if (!yes) return goOn({ at: "parcel", order: step.order })
    const unchecked = step.found.unchecked.filter((what) => what !== "number")
    await settleCarrier(step.order, { ...step.found, unchecked })
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

  async function undoLast(): Promise<void> {
    const parcel = ports.outbox.data.get().parcels.at(-1)
    if (parcel === undefined) return refuse({ why: "nothing-to-undo" })
    const after = await ports.outbox.change(undo(parcel.key))
    if (after.parcels.some(({ key }) => key === parcel.key)) return refuse({ why: "too-late" })
    last = undefined
    go(state.get().step, { type: "undone", order_id: parcel.order_id })
  }

  async function next(): Promise<void> {
    const loaded = ports.loaded()
    const inHand = orderInHand(state.get().step)
    const at = loaded.findIndex(({ id }) => id === inHand?.id)
    const following = loaded[at + 1] ?? loaded[0]
    if (following === undefined) return refuse({ why: "queue-empty" })
    await takeOrder(following.id)
  }

  return {
    state,
    take: (read) => void enqueue(() => handle(read), read.type),
    escape() {
      escapes += 1
      dropWaiting()
      const { step } = state.get()
      const order = orderInHand(step)
      if (step.at === "number-question" || step.at === "carrier") {
        goOn({ at: "parcel", order: step.order })
      } else if (order === undefined) {
        goOn({ at: "order" })
      } else {
        go({ at: "order" }, { type: "put-aside", order_id: order.id })
      }
    },
    next: () => void enqueue(next),
    pick: (id) => void enqueue(() => takeOrder(id)),
    undoLast: () => void enqueue(undoLast),
    answer: (yes) => void enqueue(() => answer(yes)),
    choose: (carrier) => void enqueue(() => choose(carrier)),
  }
}
