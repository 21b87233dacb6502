import { describe, expect, it } from "vitest"
import { guardNumber, guardOrder, looksLikeOrder } from "./checks.ts"
import type { KnownOrder } from "./flow-state.ts"

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
    expect(guardNumber("00093275105000000012")).toEqual({ type: "go" })
  })

  it("is blocked with the reason when a spreadsheet rounded it", () => {
    expect(guardNumber("9.4E+21")).toMatchObject({ type: "blocked", why: "rounded" })
  })

  it("is an order id when it is known or has the id prefix, and perhaps one when it has the same shape", () => {
    expect(looksLikeOrder("ord_20379", [order.id])).toBe("yes")
    expect(looksLikeOrder("ORD_99999", [order.id])).toBe("yes")
    expect(looksLikeOrder("7731", ["7730", "7731"])).toBe("yes")
    expect(looksLikeOrder("7732", ["7730"])).toBe("perhaps")
    expect(looksLikeOrder("ORD-8", ["ORD-7"])).toBe("perhaps")
    expect(looksLikeOrder("RB123456785AU", ["7730", order.id])).toBe("no")
    expect(looksLikeOrder("RB123456785AU", [order.id])).toBe("no")
  })

  it("is blocked when it is too long for the service", () => {
    expect(guardNumber("7".repeat(300))).toMatchObject({ why: "unfit" })
  })
})
