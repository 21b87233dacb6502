import { readFile } from "node:fs/promises"
import { expect, test } from "vitest"
import { testSheet } from "../../../tests/support/import/open-sheet.ts"

const folder = new URL("../../../tests/fixtures/csv/", import.meta.url)

async function opened(name = "tracking.csv") {
  const sheet = testSheet("order-update")
  const file = new File([await readFile(new URL(name, folder))], name)
  return { sheet, view: await sheet.open({ kind: "file", file }) }
}

test("each row with a problem or a check states the reason", async () => {
  const { sheet } = await opened()
  expect(await sheet.findings()).toEqual({
    4: ["Rounded by a spreadsheet: its last digits are lost"],
    5: ["An order number, not a tracking number"],
    6: ["Not a status: pending, processing, shipped, completed, cancelled"],
    7: ["Same as row 2"],
    9: ["Second parcel of the order in row 8: keep it as a note?"],
    11: ["A tracking number is required"],
    12: ["An order number is required"],
    13: ["Ends in zeros: a spreadsheet may have rounded it"],
    14: ["Looks shortened by a spreadsheet"],
    15: ["Same number as row 3, another order"],
    16: ["A formula, not a tracking number"],
  })
})

test("sent rows keep leading zeros, and read the status in any case", async () => {
  const { sheet, view } = await opened()
  expect(view.counts).toMatchObject({ all: 15, problems: 6, checks: 5, ready: 4 })
  expect(await sheet.accepted()).toEqual([
    { order_id: "ord_1", tracking_number: "0034000123456789", carrier: "Australia Post" },
    { order_id: "ord_2", tracking_number: "33QK12345678", status: "shipped" },
    { order_id: "ord_6", tracking_number: "JD0146000000001" },
    {
      order_id: "ord_7",
      tracking_number: "1Z 999 AA1 0123 456784",
      carrier: "UPS",
      status: "completed",
    },
  ])
})

test("removing one of two contradictory rows makes the other ready", async () => {
  const sheet = testSheet("order-update")
  await sheet.paste("order id\ttracking\tstatus\nord_6\tT-000001\tshipped\nord_6\tT-000001\tcompleted")
  expect(await sheet.findings()).toEqual({
    2: ["Row 3 says otherwise: remove one"],
    3: ["Row 2 says otherwise: remove one"],
  })
  const row = (await sheet.rows()).find(({ number }) => number === 3)
  await sheet.view((open) => open.remove(row?.id ?? -1))
  expect(await sheet.accepted()).toMatchObject([{ order_id: "ord_6", tracking_number: "T-000001" }])
})

test("the second number of an order needs a confirmation; the first one is ready", async () => {
  const sheet = testSheet("order-update")
  await sheet.paste("order id\ttracking\nord_20409\t33QK12345678\nord_20409\t33QK12345679")
  expect(await sheet.findings()).toEqual({ 3: ["Second parcel of the order in row 2: keep it as a note?"] })
  expect((await sheet.accepted()).map((row) => row["tracking_number"])).toEqual(["33QK12345678"])
  await sheet.view((open) => open.decide("check", "keep"))
  expect(await sheet.accepted()).toHaveLength(2)
})

test.each([
  [
    "UPS",
    "Reference Number 1,Package Tracking Number,Ship To Name,Service Type,Package Weight,Pickup Date",
    [
      "#ord_20411,1Z999AA10123456784,Ana Silva,Ground,1250,2026-11-28",
      "#ord_20412,1Z5R89390357567127,Bo Lee,Ground,980,2026-11-28",
    ],
    ["#ord_20411", "1Z999AA10123456784"],
  ],
  [
    "Australia Post",
    "Consignment ID,Article ID,Shipment reference,Recipient,Status,Despatch date",
    [
      "33QK1234567,33QK12345678,ord_20411,Ana Silva,Created,28/11/2026",
      "33QK1234568,33QK12345679,ord_20412,Bo Lee,Created,28/11/2026",
    ],
    ["ord_20411", "33QK12345678"],
  ],
  [
    "DHL",
    "Sendungsnummer;Referenz;Empfänger;Status;Versanddatum",
    [
      "00340434161094000001;20411;Ana Silva;Zugestellt;28.11.2026",
      "00340434161094000018;20412;Bo Lee;In Zustellung;28.11.2026",
    ],
    ["20411", "00340434161094000001"],
  ],
  [
    "Sendle",
    "Order Number,Sendle Reference,Tracking URL,Receiver,Status",
    [
      "Order #20661,S34WER4S,https://track.sendle.com/tracking?ref=S34WER4S,Ana Silva,Delivered",
      "Order #20662,S34WER5T,https://track.sendle.com/tracking?ref=S34WER5T,Bo Lee,In Transit",
    ],
    ["Order #20661", "S34WER4S"],
  ],
  [
    "FedEx",
    "trackingNumber,reference,recipientContactName,shipDate",
    ["986578788855,ORD-20411,Ana Silva,2026-11-28", "477179081230,ORD-20412,Bo Lee,2026-11-28"],
    ["ORD-20411", "986578788855"],
  ],
] as const)(
  "a file of %s is read untouched, its own words for a status aside",
  async (_whose, names, rows, [order_id, tracking_number]) => {
    const sheet = testSheet("order-update")
    const file = new File([[names, ...rows].join("\r\n")], "carrier.csv")
    await sheet.open({ kind: "file", file })
    expect(await sheet.findings()).toEqual({})
    expect((await sheet.accepted())[0]).toEqual({ order_id, tracking_number })
  },
)

