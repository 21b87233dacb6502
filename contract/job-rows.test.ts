import { describe, expect, it } from "vitest"
import { jobKinds } from "./job-kinds.ts"
import {
  type Candidate,
  decisionBody,
  type JobRow,
  redactCandidate,
  redactRow,
  seesFullRows,
} from "./job-rows.ts"
import { awardRow } from "./kinds/points.ts"
import { orderUpdateRow, storedOrderUpdate } from "./kinds/order-update.ts"
import { redeemRow } from "./kinds/redeem.ts"
import { orderAddressesBody } from "./orders.ts"
import { rowOutcomeMessages } from "./row-outcomes.ts"
import { roles } from "./roles.ts"

const row: JobRow = {
  row: 1,
  state: "failed",
  input: {
    email: "bo@dealer.test",
    member_id: "mem_1",
    points: 250,
    reason: "Q3",
    metadata: { a: 1 },
    new_field: 1,
  },
  outcome: { code: "invalid_request", message: "bo@dealer.test is suspended" },
  upstream_id: "trx_1",
  attempts: 1,
  member: { id: "mem_1", label: "Bo Ek" },
  sent_at: null,
  ended_at: null,
  next_look_at: null,
  balance_after: 1450,
}

it("redemptions take any whole number of pieces from 1", () => {
  const parsed = (quantity: unknown) =>
    redeemRow.safeParse({ member_id: "mem_1", reward_id: "rew_1", quantity }).success
  expect([1, 99, 100, 100_000, undefined].map(parsed)).toEqual([true, true, true, true, true])
  expect([0, -1, 1.5, "2", Number.POSITIVE_INFINITY].map(parsed)).toEqual([false, false, false, false, false])
})

const candidate: Candidate = {
  upstream_id: "trx_1",
  created_at: null,
  points: 250,
  text: "for Bo Ek",
  reference: "bo@dealer.test",
  after_ms: 20,
  has_batch_code: true,
  claimed_by: null,
}

it("an id that no store takes is refused in every field for ids", () => {
  for (const id of ["a\u0000", "a\ud83d"]) {
    const award = { points: 1, reason: "Bonus" }
    const redeem = { member_id: "mem_1", reward_id: "r1" }
    const order = { order_id: "ord_1", status: "shipped" }
    for (const [schema, valid, broken] of [
      [awardRow, { ...award, member_id: "mem_1" }, { ...award, member_id: id }],
      [redeemRow, redeem, { ...redeem, member_id: id }],
      [redeemRow, redeem, { ...redeem, reward_id: id }],
      [orderUpdateRow, order, { ...order, order_id: id }],
      [orderUpdateRow, order, { ...order, expected: { carrier: id } }],
      [decisionBody, { decision: "happened" }, { decision: "happened", upstream_id: id }],
      [orderAddressesBody, { ids: ["ord_1"] }, { ids: [id] }],
    ] as const)
      expect([valid, broken].map((body) => schema.safeParse(body).success)).toEqual([true, false])
  }
})

it("a change of an order refuses an order's id as the tracking number, and a stored one is still read", () => {
  const bad = { order_id: "ord_1", tracking_number: "ord_20398" }
  expect(orderUpdateRow.safeParse(bad).error?.issues).toMatchObject([
    { path: ["tracking_number"], message: expect.stringContaining("This is an order number") },
  ])
  expect(storedOrderUpdate.safeParse(bad).success).toBe(true)
})

describe("a job's row", () => {
  it.each(["admin", "manager"] as const)("is whole for %s", (role) => {
    expect(redactRow("award", role, row)).toBe(row)
    expect(redactCandidate("award", role, candidate)).toBe(candidate)
  })

  it("has no names for a viewer, and omits fields without a rule", () => {
    expect(redactRow("award", "viewer", row)).toMatchObject({
      input: { member_id: "mem_1", points: 250, reason: "Q3" },
      member: { id: "mem_1", label: null },
      balance_after: 1450,
    })
    const all = jobKinds.map((kind) => redactRow(kind, "viewer", row))
    const seen = JSON.stringify([...all, redactCandidate("award", "viewer", candidate)])
    expect(seen).not.toMatch(/Bo Ek|bo@dealer|metadata|new_field/)
  })

  it("shows fulfilment a member's name, and neither an e-mail nor points", () => {
    const seen = redactRow("award", "fulfilment", row)
    expect(seen).toMatchObject({
      input: { member_id: "mem_1" },
      member: { label: "Bo Ek" },
      balance_after: null,
    })
    expect(Object.keys(seen.input)).toEqual(["member_id"])
    const byEmail = { ...row, member: { id: null, label: "bo@dealer.test" } }
    expect(redactRow("award", "fulfilment", byEmail).member).toEqual({ id: null, label: null })
    expect(redactCandidate("award", "fulfilment", candidate)).toMatchObject({ points: null, text: null })
  })

  it("keeps Laurel's own outcomes for everybody", () => {
    const absent = { ...row, outcome: { code: "no_canary", message: rowOutcomeMessages.no_canary } }
    expect(redactRow("award", "viewer", absent).outcome).toEqual(absent.outcome)
  })

  it("is searched only by those who see it whole", () => {
    expect(roles.filter((role) => seesFullRows("award", role))).toEqual(["admin", "manager"])
  })
})
