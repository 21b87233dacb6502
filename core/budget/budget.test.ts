import { expect, it } from "vitest"
import { createBackOff } from "./budget.ts"

it("doubles with each refusal, up to half a minute, and starts anew after an answer", () => {
  const backOff = createBackOff(() => 1)
  const pauses = Array.from({ length: 7 }, (_, at) => backOff.refused(at * 100, at * 100, undefined))
  expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
  backOff.succeeded(1000)
  expect(backOff.refused(1100, 1100, undefined)).toBe(1000)
})

it("counts calls that were refused together once", () => {
  const backOff = createBackOff(() => 1)
  expect(backOff.refused(0, 50, undefined)).toBe(1000)
  expect(backOff.refused(10, 60, undefined)).toBeUndefined()
})

it("is spread by half, and honours what is asked up to two minutes", () => {
  expect(createBackOff(() => 0).refused(0, 0, undefined)).toBe(500)
  expect(createBackOff(() => 0).refused(0, 0, 7)).toBe(7000)
  expect(createBackOff(() => 0).refused(0, 0, 9999)).toBe(120_000)
})
