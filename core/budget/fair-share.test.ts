import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Lane } from "../ports.ts"
import { alwaysFree, reserveOf, sharesOf } from "./fair-share.ts"
import { windowMs } from "./rate-limiter.ts"

it("the reserve is a sixth of any limit", () => {
  expect([60, 300, 10, 1].map(reserveOf)).toEqual([10, 50, 2, 1])
})

describe("a permit by the count alone", () => {
  it("goes only to people who would get it under any distribution of the others", () => {
    const heldBy = fc.record({
      lane: fc.constantFrom<Lane>("people", "jobs"),
      who: fc.constantFrom("ana", "ben"),
      permits: fc.integer({ min: 1, max: 20 }),
      freeInMs: fc.integer({ min: 1, max: windowMs }),
    })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1000 }), fc.array(heldBy, { maxLength: 12 }), (limit, window) => {
        const recentUse = window.toSorted((one, other) => one.freeInMs - other.freeInMs)
        const free = limit - recentUse.reduce((sum, { permits }) => sum + permits, 0)
        fc.pre(free > 0 && free >= alwaysFree(limit))
        const shares = sharesOf({ free, recentUse }, { limit, windowMs })
        for (const who of ["ana", "ben", "cy"])
          expect([shares.person(who), shares.update(who)]).toEqual([0, 0])
      }),
    )
    expect(alwaysFree(60)).toBe(46)
  })
})
