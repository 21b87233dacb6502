import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { judgeOrder, traceInOrder } from "./judge-order.ts"
import { orderFields, type OrderFields } from "./order-fields.ts"

const text = fc.constantFrom("", "pending", "shipped", "0012", "DHL", "archived_by_partner")
const some = (keys: Parameters<typeof fc.record>[1] = { requiredKeys: [] }) =>
  fc.record({ status: text, tracking_number: text, carrier: text }, keys) as fc.Arbitrary<OrderFields>

const sides = fc.record({ seen: some(), now: some(), wanted: some() })

describe("judging an order before a change", () => {
  it("never sends a field that is where it is to be, and sends every other", () => {
    const isRight = fc.property(sides, (all) => {
      const verdict = judgeOrder(all)
      if (verdict.kind !== "go") return true
      return orderFields.every((field) => {
        const due = all.wanted[field] !== undefined && all.wanted[field] !== all.now[field]
        return verdict.send[field] === (due ? all.wanted[field] : undefined)
      })
    })
    expect(fc.check(isRight).failed).toBe(false)
  })

  it("never writes over what somebody else changed since it was seen", () => {
    const isRight = fc.property(sides, ({ seen, now, wanted }) => {
      const isForeign = orderFields.some(
        (field) =>
          wanted[field] !== undefined &&
          seen[field] !== undefined &&
          now[field] !== undefined &&
          now[field] !== seen[field] &&
          now[field] !== wanted[field],
      )
      return !isForeign || judgeOrder({ seen, now, wanted }).kind === "conflict"
    })
    expect(fc.check(isRight).failed).toBe(false)
  })

  it("takes a change beside its own fields for one, too: an order may have been cancelled", () => {
    const verdict = judgeOrder({
      seen: { status: "processing", tracking_number: "", carrier: "" },
      now: { status: "cancelled", tracking_number: "", carrier: "" },
      wanted: { tracking_number: "0012" },
    })
    expect(verdict).toEqual({ kind: "conflict" })
  })

  it("is done, whatever was seen, when everything is so already", () => {
    const now = { status: "shipped", tracking_number: "0012", carrier: "DHL" }
    expect(judgeOrder({ seen: { status: "pending" }, now, wanted: { status: "shipped" } })).toEqual({
      kind: "done",
    })
  })
})

describe("tracing a change whose answer was lost", () => {
  const base = { status: "pending", tracking_number: "", carrier: "" }
  const wanted = { status: "shipped", tracking_number: "0012" }
  const trace = (now: OrderFields) => traceInOrder({ base, send: wanted, wanted, now })

  it.each([
    ["done", { ...base, ...wanted }],
    ["not_done", base],
    ["not_done", { ...base, status: "shipped" }],
    ["changed", { ...base, status: "cancelled" }],
    ["changed", { ...base, tracking_number: "0099" }],
    ["untold", { tracking_number: "", carrier: "" }],
  ] as const)("%s: %j", (verdict, now) => {
    expect(trace(now)).toBe(verdict)
  })
})
