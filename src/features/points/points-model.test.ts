import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { resolveRequests, sendRequests } from "../../../contract/estimates.ts"
import { formatPoints } from "../../lib/format.ts"
import { toJobBody, type PointsEntry, overdraftWarning, pointsSchema, readPoints } from "./points-model.ts"

describe("readPoints", () => {
  it("parses what formatCount prints, grouped or not", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000_000 }), (points) => {
        expect(readPoints(formatPoints(points))).toBe(points)
        expect(readPoints(` ${points} `)).toBe(points)
      }),
    )
  })

  it("rejects text that could mean another number", () => {
    for (const text of ["", "1.5", "1,50", "12,34", "1e3", "-5", "1,0000", "1.250", "ten", "(250)", "0"]) {
      expect(readPoints(text)).toBeNaN()
    }
  })

  it.each([
    ["+250", 250],
    ["1'250", 1250],
    ["１２５０", 1250],
    ["1,250.00", 1250],
  ])("reads %s as a cell of a file is read", (text, points) => {
    expect(readPoints(text)).toBe(points)
  })

  it("rejects what is above a limit", () => {
    expect(readPoints("250", () => "At most 100 points.")).toBeNaN()
  })
})

it("a negative amount is refused with a hint to leave out the minus, not as fractional", () => {
  const form = { points: "-50", reason: "Bonus", reference: "", metadata: [], mode: "bulk" } as const
  const { error } = pointsSchema(() => undefined).safeParse(form)
  expect(error?.issues.map(({ message }) => message)).toEqual([expect.stringMatching(/without a minus/)])
})

it.each([
  ["(250)", "Enter it without a minus sign or brackets."],
  ["ten", "Not a number."],
  ["1.5", "Not a whole number."],
  ["1.250", "1.25 or 1,250? Enter it without separators."],
  ["0", "At least 1."],
  ["99,999,999,999", "At most 100,000 points for one award."],
])("%s is refused with the reason: %s", (points, reason) => {
  const form = { points, reason: "Bonus", reference: "", metadata: [], mode: "bulk" } as const
  const limit = (each: number) => (each > 100_000 ? "At most 100,000 points for one award." : undefined)
  const { error } = pointsSchema(limit).safeParse(form)
  expect(error?.issues.map(({ message }) => message)).toEqual([reason])
})

it("a deduction above the balance shows a warning and can be sent", () => {
  expect(overdraftWarning(300, 300)).toBeUndefined()
  expect(overdraftWarning(300, 301)).toContain("300 points")
  expect(overdraftWarning(undefined, 301)).toBeUndefined()
  expect(overdraftWarning(300, Number.NaN)).toBeUndefined()
  const form = { points: "301", reason: "Bonus", reference: "", metadata: [], mode: "bulk" } as const
  expect(pointsSchema(() => undefined).safeParse(form).success).toBe(true)
})

it("awards with a reference or metadata are sent one by one, whatever mode was chosen", () => {
  const entry: PointsEntry = { points: 5, reason: "Bonus", reference: "INV-1", metadata: [], mode: "bulk" }
  const noted: PointsEntry = {
    ...entry,
    reference: "",
    metadata: [{ key: "visits", kind: "number", text: "3" }],
  }
  expect(toJobBody("award", ["a", "b"], noted)).toEqual({
    rows: ["a", "b"].map((member_id) => ({ member_id, points: 5, reason: "Bonus", metadata: { visits: 3 } })),
    options: { mode: "single" },
  })
  expect(toJobBody("deduct", ["a"], noted).rows).toEqual([{ member_id: "a", points: 5, reason: "Bonus" }])
  expect(toJobBody("award", ["a", "b"], entry).options).toEqual({ mode: "single" })
  expect(toJobBody("award", ["a", "b"], { ...entry, reference: "" }).options).toEqual({ mode: "bulk" })
  expect(toJobBody("award", ["a"], entry).options).toBeUndefined()
  expect(toJobBody("deduct", ["a", "b"], entry).options).toBeUndefined()
})

describe("requests of a bulk award", () => {
  const requests = (rows: number, more: object = {}) =>
    sendRequests({ kind: "award", mode: "bulk", rows, ...more })

  it("start with 25 members and double up to 100", () => {
    expect([0, 1, 25, 26, 75, 76, 175, 176, 500, 10_000].map((rows) => requests(rows))).toEqual([
      0, 1, 1, 2, 2, 3, 3, 4, 7, 102,
    ])
    expect(requests(500, { started: true })).toBe(5)
  })

  it("include one for each row of a member, since each names a member once", () => {
    expect(requests(20, { mostRows: 7 })).toBe(7)
    expect(requests(20, { mostRows: 7, started: true })).toBe(7)
  })
})

describe("resolveRequests", () => {
  it("is the cheaper of searching and reading every page", () => {
    expect(resolveRequests(40, 214)).toBe(3)
    expect(resolveRequests(2, 214)).toBe(2)
    expect(resolveRequests(40, undefined)).toBe(40)
    expect(resolveRequests(0, 214)).toBe(0)
  })
})
