import { readFile } from "node:fs/promises"
import { expect, test } from "vitest"
import { testSheet } from "../../../tests/support/import/open-sheet.ts"

const folder = new URL("../../../tests/fixtures/csv/", import.meta.url)

async function opened(name = "tracking.csv") {
  const sheet = testSheet("order-update")
  const file = new File([await readFile(new URL(name, folder))], name)
  return { sheet, view: await sheet.open({ kind: "file", file }) }
}

test("each row that cannot be sent, or needs attention, says why in its own words", async () => {
  const { sheet } = await opened()
  expect(await sheet.findings()).toEqual({
    4: ["Rounded by a spreadsheet: its last digits are lost"],
    5: ["An order id, not a tracking number"],
    6: ["Not a status: pending, processing, shipped, completed, cancelled"],
    7: ["Same as row 2"],
    8: ["Row 9 has a different number: remove one"],
    9: ["Row 8 has a different number: remove one"],
    11: ["A tracking number is required"],
    12: ["An order id is required"],
    13: ["Ends in zeros: a spreadsheet may have rounded it"],
    14: ["Looks shortened by a spreadsheet"],
    15: ["Same number as row 3, another order"],
    16: ["A formula, not a tracking number"],
  })
})

test("what is sent keeps leading zeros, and the status however its letters were written", async () => {
  const { sheet, view } = await opened()
  expect(view.counts).toMatchObject({ all: 15, problems: 8, checks: 4, ready: 3 })
  expect(await sheet.accepted()).toEqual([
    { order_id: "ord_1", tracking_number: "0034000123456789", carrier: "Australia Post" },
    { order_id: "ord_2", tracking_number: "33QK12345678", status: "shipped" },
    {
      order_id: "ord_7",
      tracking_number: "1Z 999 AA1 0123 456784",
      carrier: "UPS",
      status: "completed",
    },
  ])
})

test("of two rows that contradict each other, removing one makes the other ready", async () => {
  const { sheet } = await opened()
  const row = (await sheet.rows()).find(({ number }) => number === 9)
  await sheet.view((open) => open.remove(row?.id ?? -1))
  expect(await sheet.accepted()).toContainEqual({ order_id: "ord_6", tracking_number: "JD0146000000001" })
})

test("a number for two orders is kept only by a person, all of a file's in one go too", async () => {
  const { sheet } = await opened()
  const view = await sheet.view((open) => open.decide("check", "keep"))
  expect(view.kept).toEqual({ repeat: 0, duplicate: 0, outlier: 0, check: 3 })
  expect(await sheet.accepted()).toContainEqual({ order_id: "ord_11", tracking_number: "33qk-12345678" })
})

test("rows pasted without names are told apart: the first id is the order's", async () => {
  const sheet = testSheet("order-update")
  const view = await sheet.paste("ord_1\t33QK12345678\nord_2\t33QK12345679")
  expect(view.columns.map(({ field }) => field)).toEqual(["order_id", "tracking_number"])
  expect(view.included).toBe(2)
})

test("the tracking number is taken out of the barcode of a label", async () => {
  const sheet = testSheet("order-update")
  const lines = [
    "Order number,Tracking number,Carrier",
    "ord_20409,019931265099999891JDQ012345601000910903,Australia Post",
    "ord_20408,019931265099999891JDQ012345701000910900|4204570|8008261121101500,Australia Post",
    "ord_20407,420100019200190164917310000008,",
  ]
  await sheet.open({ kind: "file", file: new File([lines.join("\r\n")], "labels.csv") })
  expect((await sheet.accepted()).map((row) => row["tracking_number"])).toEqual([
    "JDQ012345601000910903",
    "JDQ012345701000910900",
    "9200190164917310000008",
  ])
})

test("a number with a wrong check digit is to check", async () => {
  const sheet = testSheet("order-update")
  await sheet.paste("order id\ttracking\nord_1\tRB123456789AU\nord_2\tRB123456785AU")
  expect(await sheet.findings()).toEqual({ 2: ["Wrong check digit: compare it with the label"] })
  expect(await sheet.accepted()).toEqual([{ order_id: "ord_2", tracking_number: "RB123456785AU" }])
})

test("what has no letter or digit is no number of a parcel", async () => {
  const sheet = testSheet("order-update")
  await sheet.paste("order id\ttracking\nord_1\t----\nord_2\t33QK12345679")
  expect(await sheet.findings()).toEqual({ 2: ["A tracking number has letters or digits"] })
  expect(await sheet.accepted()).toEqual([{ order_id: "ord_2", tracking_number: "33QK12345679" }])
})

test("the same marks twice are one: a page that comes back to its draft finds the same again", async () => {
  const { sheet } = await opened()
  const mark = { number: 2, field: "order_id", severity: "check", text: "Cancelled" } as const
  await sheet.view((open) => open.mark([mark]))
  const row = (await sheet.rows()).find(({ number }) => number === 2)
  await sheet.view((open) => open.decide([row?.id ?? -1], "keep"))
  const view = await sheet.view((open) => open.mark([mark]))
  expect(view.kept.check).toBe(1)
})

test("other formatting of the same file has the same fingerprint, another number another one", async () => {
  const print = async (text: string) => {
    const sheet = testSheet("order-update")
    await sheet.paste(text)
    return await sheet.run.fingerprint()
  }
  const one = await print("order id\ttracking\nord_1\t001\nord_2\t002")
  expect(await print("Tracking number,Order number\n002,ord_2\n001,ord_1")).toBe(one)
  expect(await print("order id\ttracking\nord_1\t01\nord_2\t002")).not.toBe(one)
})
