import { describe, expect, it } from "vitest"
import { createEventBus } from "../runtime.ts"
import type { Clock } from "../ports.ts"
import { claimLastsMs, createOrderClaims } from "./order-claims.ts"

const [priya, tom] = [
  { id: "usr_priya", name: "Priya Nair" },
  { id: "usr_tom", name: "Tom Whitlock" },
]

/** Two instances that receive each other's events. */
function instances() {
  let now = 1000
  const events = createEventBus((error) => {
    throw error
  })
  const clock: Clock = { now: () => now, monotonic: () => now, sleep: () => Promise.reject(new Error("no")) }
  const [one, other] = [createOrderClaims({ clock, events }), createOrderClaims({ clock, events })]
  events.subscribe((event) => one.onEvent(event))
  events.subscribe((event) => other.onEvent(event))
  return { one, other, pass: (ms: number) => void (now += ms) }
}

describe("claims of orders", () => {
  it("are known to every instance until the order is left", () => {
    const { one, other } = instances()
    one.publishClaim("ord_1", priya, true, "tab_1")
    other.publishClaim("ord_1", tom, true, undefined)
    const claims = [priya, tom].map((by) => ({ order_id: "ord_1", by }))
    expect([one.list(), other.list()]).toEqual([claims, claims])
    one.publishClaim("ord_1", priya, false, "tab_1")
    expect(other.list()).toEqual([{ order_id: "ord_1", by: tom }])
  })

  it("expire without a renewal", () => {
    const { one, other, pass } = instances()
    one.publishClaim("ord_1", priya, true, undefined)
    one.publishClaim("ord_2", tom, true, undefined)
    pass(claimLastsMs - 1)
    one.publishClaim("ord_2", tom, true, undefined)
    pass(1)
    expect(other.list()).toEqual([{ order_id: "ord_2", by: tom }])
  })
})
