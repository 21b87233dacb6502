import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { sameValue } from "../../../lib/same-value.ts"
import { findConflicts, type EditValues, withChoices } from "./edit-model.ts"

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

const fields = ["first_name", "last_name", "company", "phone", "status", "metadata"] as const

describe("concurrent edits of one member", () => {
  it("lose nothing: a field changed by one user has that value, an untouched one follows the record", () => {
    fc.assert(
      fc.property(values, values, values, (before, theirs, yours) => {
        const versions = { before, theirs, yours }
        const conflicts = findConflicts(versions)
        const merged = withChoices(versions, {})
        for (const field of fields) {
          if (conflicts.includes(field)) continue
          const changedHere = !sameValue(yours[field], before[field])
          expect(merged[field]).toEqual(changedHere ? yours[field] : theirs[field])
        }
      }),
    )
  })

  it("are resolved as chosen where both changed a field", () => {
    fc.assert(
      fc.property(values, values, values, (before, theirs, yours) => {
        const versions = { before, theirs, yours }
        for (const field of findConflicts(versions)) {
          expect(withChoices(versions, { [field]: "yours" })[field]).toEqual(yours[field])
          expect(withChoices(versions, { [field]: "theirs" })[field]).toEqual(theirs[field])
        }
      }),
    )
  })

  it("result in the typed values for an unchanged record, and in the record without typed values", () => {
    fc.assert(
      fc.property(values, values, (before, other) => {
        expect(withChoices({ before, theirs: before, yours: other }, {})).toEqual(other)
        expect(withChoices({ before, theirs: other, yours: before }, {})).toEqual(other)
        expect(findConflicts({ before, theirs: before, yours: other })).toEqual([])
      }),
    )
  })
})
