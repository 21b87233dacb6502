import { describe, expect, it } from "vitest"
import { createFakeClock } from "../../tests/support/fake-clock.ts"
import { BulkSize, Pace } from "./run-state.ts"

describe("the size of bulk requests", () => {
  it("starts small with one request in flight, and doubles after quick responses up to the maximum", () => {
    const bulk = new BulkSize(100)
    expect(bulk.next()).toBe(25)
    bulk.sent()
    expect(bulk.next()).toBe(0)
    const sizes = [1, 2, 3].map(() => {
      bulk.answered(200, 12_000)
      return bulk.next()
    })
    expect(sizes).toEqual([50, 100, 100])
  })

  it("does not grow after a slow response, and halves after an unknown one", () => {
    const bulk = new BulkSize(100)
    bulk.sent()
    bulk.answered(5000, 12_000)
    expect(bulk.next()).toBe(25)
    bulk.sent()
    bulk.unknown()
    expect(bulk.next()).toBe(12)
  })

  it("halves a refused size and stays below it", () => {
    const bulk = new BulkSize(100)
    bulk.sent()
    bulk.answered(1, 12_000)
    bulk.answered(1, 12_000)
    expect(bulk.refused(100)).toBe(50)
    bulk.answered(1, 12_000)
    expect(bulk.next()).toBe(50)
  })
})

describe("the pace of a run", () => {
  it("after an outage is one call at a time until one reaches the service", async () => {
    const clock = createFakeClock()
    const pace = new Pace(clock)
    pace.serviceReached({ isUnknown: false })
    expect(pace.proven).toBe(true)
    pace.serviceUnreachable()
    expect([pace.isHeld, pace.proven]).toEqual([true, false])
    await clock.advance(1000)
    expect([pace.isHeld, pace.proven]).toEqual([false, false])
    pace.serviceReached({ isUnknown: false })
    expect(pace.proven).toBe(true)
  })
})
