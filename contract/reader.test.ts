import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { issuedCardReader, cardReader } from "./giftcard/card.ts"
import { memberListReader, memberReader } from "./program/member.ts"
import { orderReader, shipmentOf } from "./program/order.ts"
import { balanceAfter, balanceReader, transactionReader } from "./program/points.ts"
import { rewardReader } from "./program/reward.ts"

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
  it("finds nothing to say about a documented answer", () => {
    expect(driftOf(member)).toEqual([])
  })

  it("shows an unlisted value of a closed list and names it", () => {
    expect(driftOf({ ...member, status: "suspended" })).toEqual([
      { field: "status", said: "active, inactive, pending", came: '"suspended"' },
    ])
  })

  it("keeps an extra field and names it", () => {
    const outcome = memberReader.read({ ...member, loyalty_id: "L-1" })
    expect(outcome).toMatchObject({ ok: true, value: { loyalty_id: "L-1" } })
    expect(driftOf({ ...member, loyalty_id: "L-1" })).toEqual([
      { field: "loyalty_id", said: "not documented", came: "an extra field" },
    ])
  })

  it("reads null and missing fields", () => {
    const { first_name: _, ...without } = member
    expect(driftOf({ ...without, company: null })).toEqual([
      { field: "first_name", said: "string", came: "missing" },
      { field: "company", said: "string", came: "null" },
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
    expect(outcome.ok && outcome.drift).toEqual([{ field: "tier", said: "string", came: "null" }])
  })

  it("never throws, whatever comes", () => {
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