test("known status texts are read, unknown ones are a problem", async () => {
  const sheet = testSheet("order-update")
  await sheet.paste(
    "order id\ttracking\tstatus\nord_1\tT-000001\tshipped\nord_2\tT-000002\tCompleted\nord_3\tT-000003\tgone",
  )
  expect((await sheet.accepted()).map(({ status }) => status)).toEqual(["shipped", "completed"])
  expect(Object.keys(await sheet.findings())).toEqual(["4"])
})

test("if two columns could be the order, the user chooses", async () => {
  const sheet = testSheet("order-update")
  const view = await sheet.paste("ref a\tref b\ttracking\nord_1000\tord_2000\tT-000001")
  expect(view.columns.map(({ field }) => field)).toEqual([null, null, "tracking_number"])
})

test("the same number for two orders needs a confirmation, possible for all of a file together", async () => {
  const { sheet } = await opened()
  const view = await sheet.view((open) => open.decide("check", "keep"))
  expect(view.acknowledged).toMatchObject({ repeat: 0, duplicate: 0, outlier: 0, check: 4 })
  expect(await sheet.accepted()).toContainEqual({ order_id: "ord_11", tracking_number: "33qk-12345678" })
})

test("columns pasted without names are matched: the first id is the order's", async () => {
  const sheet = testSheet("order-update")
  const view = await sheet.paste("ord_1\t33QK12345678\nord_2\t33QK12345679")
  expect(view.columns.map(({ field }) => field)).toEqual(["order_id", "tracking_number"])
  expect(view.included).toBe(2)
})

test("the tracking number is extracted from a label's barcode", async () => {
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

test("a number with a wrong check digit needs a confirmation", async () => {
  const sheet = testSheet("order-update")
  await sheet.paste("order id\ttracking\nord_1\tRB123456789AU\nord_2\tRB123456785AU")
  expect(await sheet.findings()).toEqual({ 2: ["Wrong check digit: compare it with the label"] })
  expect(await sheet.accepted()).toEqual([{ order_id: "ord_2", tracking_number: "RB123456785AU" }])
})

test("a text without letters and digits is no tracking number", async () => {
  const sheet = testSheet("order-update")
  await sheet.paste("order id\ttracking\nord_1\t----\nord_2\t33QK12345679")
  expect(await sheet.findings()).toEqual({ 2: ["A tracking number has letters or digits"] })
  expect(await sheet.accepted()).toEqual([{ order_id: "ord_2", tracking_number: "33QK12345679" }])
})

test("setting the same marks twice has no further effect", async () => {
  const { sheet } = await opened()
  const mark = { number: 2, field: "order_id", severity: "check", text: "Cancelled" } as const
  await sheet.view((open) => open.mark([mark]))
  const row = (await sheet.rows()).find(({ number }) => number === 2)
  await sheet.view((open) => open.decide([row?.id ?? -1], "keep"))
  const view = await sheet.view((open) => open.mark([mark]))
  expect(view.acknowledged.check).toBe(1)
})

test("the fingerprint ignores formatting and changes with a number", async () => {
  const print = async (text: string) => {
    const sheet = testSheet("order-update")
    await sheet.paste(text)
    return await sheet.run.fingerprint()
  }
  const one = await print("order id\ttracking\nord_1\t001\nord_2\t002")
  expect(await print("Tracking number,Order number\n002,ord_2\n001,ord_1")).toBe(one)
  expect(await print("order id\ttracking\nord_1\t01\nord_2\t002")).not.toBe(one)
})
