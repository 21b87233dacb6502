import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { issuedCardReader, cardReader } from "./giftcard/card.ts"
import { memberListReader, memberReader } from "./program/member.ts"
import { orderListReader, orderReader, shipmentOf } from "./program/order.ts"
import { balanceAfter, balanceReader, transactionListReader, transactionReader } from "./program/points.ts"
import { rewardListReader, rewardReader } from "./program/reward.ts"
import { rawValue, rawValuesField, type Reader } from "./reading.ts"

const member = {
  id: "mem_1",
  email: "ana@coastal.example",
  first_name: "Ana",
  last_name: "Silva",
  points_balance: 1250,
  status: "active",
  created_at: "2026-11-21T00:00:00Z",
  updated_at: "2026-11-21T00:00:00Z",
}

function driftOf(raw: unknown) {
  const outcome = memberReader.read(raw)
  return outcome.ok ? outcome.drift : outcome.reason
}

describe("a tolerant reader", () => {
  it("reports no drift for a documented response, and passes the record on as it is", () => {
    const documented = { ...member, tier: "Gold", metadata: { region: "North" } }
    expect(memberReader.read(documented)).toEqual({ ok: true, value: documented, drift: [] })
    const order = { order_id: "o", member_id: "m", reward_id: "r", reward_name: "Cap", points_spent: 5 }
    const nested = { ...order, status: "pending", fulfillment: { carrier: "DHL" } }
    const read = orderReader.read(nested)
    expect(read.ok && read.value).toBe(nested)
  })

  it("keeps an unlisted value of a closed list and counts its field", () => {
    expect(memberReader.read({ ...member, status: "suspended" })).toMatchObject({
      value: { status: "suspended" },
    })
    expect(driftOf({ ...member, status: "suspended" })).toEqual([{ field: "status", kind: "other" }])
  })

  it("keeps an extra field and counts it", () => {
    const outcome = memberReader.read({ ...member, loyalty_id: "L-1" })
    expect(outcome).toMatchObject({ ok: true, value: { loyalty_id: "L-1" } })
    expect(driftOf({ ...member, loyalty_id: "L-1" })).toEqual([{ field: "loyalty_id", kind: "extra" }])
  })

  it("reads null and missing fields", () => {
    const { first_name: _, ...without } = member
    expect(driftOf({ ...without, company: null })).toEqual([
      { field: "first_name", kind: "empty" },
      { field: "company", kind: "empty" },
    ])
  })

  it("never puts a person's data into a difference", () => {
    const drift = JSON.stringify(driftOf({ ...member, email: "ana at home" }))
    expect(drift).not.toContain("ana")
  })

  it("refuses a record without its id, and text where a number is due", () => {
    expect(memberReader.read({ ...member, id: undefined }).ok).toBe(false)
    expect(memberReader.read({ ...member, points_balance: "1250" }).ok).toBe(false)
    const [noId, text] = [
      { ...member, id: undefined },
      { ...member, points_balance: "1250" },
    ]
    expect([
      memberReader.read(noId),
      memberListReader.read([member, text]),
      memberReader.read([]),
    ]).toMatchObject([
      { reason: "id is missing" },
      { reason: "1.points_balance has a different format than documented" },
      { reason: "a different format than documented" },
    ])
  })

  it("counts one difference once for a whole list", () => {
    const list = [member, { ...member, id: "mem_2", tier: null }, { ...member, id: "mem_3", tier: null }]
    const outcome = memberListReader.read(list)
    expect(outcome.ok && outcome.drift).toEqual([{ field: "tier", kind: "empty" }])
  })

  it("never throws on any JSON value", () => {
    const readers = [
      memberReader,
      balanceReader,
      transactionReader,
      rewardReader,
      orderReader,
      cardReader,
      issuedCardReader,
    ]
    fc.assert(
      fc.property(fc.anything(), fc.constantFrom(...readers), (raw, reader) => {
        expect(typeof reader.read(raw).ok).toBe("boolean")
      }),
      { numRuns: 500 },
    )
  })

  it("reads tolerantly whatever it reads exactly, and keeps every field as it came", () => {
    const text = fc.string()
    const record = fc.record(
      {
        ...fixed(member),
        company: text,
        phone: text,
        tier: text,
        points_balance: fc.integer(),
        // The one name that is left out on the way in: no object of this language holds it safely.
        metadata: fc.dictionary(
          text.filter((key) => key !== "__proto__"),
          fc.jsonValue(),
        ),
      },
      {
        requiredKeys: [
          "id",
          "email",
          "first_name",
          "last_name",
          "points_balance",
          "status",
          "created_at",
          "updated_at",
        ],
      },
    )
    fc.assert(
      fc.property(record, (raw) => {
        const outcome = memberReader.read(raw)
        expect(outcome).toEqual({ ok: true, value: raw, drift: [] })
      }),
    )
  })
})

function fixed(source: typeof member) {
  return {
    id: fc.constant(source.id),
    email: fc.constant(source.email),
    first_name: fc.string(),
    last_name: fc.string(),
    status: fc.constantFrom("active", "inactive", "pending"),
    created_at: fc.constant(source.created_at),
    updated_at: fc.constant(source.updated_at),
  }
}

