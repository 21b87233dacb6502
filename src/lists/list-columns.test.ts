import * as fc from "fast-check"
import { expect, test } from "vitest"
import {
  fittingColumns,
  inOrder,
  type ListColumn,
  movedColumn,
  sortRows,
  withAction,
} from "./list-columns.ts"

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

test("columns keep their saved order when others are added or removed", () => {
  const ids = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e", "f"))
  fc.assert(
    fc.property(ids, ids, (declared, order) => {
      const columns = declared.map((id) => ({ id }))
      const shown = inOrder(columns, order).map(({ id }) => id)
      expect(shown.toSorted()).toEqual(declared.toSorted())
      expect(shown.filter((id) => order.includes(id))).toEqual(order.filter((id) => declared.includes(id)))
    }),
  )
  const declared = ["a", "b", "c", "d"].map((id) => ({ id }))
  expect(inOrder(declared, ["c", "a"]).map(({ id }) => id)).toEqual(["c", "d", "a", "b"])
})

test("a column moves to a place counted without it", () => {
  expect(movedColumn(["a", "b", "c"], "a", 2)).toEqual(["b", "c", "a"])
  expect(movedColumn(["a", "b", "c"], "c", 0)).toEqual(["c", "a", "b"])
  expect(movedColumn(["a", "b", "c"], "b", 1)).toEqual(["a", "b", "c"])
})

test("columns give way by their number, of equal ones the last first, and no more of them than have to", () => {
  const columns = [
    { id: "order", width: 100 },
    { id: "type", width: 100, yields: 1 },
    { id: "name" },
    { id: "note", width: 100, yields: 2 },
    { id: "created", width: 100, yields: 1 },
  ]
  const kept = (room: number) => fittingColumns(columns, room).map(({ id }) => id)
  // A column without a width needs 144 px.
  expect(kept(544)).toEqual(["order", "type", "name", "note", "created"])
  expect(kept(543)).toEqual(["order", "type", "name", "note"])
  expect(kept(443)).toEqual(["order", "name", "note"])
  expect(kept(100)).toEqual(["order", "name"])
})

test("row actions are in their own column, or in the last column with room while that one is hidden", () => {
  const action = () => "Award"
  const [name, status, company, points, updated] = [
    { id: "name", label: "Name" },
    { id: "status", label: "Status" },
    { id: "company", label: "Company" },
    { id: "points", label: "Points", end: true, action },
    { id: "updated", label: "Updated", end: true },
  ] as const
  const all = [name, status, company, points, updated]
  expect(withAction(all, all)).toBe(all)
  expect(withAction(all, [name, status, company, updated])).toEqual([
    name,
    status,
    { ...company, action },
    updated,
  ])
  expect(withAction([name, updated], [updated])).toEqual([updated])
})
