import { expect, it } from "vitest"
import { createIdMaker } from "./audit-log.ts"

it("makes ids that sort as they were made, even within a millisecond and when the clock is set back", () => {
  let now = Date.UTC(2026, 10, 20)
  const next = createIdMaker(() => now)
  const ids = Array.from({ length: 50 }, (_, at) => {
    if (at === 20) now += 1
    if (at === 30) now -= 3_600_000
    return next()
  })
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(50)
})
