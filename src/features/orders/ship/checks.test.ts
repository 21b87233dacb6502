import { describe, expect, it } from "vitest"
import { guardNumber, guardOrder, resemblesOrder, meaningOf } from "./checks.ts"
import type { KnownOrder, Step } from "./desk-state.ts"

const order: KnownOrder = {
  id: "ord_20379",
  status: "processing",
  type: undefined,
  tracking_number: null,
  carrier: null,
}

describe("a scanned order", () => {
  it("is accepted while it waits for a parcel", () => {
    expect(guardOrder(order)).toEqual({ type: "go" })
    expect(guardOrder({ ...order, status: "Pending", type: "physical" })).toEqual({ type: "go" })
  })

  it("is blocked when it is cancelled or digital", () => {
    expect(guardOrder({ ...order, status: "cancelled" })).toEqual({ type: "blocked", why: "cancelled" })
    expect(guardOrder({ ...order, type: "Digital" })).toEqual({ type: "blocked", why: "digital" })
    expect(guardOrder({ ...order, status: "completed", type: "digital" })).toEqual({
      type: "blocked",
      why: "digital",
    })
  })

  it("needs an answer when it is shipped, has a number or has an unknown status", () => {
    expect(guardOrder({ ...order, status: "shipped" })).toEqual({ type: "ask", why: "shipped" })
    expect(guardOrder({ ...order, tracking_number: "33ABC" })).toEqual({ type: "ask", why: "numbered" })
    expect(guardOrder({ ...order, status: "on_hold" })).toEqual({ type: "ask", why: "unusual" })
  })
})

describe("a scanned number", () => {
  it("is left unchanged, leading zeros included", () => {
    expect(guardNumber("00093275105000000012")).toBeUndefined()
  })

  it("is blocked with the reason when a spreadsheet rounded it", () => {
    expect(guardNumber("9.4E+21")).toMatchObject({ code: "rounded" })
  })

  it("is an order id when it is known or has the id prefix, and perhaps one when it has the same shape", () => {
    expect(resemblesOrder("ord_20379", [order.id])).toBe("yes")
    expect(resemblesOrder("ORD_99999", [order.id])).toBe("yes")
    expect(resemblesOrder("7731", ["7730", "7731"])).toBe("yes")
    expect(resemblesOrder("7732", ["7730"])).toBe("perhaps")
    expect(resemblesOrder("ORD-8", ["ORD-7"])).toBe("perhaps")
    expect(resemblesOrder("RB123456785AU", ["7730", order.id])).toBe("no")
    expect(resemblesOrder("RB123456785AU", [order.id])).toBe("no")
  })

  it("is blocked when it is too long for the service", () => {
    expect(guardNumber("7".repeat(300))).toMatchObject({ code: "unfit" })
  })
})

describe("meaning of a scanned text", () => {
  const open: KnownOrder = { id: "ord_1", status: "pending", tracking_number: null, carrier: null }
  const found = { number: "N1", carrier: null, candidates: [], unchecked: [] }
  const known = ["ord_1", "ord_2"]
  const steps = {
    order: { at: "order" },
    parcel: { at: "parcel", order: open, uncertain: false },
    uncertain: { at: "parcel", order: open, uncertain: true },
    shipped: { at: "order-question", order: open, why: "shipped" },
    unsure: { at: "parcel-question", order: open, number: "N1" },
    used: { at: "number-question", order: open, found, isUnusual: false, other: "ord_2" },
    unusual: { at: "number-question", order: open, found, isUnusual: true, other: undefined },
    carrier: { at: "carrier", order: open, found, choices: [] },
  } satisfies Record<string, Step>

  it.each<[keyof typeof steps, string, string]>([
    ["order", "N1", "order"],
    ["order", "ord_2", "order"],
    ["shipped", "ord_1", "yes"],
    ["shipped", "ord_2", "order"],
    ["parcel", "N1", "number"],
    ["parcel", "ord_2", "order"],
    ["parcel", "abc_9", "perhaps-number"],
    ["uncertain", "N1", "perhaps-number"],
    ["unsure", "N1", "perhaps-number"],
    ["unsure", "ord_1", "order"],
    ["used", "ord_1", "yes"],
    ["used", "N1", "number"],
    ["used", "N2", "perhaps-number"],
    ["unusual", "ord_1", "order"],
    ["carrier", "N1", "number"],
    ["carrier", "N2", "perhaps-number"],
  ])("at step %s, %s is: %s", (step, text, means) => {
    expect(meaningOf(text, steps[step], [], known).means).toBe(means)
  })

  it("a short form names its order, and asks for more when it fits several", () => {
    expect(meaningOf("1", steps.order, ["ord_1"], known)).toEqual({ means: "order", text: "ord_1" })
    expect(meaningOf("1", steps.order, known, known)).toEqual({ means: "several", ids: known })
    expect(meaningOf("1", steps.parcel, ["ord_2"], known).means).toBe("perhaps-number")
  })
})