describe("the two names of a balance", () => {
  it.each([
    [{ balance_after: 5 }, 5, false],
    [{ new_balance: 5 }, 5, false],
    [{ balance_after: 5, new_balance: 5 }, 5, false],
    [{ balance_after: 5, new_balance: 6 }, 5, true],
    [{ balance_after: null }, undefined, false],
  ])("%j", (row, points, disagree) => {
    expect(balanceAfter(row)).toEqual({ points, disagree })
  })
})

describe("the two shapes of an order", () => {
  it.each([
    [{ tracking_number: "0012", carrier: "Australia Post" }],
    [{ fulfillment: { tracking_number: "0012", carrier: "Australia Post" } }],
    [{ fulfillment: { tracking_number: "" }, tracking_number: "0012", carrier: "Australia Post" }],
  ])("%j", (order) => {
    expect(shipmentOf(order)).toEqual({ tracking_number: "0012", carrier: "Australia Post" })
  })
})

const order = {
  order_id: "ord_1",
  member_id: "mem_1",
  reward_id: "rew_1",
  reward_name: "Esky",
  points_spent: 500,
  status: "pending",
  fulfillment: { type: "physical", tracking_number: "T1", carrier: "AusPost" },
  created_at: "2026-11-21T00:00:00Z",
}
const reward = {
  id: "rew_1",
  name: "Esky",
  points_cost: 500,
  type: "physical",
  status: "active",
  stock: null,
}
const transaction = {
  transaction_id: "txn_1",
  member_id: "mem_1",
  type: "award",
  points: 50,
  reason: "Q3",
  reference: "INV-1",
  balance_after: 50,
  metadata: { depot: "4" },
  created_at: "2026-11-21T00:00:00Z",
}

describe("rows shown on screens", () => {
  const lists: { readonly reader: Reader<object[]>; readonly row: Readonly<Record<string, unknown>> }[] = [
    { reader: memberListReader, row: { ...member, metadata: { a: 1 } } },
    { reader: orderListReader, row: order },
    { reader: rewardListReader, row: reward },
    { reader: transactionListReader, row: transaction },
  ]

  it("have one row per record and count drift for any JSON value in any field", () => {
    const cases = fc.constantFrom(...lists).chain(({ reader, row }) =>
      fc.record({
        reader: fc.constant(reader),
        row: fc.constant(row),
        field: fc.constantFrom(...Object.keys(row)),
        at: fc.nat({ max: 2 }),
        value: fc.jsonValue({ maxDepth: 3 }),
      }),
    )
    fc.assert(
      fc.property(cases, ({ reader, row, field, at, value }) => {
        const rows = [0, 1, 2].map((one) => (one === at ? { ...row, [field]: value } : row))
        const shown = reader.show(rows)
        if (!shown.ok) throw new Error(shown.reason)
        expect(shown.value).toHaveLength(3)
        // The browser parses it again as the server sent it.
        expect(reader.tolerant.safeParse(JSON.parse(JSON.stringify(shown.value))).success).toBe(true)
        const [first, second, third] = shown.value
        expect([first, second, third].filter((_, other) => other !== at)).toEqual([row, row])
        // Reads for money take the full response or none.
        const isUsable = reader.read(rows).ok
        expect(isUsable || shown.drift.length > 0).toBe(true)
        expect(isUsable || Object.hasOwn(shown.value[at] ?? {}, rawValuesField)).toBe(true)
      }),
      { numRuns: 600 },
    )
  })

  it.each([
    ["a number where text is due", "reference", 12, "12", 12],
    ["text where a number is due", "points", "50", undefined, "50"],
    ["a list where text is due", "reason", ["a"], '["a"]', ["a"]],
    ["an empty list for metadata", "metadata", [], {}, []],
    ["a number for an id", "transaction_id", 7, "7", 7],
    ["a rounded number for an id", "transaction_id", 2 ** 60, "(unreadable 1)", 2 ** 60],
    ["nothing for an id", "transaction_id", null, "(unreadable 1)", null],
  ])("keep %s beside what is shown", (_, field, came, shown, rawField) => {
    const outcome = transactionListReader.show([{ ...transaction, [field]: came }])
    const [row] = outcome.ok ? outcome.value : []
    expect(row).toMatchObject({ [field]: shown })
    expect(rawValue(row ?? {}, field)).toEqual(rawField)
  })

  it("never take a stock that cannot be read for an unlimited one", () => {
    const outcome = rewardListReader.show([{ ...reward, stock: "few" }])
    const [row] = outcome.ok ? outcome.value : []
    expect(row?.stock).toBeUndefined()
    expect(rawValue(row ?? {}, "stock")).toBe("few")
  })

  it("drop text in place of a record: it may be a code", () => {
    const outcome = orderListReader.show([{ ...order, fulfillment: "CODE-1234-SECRET" }, "CODE-1234-SECRET"])
    expect(outcome).toMatchObject({
      ok: true,
      value: [{ fulfillment: undefined }, { order_id: "(unreadable 2)" }],
    })
    expect(JSON.stringify(outcome)).not.toContain("SECRET")
  })

  it("a single record is shown too, unless its key cannot be read", () => {
    expect(memberReader.show({ ...member, points_balance: "1250" })).toMatchObject({
      ok: true,
      value: { points_balance: undefined, [rawValuesField]: { points_balance: "1250" } },
    })
    expect(memberReader.show({ ...member, id: 5 }).ok).toBe(false)
    expect(balanceReader.show({ member_id: "mem_1", balance: "5" }).ok).toBe(false)
  })
})
