import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { readDollars as readTyped } from "../lib/format.ts"
import { detectNumberStyle, readDollars, readInteger } from "./read-cell.ts"

const bounds = { min: 1, max: 1_000_000_000 }
const groups = [
  [".", ","],
  [".", " "],
  [".", "\u00A0"],
  [".", "\u202F"],
  [".", "’"],
  [",", "."],
  [",", " "],
] as const

describe("an integer", () => {
  test("is read correctly with any grouping of thousands", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: bounds.max }),
        fc.constantFrom(...groups),
        fc.constantFrom("", "+"),
        fc.nat({ max: 3 }),
        (value, [style, group], sign, zeros) => {
          const integer = String(value).replaceAll(/\B(?=(\d{3})+$)/g, group)
          const text = sign + integer + (zeros === 0 ? "" : style + "0".repeat(zeros))
          const unclear = { problem: `${value} or ${value},000? Enter it without separators` }
          expect(readInteger(text, style, bounds)).toMatchObject(
            zeros === 3 && value < 1000 ? unclear : { value },
          )
        },
      ),
    )
  })

  test("is refused with decimals, in either number style", () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 999_999 }),
        fc.integer({ min: 1, max: 99 }),
        fc.constantFrom(".", ","),
        (integer, part, style) => {
          const text = `${integer}${style}${String(part).padStart(2, "0")}`
          expect(readInteger(text, style, bounds)).toEqual({ problem: "Not a whole number" })
        },
      ),
    )
  })

  test.each([
    ["1E+5", "Shortened by a spreadsheet: enter it in full"],
    ["=1000", "A formula, not a number"],
    ["+A1", "A formula, not a number"],
    ["1,25", "Not a number"],
    ["1,250 900", "Not a number"],
    ["12 50", "Not a number"],
    ["(a300)", "Not a number"],
    ["-(300)", "Not a number"],
    ["(-300)", "Not a number"],
    ["2024\u20132025", "Not a number"],
    ["(300)", "Enter it without a minus sign or brackets"],
    ["1250 pts", "Not a number"],
    ["\u2212300", "Enter it without a minus sign or brackets"],
    ["0", "At least 1"],
    ["1,000,000,001", "At most 1,000,000,000"],
    ["99999999999999999999999", "At most 1,000,000,000"],
  ])("%s: %s", (text, problem) => {
    expect(readInteger(text, ".", bounds)).toEqual({ problem })
  })
})

const signed = { min: -1_000_000, max: 1_000_000 }

test.each([
  ["(280)", -280],
  ["( 1,280.00 )", -1280],
  ["280-", -280],
  ["1,280.00-", -1280],
  ["- 280", -280],
  ["\u2010280", -280],
  ["\u2012280", -280],
  ["\u2013280", -280],
  ["\u2212280", -280],
  ["\uFE63280", -280],
  ["\uFF0D280", -280],
  ["+280", 280],
])("%s, as finance systems write it, is %i", (text, value) => {
  expect(readInteger(text, ".", signed)).toEqual({ value })
})

test.each([
  "(1,280.50)",
  "(1.280,50)",
  "\u20131.280,50",
  "1.280,50-",
  "($1,280.50)",
  "$(1,280.50)",
  "-AUD 1,280.50",
])("%s is a negative amount, whose style is detected", (text) => {
  const { style, matters } = detectNumberStyle([text], "\t")
  expect({ style, matters }).toEqual({ style: text.includes(".280") ? "," : ".", matters: true })
  expect(readDollars(text, style)).toEqual({ problem: "Enter it without a minus sign or brackets" })
})

test.each([
  ["1,000", ",", "1 or 1,000? Enter it without separators", "1000"],
  ["1.000", ".", "1 or 1,000? Enter it without separators", "1000"],
  ["-12.500", ".", "12.5 or 12,500? Enter it without separators", undefined],
  ["50.101", ".", "50.101 or 50,101? Enter it without separators", "50101"],
] as const)("%s with decimals after %s is ambiguous and refused", (text, style, problem, large) => {
  for (const reading of [readInteger(text, style, bounds), readDollars(text, style)]) {
    expect(reading).toMatchObject({ problem })
    expect("fix" in reading ? reading.fix?.text : undefined).toBe(large)
  }
})

describe("how a file writes its numbers", () => {
  test.each([
    [["1,250", "900"], ",", "."],
    [["1.250", "900"], ";", ","],
    [["1.250,00", "900"], ",", ","],
    [["1,250.00", "1,000"], ";", "."],
    [["1.234.567"], ",", ","],
    [["1250"], "\t", "."],
  ])("%j between %j: decimals after %j", (texts, delimiter, style) => {
    expect(detectNumberStyle(texts, delimiter).style).toBe(style)
  })
})

test("an amount is read to the cent in any notation, typed or from a file", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100_000_000 }),
      fc.constantFrom("", "$", "$ "),
      fc.boolean(),
      (cents, sign, grouped) => {
        const [integer = "", part = ""] = (cents / 100).toFixed(2).split(".")
        const text = `${sign}${grouped ? integer.replaceAll(/\B(?=(\d{3})+$)/g, ",") : integer}.${part}`
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
  ["0.500", 0.5],
])("%s is %s", (text, value) => {
  expect(readDollars(text, ".")).toEqual({ value })
})

test.each([
  ["50.1010", "At most two decimals"],
  ["-$5", "Enter it without a minus sign or brackets"],
  ["$-5", "Enter it without a minus sign or brackets"],
])("%s: %s", (text, problem) => {
  expect(readDollars(text, ".")).toEqual({ problem })
})

test.each([["12.345"], ["1,2,50"], ["fifty"], [""], ["-5"], ["5e3"], ["1,25"]])(
  "“%s” is no amount when typed",
  (text) => {
    expect(readTyped(text)).toBeNaN()
  },
)
