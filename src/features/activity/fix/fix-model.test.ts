import { expect, test } from "vitest"
import { madeUpRow } from "../../../../tests/support/activity/made-up-job.ts"
import { cellsOf, checkCells, retryRows } from "./fix-model.ts"

const row = madeUpRow(4, {
  state: "failed",
  input: { email: "old@example.test", points: 750, reason: "Bonus", metadata: { site: "Perth" } },
})

test("a row's cells are what was sent, whichever way it named its member", () => {
  expect(cellsOf("award", row)).toEqual({
    member: "old@example.test",
    points: "750",
    reason: "Bonus",
    reference: "",
  })
  expect(cellsOf("award", madeUpRow(5)).member).toBe("mem_5")
})

test("a mended cell keeps what the table does not show", () => {
  expect(checkCells("award", row, { ...cellsOf("award", row), member: " new@example.test " })).toEqual({
    ok: true,
    input: { email: "new@example.test", points: 750, reason: "Bonus", metadata: { site: "Perth" } },
  })
})

test("an id in the place of an e-mail takes its place, never beside it", () => {
  const checked = checkCells("award", row, { ...cellsOf("award", row), member: "mem_9" })
  expect(checked).toMatchObject({ ok: true, input: { member_id: "mem_9" } })
  expect(checked.ok && checked.input).not.toHaveProperty("email")
})

test.each([
  ["1,250", 1250],
  ["1 250", 1250],
])("%s points are %i", (text, points) => {
  const checked = checkCells("award", row, { ...cellsOf("award", row), points: text })
  expect(checked).toMatchObject({ ok: true, input: { points } })
})

test.each([["0"], ["12.5"], ["-3"], ["many"], [""]])("%s points are refused at their cell", (points) => {
  const checked = checkCells("award", row, { ...cellsOf("award", row), points })
  expect(checked.ok).toBe(false)
  expect(!checked.ok && Object.keys(checked.problems)).toEqual(["points"])
})

test("a member left out is refused at the member's cell", () => {
  const checked = checkCells("award", row, { ...cellsOf("award", row), member: "" })
  expect(!checked.ok && Object.keys(checked.problems)).toEqual(["member"])
})

test("only mended rows carry an input: the others are tried as they were", () => {
  const edits = new Map([[4, { ...cellsOf("award", row), points: "800" }]])
  expect(retryRows("award", [row, madeUpRow(5)], edits)).toEqual([
    { row: 4, input: expect.objectContaining({ points: 800 }) as unknown },
    { row: 5 },
  ])
})

const update = madeUpRow(6, {
  state: "failed",
  input: {
    order_id: "ord_1",
    tracking_number: "0034",
    status: "shipped",
    carrier: "",
    expected: { status: "pending", tracking_number: "OLD", carrier: null },
  },
})
const mended = (change: object) =>
  checkCells("order-update", update, { ...cellsOf("order-update", update), ...change })

test("a mended number of an order keeps its zeros, what was seen, and a carrier that is cleared", () => {
  expect(mended({ tracking_number: " 0035 ", status: "Completed" })).toEqual({
    ok: true,
    input: { ...update.input, tracking_number: "0035", status: "completed" },
  })
})

test("what was seen was of the order named before: of another one only that it has no number yet", () => {
  expect(mended({ order_id: "ord_2" })).toMatchObject({
    ok: true,
    input: { order_id: "ord_2", expected: { tracking_number: null } },
  })
})

test.each([
  ["tracking_number", "9.4E+21", /rounded/],
  ["status", "sent", /One of pending, processing, shipped/],
  ["order_id", "", /Choose an order/],
])("%s %j of an order is refused at its cell", (key, text, words) => {
  const checked = mended({ [key]: text })
  expect(!checked.ok && Object.entries(checked.problems)).toEqual([[key, expect.stringMatching(words)]])
})
