import { expect, test } from "vitest"
import { known, order } from "../../../../tests/support/ship/bench.ts"
import { parcel } from "../../../../tests/support/ship/parcels.ts"
import type { DeskData, DeskEvent, DeskState, Effect, Step } from "./desk-state.ts"
import { emptyOutbox } from "./outbox.ts"
import { firstState, reduce } from "./reducer.ts"

const data: DeskData = {
  outbox: emptyOutbox,
  loaded: [order("ord_1"), order("ord_2")],
  isQueueLoading: false,
  carriers: [],
  isPackedElsewhere: () => false,
  isOffline: false,
  now: 1000,
}
const number = "RB123456785AU"
const scan = (text: string): DeskEvent => ({ type: "scan", read: { type: "text", text, by: "scanner" } })
const key = (letter: string): DeskEvent => ({ type: "scan", read: { type: "command", key: letter } })
const open: Step = { at: "parcel", order: order("ord_1"), uncertain: false }
const found = { number, carrier: "DHL", candidates: [], unchecked: [] }
const reused: Step = {
  at: "number-question",
  order: order("ord_1"),
  found,
  isUnusual: false,
  other: "ord_8",
}
const carrierStep: Step = {
  at: "carrier",
  order: order("ord_1"),
  found: { ...found, carrier: null },
  choices: [],
}
const check = { type: "check-number", number, order: order("ord_1"), isUnusual: false } as const
const save = { type: "save", order: order("ord_1"), found, carrier: "DHL" } as const
const checked = { type: "number-checked", request: check, used: { order_id: undefined } } as const
const blocked = order("ord_1", { status: "cancelled" })

const names = (effects: readonly Effect[]) =>
  effects.map((effect) => (effect.type === "chime" ? effect.kind : effect.type))

test.each<[string, Partial<DeskState>, DeskEvent, Step["at"], string[]]>([
  ["a loaded order opens", {}, scan("ord_1"), "parcel", []],
  ["another order is looked up", {}, scan("ord_9"), "order", ["find-order"]],
  ["a number is checked", { step: open }, scan(number), "parcel", ["check-number"]],
  ["another order replaces the open one", { step: open }, scan("ord_2"), "parcel", ["switched"]],
  [
    "a checked number is saved",
    { step: open, pending: check },
    { ...checked, recognised: known(number) },
    "parcel",
    ["save"],
  ],
  [
    "a number of another order is confirmed first",
    { step: open, pending: check },
    { ...checked, used: { order_id: "ord_8" }, recognised: known(number) },
    "number-question",
    ["refused"],
  ],
  ["Y saves it", { step: reused }, key("y"), "number-question", ["save"]],
  ["N reads the number again", { step: reused }, key("n"), "parcel", []],
  [
    "a saved parcel ends the order",
    { step: open, pending: save },
    { type: "saved", request: save, key: "key-1", other: undefined },
    "order",
    ["saved"],
  ],
  [
    "a parcel of another tab is not doubled",
    { step: open, pending: save },
    { type: "saved", request: save, key: "key-2", other: parcel(1) },
    "order",
    ["refused"],
  ],
  [
    "a parcel that was not saved keeps its order open",
    { step: open, pending: save },
    { type: "saved", request: save, key: null, other: undefined },
    "parcel",
    ["refused"],
  ],
  [
    "an order that was cancelled meanwhile closes",
    { step: open },
    { type: "changed", id: "ord_1", order: blocked },
    "order",
    ["refused"],
  ],
  ["Escape puts the order back", { step: open }, { type: "escape" }, "order", []],
  [
    "Escape does not cancel a parcel that is being saved",
    { step: open, pending: save },
    { type: "escape" },
    "parcel",
    [],
  ],
  [
    "the response to a cancelled lookup changes nothing",
    { step: open },
    { ...checked, recognised: known(number) },
    "parcel",
    [],
  ],
  ["S opens the next order of the queue", { step: open }, key("s"), "parcel", ["switched"]],
  ["a second Y opens no other order", {}, key("y"), "order", []],
  [
    "an order that does not exist any more closes",
    { step: open },
    { type: "changed", id: "ord_1", order: null },
    "order",
    ["refused"],
  ],
  [
    "a change of another order is ignored",
    { step: open },
    { type: "changed", id: "ord_2", order: null },
    "parcel",
    [],
  ],
  [
    "an order that waits for its carrier is saved before another opens",
    { step: carrierStep },
    scan("ord_2"),
    "carrier",
    ["save"],
  ],
])("%s", (_rule, state, event, at, effects) => {
  const next = reduce({ ...firstState, ...state }, event, {
    ...data,
    carriers: [{ code: "auspost", name: "Australia Post", offered: true, link: null }],
  })
  expect([next.state.step.at, names(next.effects)]).toEqual([at, effects])
})

test("inputs wait while a response is awaited; a refusal drops what a person did, not news about orders", () => {
  const pending: DeskState = { ...firstState, step: open, pending: check }
  const news: DeskEvent = { type: "changed", id: "ord_2", order: order("ord_2") }
  const waiting = [scan("ord_2"), key("u"), news].reduce<DeskState>(
    (state, event) => reduce(state, event, data).state,
    pending,
  )
  expect(waiting).toMatchObject({ pending: check, step: open })
  expect(waiting.waiting).toHaveLength(3)
  const { state } = reduce(waiting, { type: "escape" }, data)
  expect(state).toMatchObject({ pending: null, waiting: [], step: { at: "order" } })

  const refused = reduce(
    { ...waiting, pending: save },
    { type: "saved", request: save, key: null, other: undefined },
    data,
  )
  expect(refused.state).toMatchObject({ result: { dropped: 1 }, waiting: [] })
  expect(names(refused.effects)).toEqual(["refused"])
})

test("the next order waits until the queue is read, since an older one may follow", () => {
  const { state } = reduce(firstState, { type: "next" }, { ...data, isQueueLoading: true })
  expect(state).toMatchObject({ step: { at: "order" }, result: { code: "queue-loading" } })
})
