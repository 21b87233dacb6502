import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { limits } from "../../contract/limits.ts"
import { chunkRows, RowsHash } from "./start-job.ts"

const markOf = (...parts: readonly (readonly unknown[])[]) => {
  const mark = new RowsHash()
  for (const part of parts) mark.add(part)
  return mark.toString()
}

describe("chunkRows", () => {
  it("keeps every row in order, and every part within one request", () => {
    const row = fc.record({ reason: fc.string({ maxLength: 500, unit: "binary" }), points: fc.nat() })
    const rows = fc.tuple(fc.array(row, { maxLength: 20 }), fc.integer({ min: 1, max: 150 }))
    fc.assert(
      fc.property(rows, ([some, times]) => {
        const all = Array.from({ length: times }, () => some).flat()
        const chunks = chunkRows(all)
        expect(chunks.flat()).toEqual(all)
        for (const chunk of chunks) {
          expect(chunk.length).toBeLessThanOrEqual(limits.jobRowsAdded)
          const bytes = new TextEncoder().encode(JSON.stringify({ rows: chunk, first_row: 200_000 })).length
          expect(bytes).toBeLessThan(limits.bodyBytes)
        }
      }),
      { numRuns: 40 },
    )
  })
})

describe("RowsHash", () => {
  it("is the same for the same rows and another for a changed, moved or missing one", () => {
    const one = { member_id: "a", points: 5 }
    const two = { member_id: "b", points: 5 }
    expect(markOf([one, two])).toBe(markOf([one, two]))
    const others = [markOf([two, one]), markOf([one]), markOf([one, { ...two, points: 6 }]), markOf([])]
    expect(new Set([markOf([one, two]), ...others]).size).toBe(5)
  })
})
