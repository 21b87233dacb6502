import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { EditValues } from "./edit-model.ts"
import { clashesOf, mergeWays } from "./three-way.ts"

const word = fc.constantFrom("", "a", "b", "c")
const values: fc.Arbitrary<EditValues> = fc.record({
  first_name: word,
  last_name: word,
  company: word,
  phone: word,
  status: fc.constantFrom("", "active", "inactive"),
  metadata: fc.uniqueArray(
    fc.record({ key: fc.constantFrom("k", "l", "m"), kind: fc.constant("text" as const), text: word }),
    { selector: (row) => row.key },
  ),
})

const byKey = (merged: EditValues) => merged.metadata.toSorted((a, b) => a.key.localeCompare(b.key))

describe("two people's edits of one member", () => {
  it("lose nothing: who changed a field alone keeps it, and what was not touched follows the record", () => {
    fc.assert(
      fc.property(values, values, values, (before, theirs, yours) => {
        const clashes = new Set(clashesOf({ before, theirs, yours }).map((clash) => clash.field))
        const merged = mergeWays({ before, theirs, yours }, {})
        for (const field of ["first_name", "last_name", "company", "phone", "status"] as const) {
          if (clashes.has(field)) continue
          const changedHere = yours[field] !== before[field]
          expect(merged[field]).toBe(changedHere ? yours[field] : theirs[field])
        }
      }),
    )
  })

  it("come out as one or the other when everything is chosen one way and both touched everything", () => {
    fc.assert(
      fc.property(values, values, values, (before, theirs, yours) => {
        const all = (side: "theirs" | "yours") =>
          Object.fromEntries(clashesOf({ before, theirs, yours }).map((clash) => [clash.field, side]))
        for (const clash of clashesOf({ before, theirs, yours })) {
          if (clash.field !== "company") continue
          expect(mergeWays({ before, theirs, yours }, all("yours")).company).toBe(yours.company)
          expect(mergeWays({ before, theirs, yours }, all("theirs")).company).toBe(theirs.company)
        }
      }),
    )
  })

  it("are the typed values when the record did not move, and the record when nothing was typed", () => {
    fc.assert(
      fc.property(values, values, (before, other) => {
        const mine = mergeWays({ before, theirs: before, yours: other }, {})
        expect({ ...mine, metadata: byKey(mine) }).toEqual({ ...other, metadata: byKey(other) })
        const record = mergeWays({ before, theirs: other, yours: before }, {})
        expect({ ...record, metadata: byKey(record) }).toEqual({ ...other, metadata: byKey(other) })
        expect(clashesOf({ before, theirs: before, yours: other })).toEqual([])
      }),
    )
  })
})
