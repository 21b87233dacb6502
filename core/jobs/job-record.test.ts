import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { limits } from "../../contract/limits.ts"
import {
  carriesCode,
  jobLabel,
  newBatchCode,
  reasonWithCode,
  reasonWithoutCode,
  tagCode,
} from "./job-record.ts"
import { award, deduct } from "./kinds/points.ts"

const code = fc
  .integer({ min: 0, max: 50 })
  .map((n) => tagCode({ batchCode: newBatchCode() }, { ordinal: n + 1 }))

describe("the code at the end of a reason", () => {
  test("is found with any reason, and the text is never too long", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 700, unit: "grapheme" }), code, (reason, mark) => {
        const tagged = reasonWithCode(reason, mark)
        expect(carriesCode(tagged, mark)).toBe(true)
        expect(Array.from(tagged).length).toBeLessThanOrEqual(limits.reason)
        expect(carriesCode(tagged.trim().replaceAll(/\s+/g, " "), mark)).toBe(true)
      }),
    )
  })

  test("of one row does not match another row of the same member", () => {
    const [first, second, twelfth] = [1, 2, 12].map((ordinal) => tagCode({ batchCode: "7K2QX" }, { ordinal }))
    expect([first, second, twelfth]).toEqual(["7K2QX", "7K2QX-2", "7K2QX-12"])
    for (const [sent, others] of [
      [first, [second, twelfth]],
      [second, [first, twelfth]],
      [twelfth, [first, second]],
    ] as const) {
      const reason = reasonWithCode("Q3 bonus", sent ?? "")
      expect(others.filter((other) => carriesCode(reason, other ?? ""))).toEqual([])
    }
  })

  test("does not match inside another word", () => {
    expect(carriesCode("batch A7K2QX", "7K2QX")).toBe(false)
    expect(carriesCode("batch 7K2QXB", "7K2QX")).toBe(false)
    expect(carriesCode("7K2QX. Thank you", "7K2QX")).toBe(true)
    expect(carriesCode(null, "7K2QX")).toBe(false)
  })

  test("is removed for reports", () => {
    expect(reasonWithoutCode(reasonWithCode("Trade night · batch of two", "7K2QX-2"))).toBe(
      "Trade night · batch of two",
    )
  })
})

test("the form of a tag depends on how the row is sent", () => {
  const plain = { input: { points: 5 } }
  expect(award.tags?.formOf({ mode: "bulk" }, plain)).toBe("award:reason")
  expect(award.tags?.formOf({ mode: "single" }, plain)).toBe("award:reference")
  const own = { input: { reference: "INV-1" } }
  expect(award.tags?.formOf({ mode: "single" }, own)).toBe("award:metadata")
  // A bulk request carries no references: such a row is sent alone.
  expect(award.tags?.formOf({ mode: "bulk" }, own)).toBe("award:metadata")
  expect(deduct.tags?.formOf({ mode: null }, plain)).toBe("deduct:reason")
})

test("a job's label in the audit log has no count while a draft is empty, and says which part an act concerned", () => {
  const job = { title: null, kind: "award", total: 8 } as const
  expect(jobLabel(job)).toBe("8 awards")
  expect(jobLabel({ ...job, total: 0 })).toBe("awards")
  expect(jobLabel(job, 5)).toBe("5 of 8 awards")
  expect(jobLabel({ ...job, title: "Q3" }, 5)).toBe("Q3: 5 of 8")
  expect(jobLabel({ ...job, title: "Q3" })).toBe("Q3")
})
