import fc from "fast-check"
import { expect, test } from "vitest"
import { readDollars as readTyped } from "../../lib/format.ts"
import { readDollars } from "./dollars.ts"

test("an amount is read however it is written, to the cent, and typed by hand as in a file", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100_000_000 }),
      fc.constantFrom("", "$", "$ "),
      fc.boolean(),
      (cents, sign, grouped) => {
        const [whole = "", part = ""] = (cents / 100).toFixed(2).split(".")
        const text = `${sign}${grouped ? whole.replaceAll(/\B(?=(\d{3})+$)/g, ",") : whole}.${part}`
        expect(readDollars(text, ".")).toEqual({ value: cents / 100 })
        expect(readTyped(text)).toBe(cents / 100)
      },
    ),
  )
})

test.each([
  ["A$50", 50],
  ["AUD 50.5", 50.5],
  ["€20", 20],
  ["50.101", undefined],
])("%s is %s", (text, value) => {
  expect(readDollars(text, ".")).toEqual(
    value === undefined ? { problem: "At most two decimals" } : { value },
  )
})

test.each([["12.345"], ["1,2,50"], ["fifty"], [""], ["-5"], ["5e3"], ["1,25"]])(
  "“%s” is no amount when typed",
  (text) => {
    expect(readTyped(text)).toBeNaN()
  },
)
