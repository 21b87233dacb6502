import { describe, expect, test } from "vitest"
import { madeUpRow } from "../../../../tests/support/activity/made-up-job.ts"
import { testSheet } from "../../../../tests/support/import/open-sheet.ts"
import type { JobKind } from "../../../../contract/job-kinds.ts"
import type { JobRow } from "../../../../contract/job-rows.ts"
import { rowSchemas } from "../../../../tests/support/row-schemas.ts"
import { completeInput, fixedInput, fixSource } from "./fix-model.ts"

const status = { label: "What went wrong", of: () => "Not found" }

/** Corrects cells of a row by column label; returns the input to send, or the problems by column. */
async function correct(kind: JobKind, row: JobRow, cells: Readonly<Record<string, string>>) {
  const sheet = testSheet(kind)
  const { columns } = await sheet.open(fixSource({ id: "J-1", kind }, [row], status))
  const [shown] = await sheet.rows()
  const edits = Object.entries(cells).map(([name, text]) => ({
    id: shown?.id ?? -1,
    column: columns.findIndex((column) => column.name === name),
    text,
  }))
  await sheet.view((open) => open.edit(edits))
  const [accepted] = await sheet.accepted()
  if (accepted === undefined) {
    return (await sheet.rows())[0]?.problems.map(({ column, text }) => [columns[column ?? -1]?.name, text])
  }
  const input = fixedInput(kind, row, accepted)
  expect(input === undefined || rowSchemas[kind].safeParse(input).success).toBe(true)
  return input
}

const row = madeUpRow(4, {
  state: "failed",
  input: { email: "old@example.test", points: 750, reason: "Bonus", metadata: { site: "Perth" } },
})

test("cells of a row show what was sent, whether it named the member by id or e-mail", () => {
  const source = fixSource({ id: "J-1", kind: "award" }, [row, madeUpRow(5)], status)
  expect(source.kind === "rows" && source.rows).toEqual([
    ["Not found", "old@example.test", "750", "Bonus", ""],
    ["Not found", "mem_5", "750", "Q3 installer bonus", ""],
  ])
})

test("a row left out with an id and an e-mail shows both, and they are compared again", async () => {
  const both = madeUpRow(6, {
    state: "excluded",
    input: { member_id: "mem_1", email: "ada@x.test", points: "50", reason: "Bonus" },
  })
  const sheet = testSheet("award")
  await sheet.open(fixSource({ id: "J-1", kind: "award" }, [row, both], status))
  expect((await sheet.rows()).map(({ texts }) => texts.slice(1, 3))).toEqual([
    ["", "old@example.test"],
    ["mem_1", "ada@x.test"],
  ])
  expect(await sheet.findings()).toEqual({ 6: ["Not compared with the id: if kept, the id counts"] })
})

/** A file's rows that are left out, opened again as rows of their job. */
async function reopened(
  kind: JobKind,
  text: string,
  prepare?: (sheet: ReturnType<typeof testSheet>) => Promise<unknown>,
) {
  const file = testSheet(kind)
  await file.paste(text)
  await prepare?.(file)
  const rows = (await file.run.entries(0, 100)).flatMap((entry) => {
    if (!("excluded" in entry)) return []
    const { code, message, input } = entry.excluded
    return madeUpRow(entry.line, { state: "excluded", input, outcome: { code, message } })
  })
  const sheet = testSheet(kind)
  await sheet.open(fixSource({ id: "J-1", kind }, rows, status))
  return sheet
}

describe("rows left out of a file with decimal commas", () => {
  const open = () =>
    reopened(
      "award",
      [
        "id;points;reason",
        "mem_1;50,5;Bonus",
        "mem_2;100,000;Bonus",
        "mem_3;1,250.50;Bonus",
        ";50,00;Bonus",
      ].join("\n"),
    )

  test("are read as they were: the same problems, and the same suggestion", async () => {
    const sheet = await open()
    expect(await sheet.findings()).toEqual({
      2: ["Not a whole number"],
      3: ["100 or 100,000? Enter it without separators"],
      4: ["Not a number"],
      5: ["A member id or an e-mail is required"],
    })
    const fixes = (await sheet.rows()).flatMap(({ problems }) => problems.flatMap(({ fix }) => fix ?? []))
    expect(fixes).toEqual([{ text: "100000", label: "Use 100,000" }])
  })

  test("are ready with what was missing", async () => {
    const sheet = await open()
    const { id = -1 } = (await sheet.rows()).find(({ number }) => number === 5) ?? {}
    await sheet.view((opened) => opened.edit([{ id, column: 1, text: "mem_4" }]))
    expect(await sheet.accepted()).toEqual([{ member_id: "mem_4", points: 50, reason: "Bonus" }])
  })
})

