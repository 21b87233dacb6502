import * as fc from "fast-check"
import { expect, test } from "vitest"
import { type ListColumn, sortRows } from "./list-columns.ts"

interface Row {
  readonly name: string | undefined
}

const column: ListColumn<Row> = { id: "name", label: "Name", value: ({ name }) => name, cell: () => null }
const names = fc.oneof(
  fc.string({ unit: fc.constantFrom(...Array.from("aAbByZ  ")), maxLength: 5 }),
  fc.string({ unit: fc.constantFrom(...Array.from("aBé1209-.'@ ")), maxLength: 5 }),
  fc.string({
    unit: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCodePoint(code)),
    maxLength: 5,
  }),
  fc.string({ unit: "binary", maxLength: 5 }),
  fc
    .tuple(fc.constantFrom("a", "A", "-"), fc.integer({ min: 0, max: 300 }))
    .map(([sign, zeros]) => `${sign}${"0".repeat(zeros)}1${sign}`),
  fc.integer({ min: 250, max: 260 }).map((digits) => "9".repeat(digits)),
)

test("texts are in the order of the language, whatever way it was found; what has none goes last", () => {
  const words = new Intl.Collator("en-AU", { numeric: true, sensitivity: "base" })
  fc.assert(
    fc.property(fc.array(fc.option(names, { nil: undefined })), fc.boolean(), (values, down) => {
      const rows = values.map((name) => ({ name }))
      const sign = down ? -1 : 1
      const known = rows
        .filter(({ name }) => name !== undefined)
        .toSorted((one, other) => sign * words.compare(String(one.name), String(other.name)))
      const unknown = rows.filter(({ name }) => name === undefined)
      expect(sortRows(rows, [column], down ? "-name" : "name")).toEqual([...known, ...unknown])
    }),
    { numRuns: 2000 },
  )
})
