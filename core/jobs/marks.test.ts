import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { limits } from "../../contract/limits.ts"
import { carries, codeOf, markedReason, markForm, newBatchCode, plainReason } from "./marks.ts"

const code = fc
  .integer({ min: 0, max: 50 })
  .map((n) => codeOf({ batchCode: newBatchCode() }, { ordinal: n + 1 }))

describe("the code at the end of a reason", () => {
  test("is found whatever the reason was, and the whole is never too long", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 700, unit: "grapheme" }), code, (reason, mark) => {
        const marked = markedReason(reason, mark)
        expect(carries(marked, mark)).toBe(true)
        expect(Array.from(marked).length).toBeLessThanOrEqual(limits.reason)
        expect(carries(marked.trim().replaceAll(/\s+/g, " "), mark)).toBe(true)
      }),
    )
  })

  test("of one row is not taken for another row's of the same member", () => {
    const [first, second, twelfth] = [1, 2, 12].map((ordinal) => codeOf({ batchCode: "7K2QX" }, { ordinal }))
    expect([first, second, twelfth]).toEqual(["7K2QX", "7K2QX-2", "7K2QX-12"])
    for (const [sent, others] of [
      [first, [second, twelfth]],
      [second, [first, twelfth]],
      [twelfth, [first, second]],
    ] as const) {
      const reason = markedReason("Q3 bonus", sent ?? "")
      expect(others.filter((other) => carries(reason, other ?? ""))).toEqual([])
    }
  })

  test("is not seen inside another word", () => {
    expect(carries("batch A7K2QX", "7K2QX")).toBe(false)
    expect(carries("batch 7K2QXB", "7K2QX")).toBe(false)
    expect(carries("7K2QX. Thank you", "7K2QX")).toBe(true)
    expect(carries(null, "7K2QX")).toBe(false)
  })

  test("is taken off again for a report", () => {
    expect(plainReason(markedReason("Trade night · batch of two", "7K2QX-2"))).toBe(
      "Trade night · batch of two",
    )
  })
})

test("the form of a mark follows how the row is sent, so that controls are comparable", () => {
  const plain = { input: { points: 5 } }
  expect(markForm({ kind: "award", mode: "bulk" }, plain)).toBe("award:reason")
  expect(markForm({ kind: "award", mode: "single" }, plain)).toBe("award:reference")
  const own = { input: { reference: "INV-1" } }
  expect(markForm({ kind: "award", mode: "single" }, own)).toBe("award:metadata")
  // A bulk request carries no references: such a row goes alone.
  expect(markForm({ kind: "award", mode: "bulk" }, own)).toBe("award:metadata")
  expect(markForm({ kind: "deduct", mode: null }, plain)).toBe("deduct:reason")
})