test("a row whose texts read well stays a question until it is confirmed or edited", async () => {
  const wrong = "Excel shows 50, the cell holds -50"
  const sheet = await reopened("award", "id\tpoints\treason\nmem_1\t50\tBonus\nmem_2\t60\tBonus", (file) =>
    file.view((open) =>
      open.mark([2, 3].map((number) => ({ number, field: "points", severity: "problem", text: wrong }))),
    ),
  )
  expect(await sheet.findings()).toEqual({ 2: [wrong], 3: [wrong] })
  expect(await sheet.accepted()).toEqual([])
  await sheet.view((open) => open.edit([{ id: 0, column: 2, text: "55" }]))
  await sheet.view((open) => open.decide([1], "keep"))
  expect(await sheet.accepted()).toMatchObject([{ points: 55 }, { points: 60 }])
})

test.each([
  ["read", { metadata: { site: "Perth" } }],
  ["as texts", { "metadata.site": "Perth" }],
])("a left-out row keeps its custom fields, %s", (_, input) => {
  expect(completeInput(madeUpRow(6, { input }), { member_id: "mem_1" })).toEqual({
    member_id: "mem_1",
    metadata: { site: "Perth" },
  })
})

test("a corrected cell preserves fields without a column; an uncorrected row is sent unchanged", async () => {
  expect(await correct("award", row, { "Member id or e-mail": " new@example.test " })).toEqual({
    email: "new@example.test",
    points: 750,
    reason: "Bonus",
    metadata: { site: "Perth" },
  })
  expect(await correct("award", row, { Points: "750" })).toBeUndefined()
})

test("an id entered for an e-mail replaces it", async () => {
  expect(await correct("award", row, { "Member id or e-mail": "mem_9" })).toEqual({
    member_id: "mem_9",
    points: 750,
    reason: "Bonus",
    metadata: { site: "Perth" },
  })
})

test.each([
  ["1,250", 1250],
  ["1 250", 1250],
])("%s points are %i", async (text, points) => {
  expect(await correct("award", row, { Points: text })).toMatchObject({ points })
})

test.each([["0"], ["12.5"], ["-3"], ["many"], [""]])(
  "%s points are refused at their cell",
  async (points) => {
    expect(await correct("award", row, { Points: points })).toEqual([["Points", expect.any(String)]])
  },
)

test("a missing member is refused at the member's cell", async () => {
  expect(await correct("award", row, { "Member id or e-mail": "" })).toEqual([
    ["Member id or e-mail", "A member id or an e-mail is required"],
  ])
})

test("the quantity of a redemption is corrected as a number", async () => {
  const redemption = madeUpRow(7, { input: { member_id: "mem_1", reward_id: "rew_1", quantity: 1 } })
  expect(await correct("redeem", redemption, { Quantity: "2" })).toEqual({
    member_id: "mem_1",
    reward_id: "rew_1",
    quantity: 2,
  })
})

const card = madeUpRow(8, {
  state: "failed",
  input: {
    member: { email: "p@site.test", firstname: "Pat", lastname: "Lee", mobile: "0400" },
    denomination: 50,
    cardId: "card_a",
    idempotencyKey: "key-1",
  },
  outcome: { code: "pair_refused", message: "No." },
})

test("a corrected card preserves its mobile number and drops its idempotency key", async () => {
  expect(await correct("giftcard", card, { "E-mail": "q@site.test", "Card template": "" })).toEqual({
    member: { email: "q@site.test", firstname: "Pat", lastname: "Lee", mobile: "0400" },
    denomination: 50,
  })
})

test("a refused amount must be confirmed if unchanged, not if corrected", async () => {
  expect(await correct("giftcard", card, {})).toEqual({ ...card.input, confirm_pair: true })
  expect(await correct("giftcard", card, { Amount: "75" })).not.toHaveProperty("confirm_pair")
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

test("a corrected tracking number preserves zeros, expected values and a cleared carrier", async () => {
  expect(await correct("order-update", update, { "Tracking number": " 0035 ", Status: "Completed" })).toEqual(
    {
      ...update.input,
      tracking_number: "0035",
      status: "completed",
    },
  )
})

test("expected values are dropped for another order, except that it has no number", async () => {
  expect(await correct("order-update", update, { "Order number": "ord_2" })).toMatchObject({
    order_id: "ord_2",
    expected: { tracking_number: null },
  })
})

test.each([
  ["Tracking number", "9.4E+21", /Rounded by a spreadsheet/],
  ["Tracking number", "----", /has letters or digits/],
  ["Status", "sent", /Not a status: pending, processing, shipped/],
  ["Order number", "", /An order number is required/],
])("%s %j of an order is refused at its cell", async (name, text, message) => {
  expect(await correct("order-update", update, { [name]: text })).toEqual([
    [name, expect.stringMatching(message)],
  ])
})
